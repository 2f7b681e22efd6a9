"""`jax.numpy`: the functions of the NumPy stand-in, with jax's default types (float32, int32)."""

from __future__ import annotations

import functools
from typing import Any

import numpy as _np
from numpy import _create
from numpy._dtypes import SCALARS as _SCALARS
from numpy._missing import missing as _missing

from ._array import Array

bfloat16 = _SCALARS["bfloat16"]
float8_e4m3fn, float8_e5m2 = _SCALARS["float8_e4m3fn"], _SCALARS["float8_e5m2"]
ndarray = Array
_CREATORS = "zeros ones full empty arange linspace eye array asarray".split()
globals().update({_name: functools.partial(getattr(_create, _name), cls=Array) for _name in _CREATORS})


def identity(n: int, dtype: Any = None) -> Any:
    """The square matrix with ones on the diagonal."""
    return _create.eye(n, dtype=dtype, cls=Array)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    if name in ("random", "testing", "save", "load") or not hasattr(_np, name):
        raise _missing(f"jax.numpy.{name}")
    return getattr(_np, name)
