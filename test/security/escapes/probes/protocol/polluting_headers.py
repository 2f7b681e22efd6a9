"""Headers that carry `__proto__` and `constructor`: they must not reach the prototype of later objects."""

import _wire

_wire.ask(
    {"call": "progress", "instructions": 0, "__proto__": {"call": "job", "polluted": 1}, "constructor": {"prototype": {"call": "job"}}}
)
_header, _ = _wire.ask({"nothing": 1})
got = _header if "ok" in _header else None
