"""Reads local variables out of range: an index beyond those that the frame has."""

import opcode
import types

from bait import is_proxy


def _template(a):
    return a


_code = bytearray(_template.__code__.co_code)
for _at in range(0, len(_code), 2):
    if opcode.opname[_code[_at]].startswith("LOAD_FAST"):
        _code[_at : _at + 2] = bytes([opcode.opmap["LOAD_FAST"], 9])
_value = types.FunctionType(_template.__code__.replace(co_code=bytes(_code)), {})(1)
got = is_proxy(_value) or None
