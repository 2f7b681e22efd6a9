"""Indexing: NumPy's keys as windows (start, step, axes) of the engine, and index arrays as gathers. No values here."""

from __future__ import annotations

import operator
from typing import Any, List, NamedTuple, Sequence, Tuple


class Window(NamedTuple):
    """A basic index of an array: `start`, `step` per axis of the array; `axes` and `shape` per axis of the result (-1: a new axis)."""

    start: List[int]
    step: List[int]
    axes: List[int]
    shape: Tuple[int, ...]


def is_array_key(item: Any) -> bool:
    """Whether the item selects by an array of indices or a mask."""
    return isinstance(item, list) or (hasattr(item, "shape") and getattr(item, "ndim", 0) > 0)


def expand(key: Any, ndim: int) -> List[Any]:
    """The key as a list that names every axis: the ellipsis and what is left out become full slices.

    Raises:
        IndexError: too many indices.
    """
    items = list(key) if isinstance(key, tuple) else [key]
    used = sum(_axes_of(item) for item in items)
    if used > ndim:
        raise IndexError(f"too many indices for array: array is {ndim}-dimensional, but {used} were indexed")
    fill = [slice(None)] * (ndim - used)
    for place, item in enumerate(items):
        if item is Ellipsis:
            return items[:place] + fill + items[place + 1 :]
    return items + fill


def _axes_of(item: Any) -> int:
    if item is None or item is Ellipsis:
        return 0
    if is_array_key(item) and str(getattr(item, "dtype", "")) == "bool":
        return item.ndim
    return 1


def window(items: Sequence[Any], shape: Sequence[int]) -> Window:
    """The window of a basic key; index arrays among the items keep their whole axis.

    Raises:
        IndexError: an integer out of bounds, or a key that is none.
    """
    result = Window([], [], [], ())
    out: List[int] = []
    axis = 0
    for item in items:
        if item is None:
            result.axes.append(-1)
            out.append(1)
            continue
        start, step, count = _one(item, axis, shape[axis])
        result.start.append(start)
        result.step.append(step)
        if count is not None:
            result.axes.append(axis)
            out.append(count)
        axis += 1
    return result._replace(shape=tuple(out))


def _one(item: Any, axis: int, length: int) -> Tuple[int, int, Any]:
    if is_array_key(item):
        return 0, 1, length
    if isinstance(item, slice):
        start, stop, step = item.indices(length)
        return start, step, len(range(start, stop, step))
    try:
        place = operator.index(item)
    except TypeError:
        raise IndexError("only integers, slices (`:`), ellipsis (`...`), np.newaxis (`None`) and arrays are valid indices") from None
    if not -length <= place < length:
        raise IndexError(f"index {place} is out of bounds for axis {axis} with size {length}")
    return place % length, 1, None
