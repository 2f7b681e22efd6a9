"""Finds Pyodide's import hook for JavaScript modules (its object or its class) and puts it back."""

import gc
import sys

from bait import is_proxy, loot


def _revive(finder):
    sys.meta_path.insert(0, finder)
    try:
        return [name for name in ("js", "pyodide_js") if is_proxy(__import__(name))]
    finally:
        sys.meta_path.remove(finder)


_finders = [o for o in gc.get_objects() if type(o).__name__ == "JsFinder"]
_classes = [o for o in gc.get_objects() if isinstance(o, type) and o.__name__ == "JsFinder"]
got = loot(
    *[lambda f=f: f.jsproxies and list(f.jsproxies) for f in _finders],
    *[lambda f=f: _revive(f) for f in _finders],
    *[lambda c=c: _revive(c()) for c in _classes],
)
