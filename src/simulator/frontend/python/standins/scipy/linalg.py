"""`scipy.linalg`: circulant matrices, from which kernels make permutations."""

from __future__ import annotations

from typing import Any

import numpy as _np
from numpy._missing import missing as _missing

__all__ = ["circulant"]


def circulant(c: Any) -> Any:
    """The matrix whose first column is the vector `c`, each further column the one before it moved down by one."""
    column = _np.asarray(c)
    if column.ndim != 1:
        raise _missing(f"scipy.linalg.circulant of {column.ndim} dimensions")
    n = column.shape[0]
    at = _np.arange(n)
    return column[(_np.reshape(at, (n, 1)) - at) % n]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise _missing(f"scipy.linalg.{name}")
