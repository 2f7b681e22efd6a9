"""Bytecode that loads a constant that the code object has not: some 2 GB behind the last one."""

from opcode import opmap


def f():
    """Has its code replaced."""
    return 1


load = [opmap["EXTENDED_ARG"], 0x1F, opmap["EXTENDED_ARG"], 0xFF, opmap["EXTENDED_ARG"], 0xFF, opmap["LOAD_CONST"], 0xFF]
f.__code__ = f.__code__.replace(co_consts=(), co_code=bytes([*load, opmap["RETURN_VALUE"], 0]))
print(f())
