"""Pyodide's own Python sources lie readable in the standard library: runs them under names that the fence does not know."""

import sys
import types
import zipimport

from bait import is_proxy, loot

_ARCHIVE = next((p for p in sys.path if p.endswith(".zip")), "/lib/python314.zip")
_FILES = [
    "_pyodide/_core_docs.py",
    "_pyodide/_future_helper.py",
    "_pyodide/_importhook.py",
    "pyodide/_package_loader.py",
    "pyodide/_core.py",
]


def _run(name):
    text = zipimport.zipimporter(_ARCHIVE).get_data(f"{_ARCHIVE}/{name}").decode()
    module = types.ModuleType("harmless")
    sys.modules["harmless"] = module
    exec(compile(text, name, "exec"), module.__dict__)
    return [key for key, value in vars(module).items() if is_proxy(value) or type(value).__name__ == "builtin_function_or_method"]


got = loot(*[lambda name=name: _run(name) for name in _FILES])
