"""Reductions, scans and sorting."""

from __future__ import annotations

import builtins
from typing import Any, List, Optional, Sequence

from . import _engine
from ._create import asarray, zeros
from ._dtypes import DEFAULT_FLOAT, DEFAULT_INT
from ._dtypes import dtype as Dtype
from ._missing import missing
from ._shape import concatenate, moveaxis, normal_axis, ravel, reshape
from ._ufuncs import UFUNCS, where


def axes_of(axis: Any, ndim: int) -> List[int]:
    """Axes as a list; None is all."""
    if axis is None:
        return list(range(ndim))
    return [normal_axis(one, ndim) for one in ([axis] if isinstance(axis, int) else axis)]


def _result_type(name: str, source: Any) -> str:
    kind, family = source.dtype.kind, source._family
    if name in ("any", "all"):
        return "bool"
    if name in ("argmax", "argmin"):
        return DEFAULT_INT[family]
    if name in ("mean", "var", "std"):
        return source.dtype.name if kind == "f" else DEFAULT_FLOAT[family]
    if name in ("sum", "prod") and kind in "biu":
        return "uint64" if kind == "u" else DEFAULT_INT[family]
    return source.dtype.name


def reduce(name: str, a: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None, **attributes: Any) -> Any:
    """The engine's reduction `name` over axes."""
    source = asarray(a)
    axes = axes_of(axis, source.ndim)
    if name in ("max", "min", "argmax", "argmin") and builtins.any(source.shape[one] == 0 for one in axes):
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    shape = [1 if place in axes else n for place, n in enumerate(source.shape) if keepdims or place not in axes]
    kind = Dtype(dtype).name if dtype is not None else _result_type(name, source)
    return source._wrap(_engine.op(f"reduce.{name}", [source._array], shape, kind, axes=axes, **attributes))


def _named(name: str) -> Any:
    def function(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, **others: Any) -> Any:
        ddof = others.pop("ddof", others.pop("correction", 0))
        if others:
            raise missing(f"numpy.{name}({next(iter(others))}=…)")
        result = reduce(name, a, axis, keepdims, dtype, ddof=ddof)
        if out is None:
            return result
        out[...] = result
        return out

    function.__name__ = name
    function.__doc__ = f"NumPy's {name} over an axis, several axes or all."
    return function


sum, prod, mean, var, std = (_named(name) for name in ("sum", "prod", "mean", "var", "std"))
max, min, any, all = (_named(name) for name in ("max", "min", "any", "all"))
argmax, argmin = (_named(name) for name in ("argmax", "argmin"))


def ptp(a: Any, axis: Any = None) -> Any:
    """Largest minus smallest."""
    return max(a, axis) - min(a, axis)


def _without_nan(a: Any, instead: float) -> Any:
    source = asarray(a)
    return where(UFUNCS["isnan"](source), source.dtype.type(instead), source)


def nansum(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The sum of what is a number."""
    return sum(_without_nan(a, 0.0), axis, keepdims=keepdims)


def nanmean(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The mean of what is a number."""
    source = asarray(a)
    if source.dtype.kind != "f":
        return mean(source, axis, keepdims=keepdims)
    count = sum(UFUNCS["logical_not"](UFUNCS["isnan"](source)), axis, keepdims=keepdims)
    return nansum(source, axis, keepdims) / count.astype(source.dtype)


def nanmax(a: Any, axis: Any = None) -> Any:
    """The largest number."""
    return max(_without_nan(a, float("-inf")), axis)


def nanmin(a: Any, axis: Any = None) -> Any:
    """The smallest number."""
    return min(_without_nan(a, float("inf")), axis)


def count_nonzero(a: Any, axis: Any = None) -> Any:
    """How many elements are not zero."""
    return sum(asarray(a).astype("bool"), axis)


def accumulate(operation: str, a: Any, axis: Optional[int] = None, dtype: Any = None) -> Any:
    """All intermediate results of a binary operation along an axis (flattened by default)."""
    source = ravel(a) if axis is None else asarray(a)
    place = normal_axis(0 if axis is None else axis, source.ndim)
    kind = (
        Dtype(dtype).name if dtype is not None else _result_type("sum", source) if operation in ("add", "multiply") else source.dtype.name
    )
    return source._wrap(_engine.op("accumulate", [source._array], source.shape, kind, by=operation, axis=place))


def cumsum(a: Any, axis: Optional[int] = None, dtype: Any = None) -> Any:
    """Running sums."""
    return accumulate("add", a, axis, dtype)


def cumprod(a: Any, axis: Optional[int] = None, dtype: Any = None) -> Any:
    """Running products."""
    return accumulate("multiply", a, axis, dtype)


def _lines(name: str, a: Any, axis: Optional[int], dtype: Optional[str]) -> Any:
    source = ravel(a) if axis is None else asarray(a)
    place = normal_axis(0 if axis is None else axis, source.ndim)
    return source._wrap(_engine.op(name, [source._array], source.shape, dtype or source.dtype.name, axis=place))


def sort(a: Any, axis: Optional[int] = -1, kind: Any = None) -> Any:
    """Ascending along an axis, NaN last."""
    return _lines("sort", a, axis, None)


def argsort(a: Any, axis: Optional[int] = -1, kind: Any = None) -> Any:
    """Indices that sort, equal elements in their order."""
    return _lines("argsort", a, axis, "int64")


def diff(a: Any, n: int = 1, axis: int = -1) -> Any:
    """Differences of neighbours."""
    source = asarray(a)
    lead = (slice(None),) * normal_axis(axis, source.ndim)
    for _ in range(n):
        source = source[lead + (slice(1, None),)] - source[lead + (slice(None, -1),)]
    return source


def average(a: Any, axis: Any = None, weights: Any = None) -> Any:
    """The mean, weighted if asked."""
    if weights is None:
        return mean(a, axis)
    return sum(asarray(a) * weights, axis) / sum(asarray(weights), axis)


def median(a: Any, axis: Optional[int] = None) -> Any:
    """The middle value along an axis."""
    source = sort(a, axis)
    place = normal_axis(-1 if axis is None else axis, source.ndim)
    half = source.shape[place] // 2
    lead = (slice(None),) * place
    if source.shape[place] % 2:
        return source[lead + (half,)]
    return (source[lead + (half - 1,)] + source[lead + (half,)]) / 2


def unique(a: Any) -> Any:
    """The sorted distinct values: computes."""
    source = ravel(sort(a, None))
    if source._count < 2:
        return source
    fresh = concatenate([zeros(1, bool) == 0, source[1:] != source[:-1]])
    return source[fresh]


def apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """A Python function of every line along an axis."""
    from ._shape import stack

    source = moveaxis(arr, axis, -1)
    lead = source.shape[:-1]
    flat = reshape(source, (-1, source.shape[-1]))
    results: Sequence[Any] = [asarray(func1d(flat[i], *args, **kwargs)) for i in range(flat.shape[0])]
    made = stack(results)
    made = reshape(made, lead + made.shape[1:])
    return moveaxis(made, -1, axis) if results[0].ndim == 1 else made
