"""Where things are: positions of elements, triangles and grids of indices, counts by value. All made of other functions here."""

from __future__ import annotations

from typing import Any, Tuple

from ._create import arange, asarray, ones
from ._gather import nonzero
from ._reduce import sum as total
from ._shape import concatenate, meshgrid, stack, tril, triu
from ._ufuncs import UFUNCS


def argwhere(a: Any) -> Any:
    """Positions of elements that are not zero, one row each."""
    return stack(nonzero(asarray(a)), 1)


def flatnonzero(a: Any) -> Any:
    """Positions of elements that are not zero, of the flattened array."""
    return nonzero(asarray(a).reshape(-1))[0]


def bincount(x: Any, weights: Any = None, minlength: int = 0) -> Any:
    """How often each of 0, 1, 2, ... occurs, or the sum of its weights."""
    values = asarray(x)
    count = max(minlength, int(values.max()) + 1 if values.size else 0)
    found = values.reshape(1, -1) == arange(count).reshape(-1, 1)
    return total(found.astype("int64"), axis=1) if weights is None else total(found * asarray(weights).astype("float64"), axis=1)


def isin(element: Any, test_elements: Any, invert: bool = False) -> Any:
    """Which elements are among others."""
    elements, others = asarray(element), asarray(test_elements).reshape(-1)
    found = (elements.reshape(*elements.shape, 1) == others).any(axis=-1)
    return UFUNCS["logical_not"](found) if invert else found


def searchsorted(a: Any, v: Any, side: str = "left") -> Any:
    """Where values go into a sorted array: before its equals, or after them."""
    values = asarray(v)
    wide = values.reshape(*values.shape, 1)
    below = asarray(a) < wide if side == "left" else asarray(a) <= wide
    return total(below.astype("int64"), axis=-1)


def tri(n: int, m: Any = None, k: int = 0, dtype: Any = float) -> Any:
    """Ones at and below a diagonal."""
    return tril(ones((n, n if m is None else m), dtype), k)


def tril_indices(n: int, k: int = 0, m: Any = None) -> Tuple[Any, ...]:
    """Positions of a lower triangle."""
    return nonzero(tril(ones((n, n if m is None else m)), k))


def triu_indices(n: int, k: int = 0, m: Any = None) -> Tuple[Any, ...]:
    """Positions of an upper triangle."""
    return nonzero(triu(ones((n, n if m is None else m)), k))


def tril_indices_from(arr: Any, k: int = 0) -> Tuple[Any, ...]:
    """`tril_indices` of an array's shape."""
    return tril_indices(arr.shape[0], k, arr.shape[1])


def triu_indices_from(arr: Any, k: int = 0) -> Tuple[Any, ...]:
    """`triu_indices` of an array's shape."""
    return triu_indices(arr.shape[0], k, arr.shape[1])


def indices(dimensions: Any) -> Any:
    """The index of each position along each axis."""
    return stack(meshgrid(*map(arange, dimensions), indexing="ij"))


class _Grid:
    """`mgrid[0:4, 0:8]`: whole-number steps only."""

    def __getitem__(self, key: Any) -> Any:
        """Positions of the slices along each axis, all of the same shape."""
        if isinstance(key, slice):
            return _along(key)
        return stack(meshgrid(*map(_along, key), indexing="ij"))


def _along(part: slice) -> Any:
    return arange(part.start or 0, part.stop, 1 if part.step is None else part.step)


mgrid = _Grid()


def append(arr: Any, values: Any, axis: Any = None) -> Any:
    """Values after those of an array, flattened without an axis."""
    if axis is None:
        return concatenate([asarray(arr).reshape(-1), asarray(values).reshape(-1)])
    return concatenate([asarray(arr), asarray(values)], axis)


def column_stack(tup: Any) -> Any:
    """Columns side by side; one axis is a column."""
    return concatenate([each if each.ndim > 1 else each.reshape(-1, 1) for each in map(asarray, tup)], 1)


def put_along_axis(arr: Any, indices: Any, values: Any, axis: int) -> None:
    """Writes what `take_along_axis` would read."""
    chosen = asarray(indices)
    axis %= arr.ndim
    grid = [arange(extent).reshape([-1 if at == k else 1 for at in range(arr.ndim)]) for k, extent in enumerate(chosen.shape)]
    arr[tuple(chosen if k == axis else each for k, each in enumerate(grid))] = values
