"""`jax.nn`: activation functions that kernels are checked against."""

from __future__ import annotations

import math
from typing import Any

from numpy import _reduce
from numpy._missing import missing as _missing
from numpy._ufuncs import UFUNCS as _UFUNCS


def softmax(x: Any, axis: Any = -1) -> Any:
    """exp(x - max) over its sum."""
    powers = _UFUNCS["exp"](x - _reduce.reduce("max", x, axis, True))
    return powers / _reduce.reduce("sum", powers, axis, True)


def relu(x: Any) -> Any:
    """max(x, 0)."""
    return _UFUNCS["maximum"](x, 0)


def sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x))."""
    return _UFUNCS["sigmoid"](x)


def silu(x: Any) -> Any:
    """x · sigmoid(x)."""
    return x * _UFUNCS["sigmoid"](x)


def gelu(x: Any, approximate: bool = True) -> Any:
    """x · Φ(x), by default its tanh approximation."""
    if not approximate:
        return 0.5 * x * (1 + _UFUNCS["erf"](x / math.sqrt(2)))
    return 0.5 * x * (1 + _UFUNCS["tanh"](math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise _missing(f"jax.nn.{name}")
