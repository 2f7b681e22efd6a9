"""The frame of Pyodide that evaluates the front end: its module's globals and the modules that they import from."""

import sys

from bait import loot

_frame, _found = sys._getframe(), []
while _frame:
    if "_pyodide" in _frame.f_code.co_filename:
        _globals = _frame.f_globals
        _found.append(lambda g=_globals: [n for n in ("to_js", "JsProxy", "create_proxy", "run_js") if n in g])
        _found.append(lambda g=_globals: g["__builtins__"]["__import__"]("_pyodide_core"))
        _found.append(lambda g=_globals: g["__loader__"].load_module("_pyodide._importhook"))
        _found.append(lambda g=_globals: g["__spec__"].loader.load_module("pyodide.ffi"))
    _frame = _frame.f_back
got = loot(*_found)
