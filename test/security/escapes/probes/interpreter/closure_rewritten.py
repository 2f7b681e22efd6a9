"""Writes another answer into the cells of the fence's closures: nothing is denied any more."""

import _imp
import sys

from bait import loot


def _open(function):
    for cell in function.__closure__ or ():
        if callable(cell.cell_contents) and cell.cell_contents.__name__ == "is_denied":
            cell.cell_contents = lambda name: False
    return None


def _fences():
    yield _imp.create_builtin
    for finder in sys.meta_path:
        yield getattr(finder.find_spec, "__func__", finder.find_spec)


got = loot(*[lambda f=f: _open(f) for f in _fences()], *[lambda n=n: __import__(n).__name__ for n in ("_pyodide_core", "_ctypes")])
