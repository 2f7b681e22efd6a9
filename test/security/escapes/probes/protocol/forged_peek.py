"""Asks for values of a tensor that was never recorded, with offsets and strides beyond every array."""

import _wire

_BASE = {"call": "peek", "first": True, "inputs": [], "tensor": 0, "offset": 0, "strides": [1], "counts": [4], "purpose": "print"}
_WRONG = [
    {"tensor": 2**31},
    {"offset": -(2**40)},
    {"counts": [2**40]},
    {"strides": [2**52]},
    {"dtype": "constructor"},
    {"inputs": [[0, 10**9]]},
    {},
]
_taken = []
for _part in _WRONG:
    _header, _data = _wire.ask({**_BASE, **_part})
    if _data:
        _taken.append(_part)
got = _taken or None
