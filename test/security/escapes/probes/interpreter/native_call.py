"""Calls a native function by its address: `getpid`, with a prototype of its own making."""

from bait import builtin

_ctypes = builtin("_ctypes")


class _Int(_ctypes._SimpleCData):
    _type_ = "i"


class _Function(_ctypes.CFuncPtr):
    _flags_ = _ctypes.FUNCFLAG_CDECL
    _restype_ = _Int


got = f"process {_Function(_ctypes.dlsym(_ctypes.dlopen(None, 2), 'getpid'))()}"
