"""`scipy.special`: softmax, expit, erf over the lazy arrays of the NumPy stand-in."""

from __future__ import annotations

from typing import Any

import numpy as _np
from numpy._missing import missing as _missing
from numpy._ufuncs import UFUNCS as _UFUNCS

__all__ = ["erf", "expit", "softmax"]

expit, erf = _UFUNCS["sigmoid"], _UFUNCS["erf"]


def softmax(x: Any, axis: Any = None) -> Any:
    """exp(x) over its sum along `axis`, or over all elements."""
    powers = _np.exp(x - _np.max(x, axis=axis, keepdims=True))
    return powers / _np.sum(powers, axis=axis, keepdims=True)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise _missing(f"scipy.special.{name}")
