"""Headers that are no JSON object: text, numbers, nesting of a million levels, broken UTF-8, numbers beyond range."""

import os

import _wire

_HEADERS = [
    b"[]",
    b"null",
    b"7",
    b'"job"',
    b"{",
    b"\xff\xfe",
    b"[" * 1_000_000,
    b'{"a":' * 1_000_000,
    b'{"call":"array.free","array":1e999}',
]
_HEADERS += [b'{"call":"progress","instructions":-1}', b'{"call":"progress","instructions":"many"}']
for _header in _HEADERS:
    try:
        _number = _wire.opened()
        _wire.send(_number, _header)
        _wire.receive(_number)
        os.close(_number)
    except (OSError, EOFError, RecursionError, ValueError):
        continue
