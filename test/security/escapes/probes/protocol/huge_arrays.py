"""Arrays of 2**31 elements and more, of negative, broken and unsafe sizes: no room may be made for them."""

import _wire

_SHAPES = [[2**31], [2**31, 2**31], [2**53], [-1], [-4, -4], [0.5], ["4"], [None], [1e308, 10], [2**62], "ab", {"length": 1e9}, [[2]], None]
_taken = []
for _shape in _SHAPES:
    _header, _ = _wire.ask({"call": "array.put", "dtype": "float32", "shape": _shape}, b"\0" * 4)
    if "ok" in _header:
        _taken.append(_shape)
got = _taken or None
