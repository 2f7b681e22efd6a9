"""Array operations by names and with attributes that no front end sends."""

import _wire

_OPERATIONS = ["__proto__", "constructor", "eval", "toString", "reshape", "cast", "generator", "random.integers", "matmul", "add"]
_ATTRIBUTES = [{}, {"__proto__": {"low": 1}}, {"low": 1e308, "high": -1e308}, {"seed": "x" * 100_000}, {"axes": [2**31, -1]}, None]
_taken = []
for _operation in _OPERATIONS:
    for _attributes in _ATTRIBUTES:
        _asked = {
            "call": "array.op",
            "op": _operation,
            "operands": [2**31, -1],
            "attributes": _attributes,
            "dtype": "float32",
            "shape": [4],
        }
        _header, _ = _wire.ask(_asked)
        if "ok" in _header and _operation in ("__proto__", "constructor", "eval", "toString"):
            _taken.append(_operation)
got = _taken or None
