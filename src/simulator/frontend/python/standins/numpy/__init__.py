"""A small NumPy for kernel scripts in NKI Scope's bundled interpreter: dtypes, creation, elementwise functions, reductions, products,
comparison, random numbers, printing. Arrays are lazy and live in the host; a script that only times a kernel computes nothing.

This is not NumPy: a call that is missing raises an error that names it and offers the user's own interpreter, where the real NumPy is used.
"""

# ruff: noqa: F401 - these are its public names
from __future__ import annotations

import math as _math
from typing import Any

from . import linalg, random, testing
from ._array import ndarray
from ._create import (
    arange,
    array,
    asarray,
    empty,
    empty_like,
    eye,
    frombuffer,
    full,
    full_like,
    identity,
    linspace,
    ones,
    ones_like,
    zeros,
    zeros_like,
)
from ._dtypes import (
    SCALARS,
    bool_,
    dtype,
    finfo,
    floating,
    generic,
    iinfo,
    inexact,
    integer,
    issubdtype,
    number,
    result_type,
    signedinteger,
    unsignedinteger,
)
from ._io import load, save
from ._linear import allclose, array_equal, array_equiv, diagonal, dot, einsum, kron, matmul, outer, trace, vdot
from ._methods import install as _install
from ._missing import missing as _missing
from ._positions import (
    append,
    argwhere,
    bincount,
    column_stack,
    flatnonzero,
    indices,
    isin,
    mgrid,
    put_along_axis,
    searchsorted,
    tri,
    tril_indices,
    tril_indices_from,
    triu_indices,
    triu_indices_from,
)
from ._print import array_repr, array_str, get_printoptions, printoptions, set_printoptions
from ._reduce import (
    all,
    any,
    apply_along_axis,
    argmax,
    argmin,
    argsort,
    average,
    count_nonzero,
    cumprod,
    cumsum,
    diff,
    max,
    mean,
    median,
    min,
    nanmax,
    nanmean,
    nanmin,
    nansum,
    prod,
    ptp,
    sort,
    std,
    sum,
    unique,
    var,
)
from ._shape import (
    broadcast_arrays,
    broadcast_to,
    concatenate,
    copy,
    expand_dims,
    flip,
    hstack,
    meshgrid,
    moveaxis,
    pad,
    ravel,
    repeat,
    reshape,
    roll,
    split,
    squeeze,
    stack,
    swapaxes,
    take,
    take_along_axis,
    tile,
    transpose,
    tril,
    triu,
    vstack,
)
from ._ufuncs import UFUNCS, around, clip, isclose, ufunc, where
from ._ufuncs import broadcast_shape as _broadcast_shape

_install(ndarray)

__version__ = "2.0.0+nki.scope"

pi, e = _math.pi, _math.e
inf, nan = _math.inf, _math.nan
newaxis = None

amax, amin, round, round_ = max, min, around, around
concat, permute_dims = concatenate, transpose
ascontiguousarray = asanyarray = asarray
double, single, half = SCALARS["float64"], SCALARS["float32"], SCALARS["float16"]
int_, intp, uint, float_ = SCALARS["int64"], SCALARS["int64"], SCALARS["uint64"], SCALARS["float64"]
bool = bool_

#: Functions of the engine that NumPy does not have; torch and jax use them.
_OWN = {"erf", "rsqrt", "sigmoid"}
globals().update({name: function for name, function in UFUNCS.items() if name not in _OWN})
globals().update(
    {name: scalar for name, scalar in SCALARS.items() if name.lstrip("uint").isdigit() or name in ("float16", "float32", "float64")}
)


def shape(a: Any) -> Any:
    """The shape of an array or nested sequence."""
    return asarray(a).shape


def ndim(a: Any) -> int:
    """The number of axes."""
    return asarray(a).ndim


def size(a: Any) -> int:
    """The number of elements."""
    return asarray(a).size


def nonzero(a: Any) -> Any:
    """Positions of elements that are not zero."""
    return where(a)


def isscalar(element: Any) -> Any:
    """Whether it is a number."""
    return isinstance(element, (int, float, complex, str, generic))


def broadcast_shapes(*shapes: Any) -> Any:
    """The common shape."""
    return _broadcast_shape(*[(s,) if isinstance(s, int) else tuple(s) for s in shapes])


def errstate(**_: Any) -> Any:
    """No warnings are given here, so there is nothing to silence."""
    import contextlib

    return contextlib.nullcontext()


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise _missing(f"numpy.{name}")
