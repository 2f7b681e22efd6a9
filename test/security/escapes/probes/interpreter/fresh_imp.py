"""`_imp` itself is a builtin module: made anew, it has the functions that the fence took away."""

import importlib.machinery as machinery

from bait import builtin, loot

_again = builtin("_imp")


def _make(name):
    module = _again.create_builtin(machinery.ModuleSpec(name, machinery.BuiltinImporter, origin="built-in"))
    return module.__name__


got = loot(
    *[lambda n=n: _make(n) for n in ("_pyodide_core", "_ctypes")], lambda: "refused" not in repr(_again.create_dynamic) and "dynamic"
)
