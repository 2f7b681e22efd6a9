"""Reads arrays by handles that were never given: beyond the end, negative, of another kind."""

import _wire

_HANDLES = [-1, 0.5, 2**31, 2**53, "0", "__proto__", "constructor", None, [], {}, True, 10**9]
_taken = []
for _handle in _HANDLES:
    for _call in ("array.get", "array.free"):
        _header, _data = _wire.ask({"call": _call, "array": _handle})
        if _data:
            _taken.append((_call, _handle))
got = _taken or None
