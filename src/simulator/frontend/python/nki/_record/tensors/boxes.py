"""A mask over a shape as a box of positions, and the terms that a box cannot say."""

from __future__ import annotations

from typing import List, Sequence, Tuple

from .index import Index, Mask
from .index_axes import axes

Ints = Tuple[int, ...]


class Box:
    """A mask over a shape: the box of positions it leaves, and the terms that a box cannot say."""

    __slots__ = ("starts", "counts", "rest")

    def __init__(self, starts: Ints, counts: Ints, rest: Tuple[Index, ...]) -> None:
        """Corner and extents in positions; `rest` over the box."""
        self.starts = starts
        self.counts = counts
        #: Terms over positions counted from the box's corner.
        self.rest = rest

    @property
    def empty(self) -> bool:
        """True when no position is left."""
        return 0 in self.counts


def box_of(mask: Mask, shape: Sequence[int]) -> Box:
    """Splits a mask over `shape`. Terms of one position trim the box; others that still cut it stay as they are."""
    low = [0] * len(shape)
    high = [extent - 1 for extent in shape]
    rest: List[Index] = []
    empty = False
    for term in mask.terms:
        if len(term.shape) > len(shape):
            raise ValueError(f"the mask has {len(term.shape)} axes, the tile only {len(shape)}")
        term = term.widened(shape)
        used = [axis for axis, factor in enumerate(term.coefficients) if factor]
        if not used:
            empty = empty or term.constant < 0
        elif len(used) == 1:
            _trim(term.coefficients[used[0]], term.constant, used[0], low, high)
        else:
            rest.append(term)
    counts = tuple(0 if empty else max(0, last - first + 1) for first, last in zip(low, high))
    moved = [_moved(term, low, counts) for term in rest]
    return Box(tuple(low), counts, tuple(term for term in moved if 0 not in counts and term.bounds()[0] < 0))


def _trim(factor: int, constant: int, axis: int, low: List[int], high: List[int]) -> None:
    """factor * i + constant >= 0 along one axis."""
    if factor > 0:
        low[axis] = max(low[axis], -(constant // factor))
    else:
        high[axis] = min(high[axis], constant // -factor)


def _moved(term: Index, starts: Sequence[int], counts: Ints) -> Index:
    """The term over the box: positions counted from its corner."""
    shift = sum(factor * start for factor, start in zip(term.coefficients, starts))
    return Index(axes(counts, term.coefficients), term.constant + shift)
