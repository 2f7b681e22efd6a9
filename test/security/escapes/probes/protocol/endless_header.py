"""A header that never ends: sent in pieces of a megabyte, as long as the host takes them."""

import os

import _wire

_number = _wire.opened()
os.write(_number, _wire._HEAD.pack(16 * 2**20, 0))
_taken = 0
try:
    while _taken < 64 * 2**20:
        _taken += os.write(_number, b" " * 2**20)
except OSError:
    pass
got = _taken if _taken >= 64 * 2**20 else None
