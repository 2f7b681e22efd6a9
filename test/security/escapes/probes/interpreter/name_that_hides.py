"""Imports by a name of a subclass of `str`, whose methods tell the fence another one."""

import importlib
import importlib.machinery

from bait import contents, loot


class _Name(str):
    def partition(self, _):
        return ("math", "", "")

    def startswith(self, *_):
        return False


# `__import__` gives the package of a name, which `_Name` says is `math`
_NAMES = ["_pyodide_core", "_ctypes", "_socket", "_posixsubprocess"]
_load = importlib.machinery.BuiltinImporter.load_module
got = loot(
    *[lambda name=name: name in repr(found := __import__(_Name(name))) and contents(found) for name in _NAMES],
    *[lambda name=name: contents(importlib.import_module(_Name(name))) for name in _NAMES],
    *[lambda name=name: contents(_load(_Name(name))) for name in _NAMES],
)
