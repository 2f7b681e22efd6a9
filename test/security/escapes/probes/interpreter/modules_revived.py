"""Modules that were taken out of `sys.modules` and still live: looks for them among all objects, and puts them back."""

import gc
import sys
import types

from bait import loot

_NAMES = ("_pyodide_core", "pyodide", "js", "pyodide_js", "_ctypes", "_socket")
_found = [o for o in gc.get_objects() if isinstance(o, types.ModuleType) and o.__name__.partition(".")[0] in _NAMES]
_dictionaries = [o for o in gc.get_objects() if isinstance(o, dict) and o.get("__name__") in _NAMES]


def _revive(module):
    sys.modules[module.__name__] = module
    try:
        return [n for n in ("to_js", "create_proxy", "run_js", "socket") if hasattr(__import__(module.__name__), n)]
    finally:
        del sys.modules[module.__name__]


got = loot(
    *[lambda m=m: _revive(m) for m in _found],
    *[lambda d=d: [n for n in ("to_js", "create_proxy", "run_js") if n in d] for d in _dictionaries],
)
