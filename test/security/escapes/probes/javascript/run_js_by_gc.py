"""Finds Python functions of Pyodide's that reach JavaScript (`run_js`, `open_url`, `pyfetch`) and calls them."""

import gc
import types

from bait import PORT, loot

_CALLS = {
    "run_js": lambda f: f("1 + 1"),
    "open_url": lambda f: f(f"http://127.0.0.1:{PORT}/"),
    "pyfetch": lambda f: f(f"http://127.0.0.1:{PORT}/").send(None),
    "loadPackage": lambda f: f("micropip"),
    "get_future_helper": lambda f: f(),
}
_found = [o for o in gc.get_objects() if isinstance(o, types.FunctionType) and o.__name__ in _CALLS]
got = loot(*[lambda f=f: (f.__name__, _CALLS[f.__name__](f)) for f in _found])
