"""A small jax for kernel scripts in NKI Scope's bundled interpreter: `jax.numpy` over the lazy arrays of the NumPy stand-in, `jax.random`
(keys, other numbers than jax's) and `jit` as the identity. What is missing raises an error that names it.
"""

from __future__ import annotations

from typing import Any

from numpy._missing import missing as _missing

from nki._record.vocabulary.layers import Layer as named_scope

from . import nn, numpy, random
from ._array import Array

__version__ = "0.4.0+nki.scope"


def jit(fun: Any = None, **_: Any) -> Any:
    """The function itself: nothing is compiled here."""
    return fun if fun is not None else lambda function: function


def block_until_ready(x: Any) -> Any:
    """The arrays: computing is the host's business."""
    return x


def device_put(x: Any, *_: Any) -> Any:
    """The array: there are no devices."""
    return x


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise _missing(f"jax.{name}")


__all__ = ["Array", "named_scope", "nn", "numpy", "random"]
