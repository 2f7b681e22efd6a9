"""Descriptors of the refusing functions and of the classes of the fence: `__wrapped__`, `__globals__`, `__closure__`, slots."""

import os
import sys

from bait import OUTSIDE, loot


def _originals(function):
    for cell in getattr(function, "__closure__", None) or ():
        if callable(cell.cell_contents):
            yield cell.cell_contents


def _ran(function, text):
    code = function(text)
    return type(code) is int and code == 0


_refusing = [os.system, os.popen, getattr(os, "posix_spawn", None), *[getattr(f, "find_spec", None) for f in sys.meta_path]]
got = loot(
    *[lambda f=f: f.__wrapped__ for f in _refusing],
    *[lambda o=o: _ran(o, f"touch {OUTSIDE}/descriptor") for f in _refusing for o in _originals(f)],
    *[lambda f=f: _ran(f.__globals__["posix"].system, f"touch {OUTSIDE}/descriptor") for f in _refusing],
)
