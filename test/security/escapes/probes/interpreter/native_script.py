"""Calls the native function that runs JavaScript text."""

from bait import builtin

_ctypes = builtin("_ctypes")


class _Int(_ctypes._SimpleCData):
    _type_ = "i"


class _Function(_ctypes.CFuncPtr):
    _flags_ = _ctypes.FUNCFLAG_CDECL
    _restype_ = _Int


got = _Function(_ctypes.dlsym(_ctypes.dlopen(None, 2), "emscripten_run_script_int"))(b"6*7")
