"""Imports by a name of a subclass of `str`, whose methods tell the fence another one."""

import importlib
import importlib.machinery

from bait import loot


class _Name(str):
    def partition(self, _):
        return ("math", "", "")

    def startswith(self, *_):
        return False


_NAMES = ["_pyodide_core", "_ctypes", "_socket", "_posixsubprocess"]
_load = importlib.machinery.BuiltinImporter.load_module
got = loot(
    *[lambda name=name: __import__(_Name(name)).__name__ for name in _NAMES],
    *[lambda name=name: importlib.import_module(_Name(name)).__name__ for name in _NAMES],
    *[lambda name=name: _load(_Name(name)).__name__ for name in _NAMES],
)
