"""Says `done` for the front end, with an error that lies in a file outside and names that carry control characters."""

import _wire
from bait import OUTSIDE

_error = {"kind": "X\x1b[31m", "message": "m", "file": OUTSIDE + "/secret.txt", "line": 1, "traceback": None}
_wire.ask({"call": "done", "error": _error, "kernels": [{"name": "../x", "line": -1, "params": []}]})
for _kernels in (None, 7, "x", [None], [{"name": {"toString": 1}}], {"length": 2**31}):
    _wire.ask({"call": "done", "error": None, "kernels": _kernels})
_wire.ask({"call": "done", "error": _error, "kernels": []})
