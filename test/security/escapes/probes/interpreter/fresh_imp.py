"""`_imp` itself is a builtin module: made anew, it has the functions that the fence took away."""

import importlib.machinery as machinery

from bait import builtin, contents, loot

_again = builtin("_imp")


def _make(name):
    module = _again.create_builtin(machinery.ModuleSpec(name, machinery.BuiltinImporter, origin="built-in"))
    return module is not None and contents(module)


# what its `create_dynamic` loads is `side_module`'s
got = loot(*[lambda n=n: _make(n) for n in ("_pyodide_core", "_ctypes")])
