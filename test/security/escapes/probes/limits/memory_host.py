"""Puts arrays of 512 MB at the host, up to 8 GB, and never frees one."""

import os

import _wire

_BYTES = 512 << 20
_piece = memoryview(bytes(_BYTES))
_number = _wire.opened()
for _ in range(16):
    _wire.send(_number, {"call": "array.put", "dtype": "float32", "shape": [128, _BYTES // 512]}, payload_size=_BYTES)
    _left = _piece
    while _left:
        _left = _left[os.write(_number, _left) :]
    _header, _ = _wire.receive(_number)
    if "error" in _header:
        break
