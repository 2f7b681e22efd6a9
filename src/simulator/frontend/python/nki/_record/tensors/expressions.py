"""Views by the legacy dialect's index expressions, and by masks.

An index expression may leave its tensor as long as a mask or further slices keep it inside: that is a `PendingTensor` until then.
"""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple

from ..vocabulary.errors import NkiUnsupportedError, NkiValidationError
from . import views
from .boxes import Box, box_of
from .derived import DerivedTensor
from .index import Index, Mask
from .index_axes import axes
from .memory import Layout
from .tensor import Tensor

Ints = Tuple[int, ...]


class PendingTensor(DerivedTensor):
    """A view by index expressions that leave the tensor: usable only with a mask or slices that keep them inside."""

    __slots__ = ("_terms",)

    def __init__(self, whole: Tensor, terms: Sequence[Tuple[Index, int, int]]) -> None:
        """`terms`: (expression over the view's positions, extent of the axis it indexes, that axis)."""
        super().__init__(whole)
        self._terms = tuple(terms)

    def _obstacle(self) -> Exception:
        """For callers without a mask."""
        return _out_of_range(self._terms, "mask it: mask=(index < size)")

    def __getitem__(self, key: Any) -> Tensor:
        """What a mask leaves of it, or slices."""
        if key is Ellipsis or key is True:
            return self
        if isinstance(key, Mask):
            return masked(self, key)
        part = _sliced(key, self.shape)
        if part is None or self._outside(*part):
            return super().__getitem__(key)
        return self.direct._trimmed(*part)

    def _trimmed(self, starts: Sequence[int], counts: Sequence[int]) -> Tensor:
        """The part a mask leaves. IndexError when that still leaves the tensor."""
        outside = self._outside(starts, counts)
        if outside:
            raise _out_of_range(outside, "the mask does not keep it inside")
        return self.direct._trimmed(starts, counts)

    def _outside(self, starts: Sequence[int], counts: Sequence[int]) -> List[Tuple[Index, int, int]]:
        """What of a part of it still leaves the tensor."""
        box = Box(tuple(starts), tuple(counts), ())
        terms = [(_over(term, box), extent, axis) for term, extent, axis in self._terms]
        return [entry for entry in terms if not _inside(*entry[:2])]


def _sliced(key: Any, shape: Sequence[int]) -> Optional[Tuple[Ints, Ints]]:
    """Starts and counts of a subscript that has a slice without a step for every axis, inside of them; None for any other."""
    keys = key if isinstance(key, tuple) else (key,)
    if len(keys) != len(shape) or not all(isinstance(one, slice) and one.step is None for one in keys):
        return None
    ranges = [(0 if one.start is None else one.start, extent if one.stop is None else one.stop) for one, extent in zip(keys, shape)]
    if not all(isinstance(low, int) and isinstance(high, int) for low, high in ranges):
        return None
    if not all(0 <= low < high <= extent for (low, high), extent in zip(ranges, shape)):
        return None
    return tuple(low for low, _ in ranges), tuple(high - low for low, high in ranges)


def _over(term: Index, box: Box) -> Index:
    lead = len(box.counts) - len(term.shape)
    starts, counts = box.starts[lead:], box.counts[lead:]
    shift = sum(factor * start for factor, start in zip(term.coefficients, starts))
    return Index(axes(tuple(counts), term.coefficients), term.constant + shift)


def _inside(term: Index, extent: int) -> bool:
    low, high = term.bounds()
    return low >= 0 and high < extent


def _out_of_range(terms: Sequence[Tuple[Index, int, int]], advice: str) -> IndexError:
    for term, extent, axis in terms:
        if not _inside(term, extent):
            low, high = term.bounds()
            return IndexError(f"index range {low}..{high} is out of bounds of axis {axis}, which has size {extent}; {advice}")
    return IndexError("index out of bounds")


def masked(tensor: Tensor, mask: Mask) -> Tensor:
    """Legacy: `tile[index][mask]`, the part of a view that a mask leaves."""
    box = box_of(mask, tensor.shape)
    if box.empty or box.rest:
        raise NkiUnsupportedError("a tensor indexed with a mask needs one that leaves a box of it, in this version of NKI Scope")
    return tensor._trimmed(box.starts, box.counts)


def by_expressions(tensor: Tensor, entries: Sequence[Any]) -> Tensor:
    """Legacy: every axis by an index expression or an int; the result's axes are the expressions' positions."""
    layout = tensor._layout
    if any(entry is None or isinstance(entry, slice) for entry in entries):
        raise IndexError("index expressions and slices do not mix: give every axis an nl.arange expression or an integer")
    terms = [
        entry if isinstance(entry, Index) else Index(axes((), ()), _checked(entry, layout, axis)) for axis, entry in enumerate(entries)
    ]
    terms, shape = _aligned(terms)
    wide = [term.widened(shape) for term in terms]
    strides = [sum(term.coefficients[k] * stride for term, stride in zip(wide, layout.strides)) for k in range(len(shape))]
    offset = tensor.offset + sum(term.constant * stride for term, stride in zip(wide, layout.strides))
    if layout.space != "hbm":
        if len(shape) == 1:
            raise NkiValidationError(
                "tiles have two axes at least: index them with nl.arange(n)[:, None] or a slice, not with nl.arange(n)"
            )
        _check_partition(wide, layout, shape)
    view = tensor._with(shape, strides, 0, offset)
    checked = [(term, layout.shape[axis], axis) for axis, term in enumerate(wide)]
    return view if all(_inside(*entry[:2]) for entry in checked) else PendingTensor(view, checked)


def _aligned(terms: List[Index]) -> Tuple[List[Index], Ints]:
    """Expressions over one shape. Where NumPy's rules have none, those of fewer axes stand at the front: the first walks partitions."""
    try:
        return terms, views.broadcast_shapes([term.shape for term in terms])
    except ValueError:
        most = max(term.ndim for term in terms)
        terms = [term[(slice(None),) * term.ndim + (None,) * (most - term.ndim)] if 0 < term.ndim < most else term for term in terms]
        return terms, views.broadcast_shapes([term.shape for term in terms])


def _checked(entry: Any, layout: Layout, axis: int) -> int:
    """A plain integer among index expressions, counted from the front."""
    return views.take(layout.shape[axis], 1, entry, axis)[0]


def _check_partition(terms: Sequence[Index], layout: Layout, shape: Ints) -> None:
    """On chip the first position walks partitions and nothing else does."""
    for axis, term in enumerate(terms):
        walks = [k for k, factor in enumerate(term.coefficients) if factor and shape[k] > 1]
        if axis == layout.partition_axis and any(k != 0 for k in walks):
            raise NkiValidationError("the partition axis must be indexed by the first position of the expression: nl.arange(n)[:, None]")
        if axis != layout.partition_axis and 0 in walks:
            raise NkiValidationError(f"the first position of the expression walks partitions: it cannot index free axis {axis} as well")
