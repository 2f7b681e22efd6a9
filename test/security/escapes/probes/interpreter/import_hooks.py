"""Hooks on `sys.path_hooks` and on `__import__` that run inside the import of our own modules."""

import builtins
import sys

from bait import is_proxy

_seen = []
_kept = builtins.__import__


def _hook(name, names=None, *rest):
    found = [key for key, value in (names or {}).items() if is_proxy(value)]
    _seen.extend(found)
    return _kept(name, names, *rest)


builtins.__import__ = _hook
try:
    sys.modules.pop("nki._record.launch.returned_values", None)
    import nki._record.launch.returned_values  # noqa: F401
finally:
    builtins.__import__ = _kept
got = _seen or None
