"""The submodules of `pyodide` and `_pyodide`, by every usual way to import."""

import importlib
import importlib.util
import sys

from bait import loot

_NAMES = ["pyodide", "pyodide.ffi", "pyodide.code", "pyodide.http", "pyodide.webloop", "_pyodide._base", "_pyodide._future_helper"]
_NAMES += ["_pyodide._importhook", "_pyodide_core", "js", "pyodide_js", "pyodide.ffi.wrappers"]


def _found(name):
    spec = importlib.util.find_spec(name)
    return spec and spec.loader.load_module(name).__name__


got = loot(
    *[lambda name=name: __import__(name).__name__ for name in _NAMES],
    *[lambda name=name: importlib.import_module(name).__name__ for name in _NAMES],
    *[lambda name=name: _found(name) for name in _NAMES],
    *[lambda name=name: sys.modules[name].__name__ for name in _NAMES],
)
