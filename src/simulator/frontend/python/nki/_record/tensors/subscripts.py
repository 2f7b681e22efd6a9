"""`tensor[key]` beyond the plain two-slice case: ints, None and steps, and the legacy dialect's index expressions.

An index expression may leave its tensor as long as a mask keeps it inside: that is a `PendingTensor` until then.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

from ..vocabulary.context import context
from ..vocabulary.dtypes import Dtype
from ..vocabulary.errors import NkiUnsupportedError, NkiValidationError
from ..vocabulary.register import VirtualRegister
from ..vocabulary.scalar import NkiScalar
from . import index_parts, views
from .index import Box, Index, Mask, arange, axes, box_of
from .memory import Layout
from .tensor import Tensor, runtime_value

Ints = Tuple[int, ...]


class PendingTensor(Tensor):
    """A view by index expressions that leave the tensor: usable only with a mask that keeps them inside."""

    __slots__ = ("_whole", "_terms")

    def __init__(self, whole: Tensor, terms: Sequence[Tuple[Index, int, int]]) -> None:
        """`terms`: (expression over the view's positions, extent of the axis it indexes, that axis)."""
        self._storage = whole._storage
        self.offset = whole.offset
        self._whole = whole
        self._terms = tuple(terms)

    @property
    def _layout(self) -> Layout:  # type: ignore[override]
        """Raises: whoever asks has no mask."""
        raise _out_of_range(self._terms, "mask it: mask=(index < size)")

    @property
    def shape(self) -> Ints:
        """Extents, before the mask."""
        return self._whole.shape

    @property
    def strides(self) -> Ints:
        """Strides, before the mask."""
        return self._whole.strides

    @property
    def dtype(self) -> Dtype:
        """Data type."""
        return self._whole.dtype

    def _trimmed(self, starts: Sequence[int], counts: Sequence[int]) -> Tensor:
        """The part a mask leaves. IndexError when that still leaves the tensor."""
        box = Box(tuple(starts), tuple(counts), ())
        inside = [(_over(term, box), extent, axis) for term, extent, axis in self._terms]
        outside = [entry for entry in inside if not _inside(*entry[:2])]
        if outside:
            raise _out_of_range(outside, "the mask does not keep it inside")
        return self._whole._trimmed(starts, counts)


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


def subscript(tensor: Tensor, key: Any) -> Tensor:
    """The view that a subscript names. IndexError and NkiValidationError say what does not fit."""
    if key is True:  # a condition on all positions, where the mask has none of their expressions
        return tensor
    if isinstance(key, Mask):
        return _masked(tensor, key)
    layout = tensor._layout
    shared = None
    if type(key) is tuple and len(key) == layout.ndim:
        shared, starts = _form(layout, key) or (None, ())
        form = _forms.get(shared)
        view = None if form is None else _by_known_form(tensor, form, starts)
        if view is not None:
            return view
    entries = views.expand_key(key, layout.ndim)
    if any(isinstance(entry, index_parts.Part) for entry in entries):
        tensor, entries = index_parts.joined(tensor, entries)
        layout = tensor._layout
    view = _new_view(tensor, layout, entries)
    if shared is not None and type(view) is Tensor:
        _forms[shared] = _Form(view._layout, layout, key)
    return view


def _new_view(tensor: Tensor, layout: Layout, entries: List[Any]) -> Tensor:
    if any(isinstance(entry, Index) for entry in entries) or any(_is_block(entry) for entry in entries):
        if any(isinstance(entry, (Tensor, indirect.DynamicIndex)) for entry in entries):
            return indirect.by_expressions(tensor, entries)
        return by_expressions(tensor, entries)
    if any(_at_runtime(entry) for entry in entries):
        return _by_ranges(tensor, [_known(entry) for entry in entries])._at_runtime()
    try:
        return _by_ranges(tensor, entries)
    except IndexError:
        masked = _may_be_masked(layout, entries)
        if masked is None:
            raise
        return by_expressions(tensor, masked)


def _masked(tensor: Tensor, mask: Mask) -> Tensor:
    """Legacy: `tile[index][mask]`, the part of a view that a mask leaves."""
    box = box_of(mask, tensor.shape)
    if box.empty or box.rest:
        raise NkiUnsupportedError("a tensor indexed with a mask needs one that leaves a box of it, in this version of NKI Scope")
    return tensor._trimmed(box.starts, box.counts)


def _may_be_masked(layout: Layout, entries: Sequence[Any]) -> Optional[List[Any]]:
    """Legacy: slices that end beyond their axis, as the index expressions they stand for; a mask may keep them inside."""
    if context.dialect != "neuronxcc" or any(entry is None for entry in entries):
        return None
    slices = [entry for entry in entries if isinstance(entry, slice)]
    places = iter(range(len(slices)))
    return [
        _expression(entry, extent, next(places), len(slices)) if isinstance(entry, slice) else entry
        for entry, extent in zip(entries, layout.shape)
    ]


def _expression(entry: slice, extent: int, place: int, places: int) -> Index:
    """`start:stop:step` as an expression over one of so many positions."""
    start, stop, step = entry.start or 0, extent if entry.stop is None else entry.stop, entry.step or 1
    along = arange(start, stop, step)
    shape, coefficients = [1] * places, [0] * places
    shape[place], coefficients[place] = along.shape[0], along.coefficients[0]
    return Index(axes(tuple(shape), tuple(coefficients)), along.constant)


def _is_block(entry: Any) -> bool:
    """Indices for many rows, or an expression with a value from SBUF."""
    return isinstance(entry, indirect.DynamicIndex) or (isinstance(entry, Tensor) and entry.size != 1)


#: Positions that the machine computes.
_RUNTIME = (VirtualRegister, NkiScalar, Tensor)


def _at_runtime(entry: Any) -> bool:
    if isinstance(entry, slice):
        return isinstance(entry.start, _RUNTIME) or isinstance(entry.stop, _RUNTIME)
    return isinstance(entry, _RUNTIME)


def _known(entry: Any) -> Any:
    """Positions that registers and tensors of one element hold, as integers."""
    if isinstance(entry, slice):
        return slice(_known(entry.start), _known(entry.stop), entry.step)
    return runtime_value(entry) if isinstance(entry, _RUNTIME) else entry


def _by_ranges(tensor: Tensor, entries: Sequence[Any]) -> Tensor:
    """Ints, slices and None. On chip the result keeps its partition axis and at least 2 axes; in HBM at least 1."""
    layout = tensor._layout
    on_chip = layout.space != "hbm"
    shape: List[int] = []
    strides: List[int] = []
    offset, axis, partition, dropped = tensor.offset, 0, -1, False
    for entry in entries:
        if entry is None:
            shape.append(1)
            strides.append(1)
            continue
        moved, count, stride = views.take(layout.shape[axis], layout.strides[axis], entry, axis)
        offset += moved
        if axis == layout.partition_axis:
            partition = len(shape)
        if isinstance(entry, slice) or axis == layout.partition_axis:
            shape.append(count)
            strides.append(stride)
        else:
            dropped = True
        axis += 1
    while dropped and len(shape) < (2 if on_chip else 1):
        shape.append(1)
        strides.append(1)
    return tensor._with(shape, strides, partition, offset)


class _Form:
    """Expressions, slices and integers over a layout, where they begin aside: all that a loop's iterations share."""

    __slots__ = ("layout", "axes")

    def __init__(self, view: Layout, source: Layout, entries: Sequence[Any]) -> None:
        self.layout = view
        #: (lowest and highest position of what begins at 0, extent, stride) of each axis.
        self.axes = [(*_span(entry, extent), extent, stride) for entry, extent, stride in zip(entries, source.shape, source.strides)]


_forms: Dict[Tuple[Any, ...], _Form] = {}

_STEPS = (type(None), int)


def _span(entry: Any, extent: int) -> Tuple[int, int]:
    if isinstance(entry, Index):
        return entry.axes.low, entry.axes.high
    if isinstance(entry, slice):
        return 0, (extent if entry.stop is None else entry.stop) - (entry.start or 0) - 1
    return 0, 0


def _form(layout: Layout, key: Sequence[Any]) -> Optional[Tuple[Tuple[Any, ...], List[int]]]:
    """(what the entries share with those of other iterations, where each begins); None when one has no form."""
    parts: List[Any] = [layout]
    starts: List[int] = []
    for entry, extent in zip(key, layout.shape):
        kind = type(entry)
        if kind is Index:
            parts.append(entry.axes)
            starts.append(entry.constant)
        elif kind is int:
            parts.append(None)
            starts.append(entry)
        elif kind is slice:
            start, stop = entry.start, entry.stop
            start = 0 if start is None else start
            stop = extent if stop is None else stop
            if type(start) is not int or type(stop) is not int or not 0 <= start < stop or type(entry.step) not in _STEPS:
                return None
            parts.append((stop - start, entry.step))
            starts.append(start)
        else:
            return None
    return tuple(parts), starts


def _by_known_form(tensor: Tensor, form: _Form, starts: Sequence[int]) -> Optional[Tensor]:
    """The view when all of it lies inside; None otherwise."""
    offset = tensor.offset
    for start, (low, high, extent, stride) in zip(starts, form.axes):
        if start + low < 0 or start + high >= extent:
            return None
        offset += start * stride
    return Tensor(tensor._storage, form.layout, offset)


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


from . import indirect  # noqa: E402 - it needs by_expressions
