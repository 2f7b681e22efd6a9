"""The import system's inner functions, without its finders."""

import importlib._bootstrap as bootstrap
import importlib.machinery as machinery

from bait import loot


def _load(name):
    spec = machinery.ModuleSpec(name, machinery.BuiltinImporter, origin="built-in")
    return bootstrap._load(spec).__name__


_NAMES = ["_pyodide_core", "_ctypes", "_socket"]
got = loot(
    *[lambda n=n: bootstrap._builtin_from_name(n).__name__ for n in _NAMES],
    *[lambda n=n: _load(n) for n in _NAMES],
    *[lambda n=n: bootstrap._call_with_frames_removed(machinery.BuiltinImporter.create_module, n) for n in _NAMES],
)
