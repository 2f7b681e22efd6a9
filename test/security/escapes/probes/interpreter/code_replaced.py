"""Gives the fence's functions the code of others."""

import _imp
import sys

from bait import loot


def _empty(name, path=None, target=None):
    return None


def _never(name):
    return False


def _replace():
    for finder in sys.meta_path:
        if finder.__name__ == "Fence":
            finder.find_spec = staticmethod(_empty)
    for cell in _imp.create_builtin.__closure__ or ():
        if getattr(cell.cell_contents, "__name__", "") == "is_denied":
            # its closure has one cell: so has the code that it gets
            holder = (lambda denied: lambda name: bool(denied) and False)(True)
            cell.cell_contents.__code__ = holder.__code__


got = loot(_replace, *[lambda n=n: __import__(n).__name__ for n in ("_pyodide_core", "_ctypes", "_socket")])
