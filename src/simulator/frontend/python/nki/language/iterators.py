"""`nki.language.iterators`: the ranges, under the name that AWS's kernels import them by."""

from .._record.calls import functions as _functions
from .._record.language.language import affine_range, dynamic_range, sequential_range, static_range

__all__ = ["affine_range", "dynamic_range", "sequential_range", "static_range"]
__getattr__ = _functions.missing(__name__, globals())
