"""`nki.language`: NumPy-like functions over tiles, generated from the instruction table, and what records nothing."""

from .._record.calls import functions as _functions
from .._record.language import language as _language

globals().update(_language.names())
globals().update(_language.names_of_today())
globals().update(_functions.LANGUAGE)

__all__ = [_name for _name in globals() if not _name.startswith("_")]
range = range  # Python's own: AWS's stubs lack it, nki-library's mxfp_load_utils iterates by it
__getattr__ = _functions.missing(__name__, globals())

from . import constants, iterators, opcode  # noqa: E402, F401 - after the names that these modules take from here
