"""`tensor[key]` beyond the plain two-slice case: ints, None and steps, and the legacy dialect's index expressions.

Views by index expressions are `expressions.py`'s, those with indices in SBUF `indirect.py`'s.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

from ..vocabulary.context import context
from ..vocabulary.register import VirtualRegister
from ..vocabulary.scalar import NkiScalar
from . import expressions, index_parts, indirect, views
from .arange import arange
from .index import DynamicIndex, Index, Mask, Part
from .index_axes import axes
from .memory import Layout
from .tensor import Tensor, check_offset, runtime_value

Ints = Tuple[int, ...]


def subscript(tensor: Tensor, key: Any) -> Tensor:
    """The view that a subscript names. IndexError and NkiValidationError say what does not fit."""
    if key is True:  # a condition on all positions, where the mask has none of their expressions
        return tensor
    if isinstance(key, Mask):
        return expressions.masked(tensor, key)
    layout = tensor._layout
    shared = None
    if type(key) is tuple and len(key) == layout.ndim:
        shared, starts = _form(layout, key) or (None, ())
        form = _forms.get(shared)
        view = None if form is None else _by_known_form(tensor, form, starts)
        if view is not None:
            return view
    if layout.padded and type(key) is tuple and _fits_without_padding(layout, key):
        layout = layout.without_padding()
        tensor = tensor._at(layout, tensor.offset)
    entries = views.expand_key(key, layout.ndim)
    if any(isinstance(entry, Part) for entry in entries):
        tensor, entries = index_parts.joined(tensor, entries)
        layout = tensor._layout
    view = _new_view(tensor, layout, entries)
    if shared is not None and type(view) is type(tensor):
        _forms[shared] = _Form(view._layout, layout, key)
    return view


def _fits_without_padding(layout: Layout, key: Tuple[Any, ...]) -> bool:
    """New axes take the place of those that integers have dropped, as in `tile[:, 3][:, None]`."""
    new = sum(entry is None for entry in key)
    return new > 0 and len(key) - new <= layout.ndim - layout.padded


def _new_view(tensor: Tensor, layout: Layout, entries: List[Any]) -> Tensor:
    if any(isinstance(entry, Index) for entry in entries) or any(_is_block(entry) for entry in entries):
        if any(isinstance(entry, (Tensor, DynamicIndex)) for entry in entries):
            return indirect.by_expressions(tensor, entries)
        return expressions.by_expressions(tensor, entries)
    if any(_at_runtime(entry) for entry in entries):
        positions = (entry.start if isinstance(entry, slice) else entry for entry in entries)
        where = next((entry for entry in positions if isinstance(entry, Tensor)), None)
        return _by_ranges(tensor, [_known(tensor, entry) for entry in entries])._at_runtime(where)
    try:
        return _by_ranges(tensor, entries)
    except IndexError:
        masked = _may_be_masked(layout, entries)
        if masked is None:
            raise
        return expressions.by_expressions(tensor, masked)


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
    return isinstance(entry, DynamicIndex) or (isinstance(entry, Tensor) and entry.size != 1)


#: Positions that the machine computes.
_RUNTIME = (VirtualRegister, NkiScalar, Tensor)


def _at_runtime(entry: Any) -> bool:
    if isinstance(entry, slice):
        return isinstance(entry.start, _RUNTIME) or isinstance(entry.stop, _RUNTIME)
    return isinstance(entry, _RUNTIME)


def _known(tensor: Tensor, entry: Any) -> Any:
    """Positions that registers and tensors of one element hold, as integers."""
    if isinstance(entry, slice):
        return slice(_known(tensor, entry.start), _known(tensor, entry.stop), entry.step)
    if not isinstance(entry, _RUNTIME):
        return entry
    check_offset(tensor, entry)
    return runtime_value(entry)


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
    view = tensor._with(shape, strides, partition, offset)
    least = 2 if on_chip else 1
    return view if not dropped or len(shape) >= least else view._at(view._layout.padded_to(least), view.offset)


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
    return tensor._at(form.layout, offset)
