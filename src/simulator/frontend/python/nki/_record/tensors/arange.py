"""What makes index expressions: `nl.arange`, `nl.mgrid`."""

from __future__ import annotations

from operator import index as as_index
from typing import Any, Union

from .index import Index
from .index_axes import axes


def arange(*args: Any) -> Index:
    """`arange(stop)` or `arange(start, stop[, step])`: one axis of consecutive integers."""
    if not 1 <= len(args) <= 3:
        raise TypeError(f"arange takes 1 to 3 arguments, not {len(args)}")
    numbers = [as_index(arg) for arg in args]
    start, stop, step = (0, numbers[0], 1) if len(numbers) == 1 else (numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else 1)
    if step < 1 or stop <= start:
        raise ValueError(f"arange({', '.join(map(str, numbers))}) has no elements")
    return Index(axes(((stop - start + step - 1) // step,), (step,)), start)


class Grid(tuple):
    """What `nl.mgrid[...]` gives: one Index per axis; `.p` is the first, `.x`, `.y`, `.z`, `.w` the free ones."""

    def __getattr__(self, name: str) -> Index:
        """An axis by its letter."""
        position = "pxyzw".find(name) if len(name) == 1 else -1
        if not 0 <= position < len(self):
            raise AttributeError(f"this mgrid has no axis {name!r}: it has {', '.join('pxyzw'[: len(self)])}")
        return self[position]


class MGrid:
    """`nl.mgrid[0:a, 0:b]`: index expressions of a dense grid."""

    def __getitem__(self, key: Any) -> Grid:
        """One slice per axis."""
        ranges = [_range(entry) for entry in (key if isinstance(key, tuple) else (key,))]
        shape = tuple(item.shape[0] for item in ranges)
        return Grid(
            Index(axes(shape, tuple(item.coefficients[0] if k == axis else 0 for k in range(len(shape)))), item.constant)
            for axis, item in enumerate(ranges)
        )


def _range(key: Union[slice, Any]) -> Index:
    if not isinstance(key, slice) or key.stop is None:
        raise TypeError("mgrid takes slices: nl.mgrid[0:128, 0:512]")
    return arange(key.start or 0, key.stop, key.step or 1)
