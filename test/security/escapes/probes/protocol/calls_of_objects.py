"""Calls that are no call: names of JavaScript's own properties, and things that are no names."""

import _wire

_NAMES = [
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "valueOf",
    "__defineGetter__",
    "",
    " job",
    "JOB",
    "job\0",
    None,
    7,
    [],
    {},
    ["job"],
]


def _answer(name):
    header, _ = _wire.ask({"call": name})
    return name if "ok" in header and name != ["job"] else None


got = [name for name in map(_answer, _NAMES) if name is not None] or None
