"""`nki.isa.constants`: the enums of `nki.isa` under the name that AWS's kernels import them by."""

from .._record.calls import functions as _functions
from .._record.vocabulary import enums as _enums

globals().update(_enums.ENUMS)
globals().update(_enums.ENGINES)

__all__ = [_name for _name in globals() if not _name.startswith("_")]
__getattr__ = _functions.missing(__name__, globals())
