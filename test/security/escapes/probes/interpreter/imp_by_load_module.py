"""As `fresh_imp`, by importing `_imp` again in the usual way once `sys.modules` has forgotten it."""

import importlib.machinery as machinery
import sys

from bait import contents, loot

_kept = sys.modules.pop("_imp", None)
try:
    import _imp as _again
finally:
    sys.modules["_imp"] = _kept


def _make(name):
    return contents(_again.create_builtin(machinery.ModuleSpec(name, machinery.BuiltinImporter, origin="built-in")))


got = loot(*[lambda n=n: _make(n) for n in ("_pyodide_core", "_ctypes")])
