"""Code whose constants are read out of range: objects that the code was never given, here in search of a proxy."""

import types

from bait import is_proxy, loot


def _template():
    return 0x7F


def _constant(index):
    code = bytearray(_template.__code__.co_code)
    load = next(i for i in range(0, len(code), 2) if code[i + 1] == 0x7F or i == 2)
    code[load : load + 2] = bytes([__import__("opcode").opmap["LOAD_CONST"], index])
    crafted = _template.__code__.replace(co_code=bytes(code), co_consts=())
    return types.FunctionType(crafted, {})()


got = loot(*[lambda i=i: is_proxy(_constant(i)) and i for i in range(1, 4)])
