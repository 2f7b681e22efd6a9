"""`nki.dtype`: the data types of `nki.language` by name, and the type that annotations name."""

from ._record.calls import functions as _functions
from ._record.vocabulary import dtypes as _dtypes

globals().update(_dtypes.ALL)
Dtype = DType = _dtypes.Dtype

__all__ = [_name for _name in globals() if not _name.startswith("_")]
__getattr__ = _functions.missing(__name__, globals())
