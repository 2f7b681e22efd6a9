"""The first call of a function with given layouts: makes a validated Plan from the arguments, and records the instruction.

The generated functions call this if no plan is known for their operand layouts and attributes, and for every masked call. `attributes.py`
converts attributes, `checks.py` checks the call, and `shapes.py` computes the shapes of results.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ..allocation.allocation import allocate, allocate_again
from ..checks import checks, movement
from ..program import locations, program
from ..program.program import Plan
from ..tensors import views, words
from ..tensors.memory import Layout, MemoryRegion, full_layout, region
from ..tensors.tensor import Tensor
from ..tensors.tile_grids import NkiGrid
from ..vocabulary import dtypes, versions
from ..vocabulary.context import context
from ..vocabulary.errors import NkiValidationError
from ..vocabulary.table import ROWS, Operand, Row
from . import accumulation, attributes, expansion, masking, preparations, shapes

Ints = Tuple[int, ...]

#: Rows whose inputs are as large as their outputs, unless their own check differs.
_FITTED = {"elementwise", "load", "none"}


class Result(NamedTuple):
    """A tile that a call allocates: layout as the user sees it."""

    shape: Ints
    dtype: dtypes.Dtype
    where: MemoryRegion


_plans: Dict[Tuple[Any, ...], Plan] = {}


def reset_plans() -> None:
    """Forgets validated calls: another target may have other rules."""
    _plans.clear()


class Entry:
    """The entry for later calls with the same layouts and attributes: the plan, and the tile that it allocates (layout None: none)."""

    __slots__ = ("id", "marks", "layout", "kind")

    def __init__(self, plan: Plan, tile: Optional[Tensor]) -> None:
        """`tile`: what the call returned, if it allocates."""
        self.id = plan.id
        self.marks = plan.marks
        self.layout = tile._layout if tile is not None else None
        self.kind = tile._storage.kind if tile is not None else None


def record(row: Row, frame: FrameType, arguments: Dict[str, Any]) -> Tuple[Optional[Entry], Optional[Tensor]]:
    """Validates and records one call; returns its entry (None with a mask: it holds for this call only) and its result tile.

    `arguments`: by parameter name, with `dst` only when the user gave it.
    """
    unique = preparations.prepare(row, arguments) | words.settle(row, arguments)
    if row.shape == "given" and "dst" not in arguments:
        tiles = expansion.in_tiles(record_at, row, frame, arguments)
        if tiles is not None:
            return None, tiles
    made = expansion.stored_number(record, row, frame, arguments)
    mask = arguments.pop("mask", None)
    operands, values = _split(row, arguments)
    moved = expansion.moved_to_sbuf(record, row, frame, operands)
    row_index, iteration, site = locations.position(frame)
    tile = None
    if "dst" not in operands and shapes.defines_result(row):
        result = _result(row, operands, values, arguments)
        try:
            tile = allocate(result.shape, result.dtype, result.where, arguments.get("name") or site.name, row_index)
        except NkiValidationError as error:
            raise NkiValidationError(f"{row.name}: {error}") from None
        operands = {"dst": tile, **operands}
    try:
        masked = None
        if mask is not None and mask is not True:
            masked = masking.apply(row, operands, values, mask)
            if masked is None:
                program.state.left_out = -1 if tile is None else tile._storage.id
                return None, tile
            operands = masked.operands
        plan = _plan(row, operands, values, masked)
    except BaseException:
        if tile is not None:
            program.state.tensors.drop_last()
        raise
    accumulation.settle(plan, operands)
    program.put(plan, row_index, iteration, [number for name in plan.order for number in _numbers(operands[name])])
    if masked is not None or unique or moved or made:
        return None, tile
    return Entry(plan, tile), tile


def record_at(frame_row: int, row: Row, arguments: Dict[str, Any]) -> None:
    """An instruction that the line which runs now does not call, as if that row of the table of frames did."""
    operands, values = _split(row, arguments)
    plan = _plan(row, operands, values, None)
    accumulation.settle(plan, operands)
    program.put(plan, frame_row, -1, [number for name in plan.order for number in _numbers(operands[name])])


def call(name: str, **arguments: Any) -> Optional[Tensor]:
    """Records a row by its name with the arguments of today's dialect; the place is the nearest user frame. Its result, if it has one."""
    row = ROWS.get(name)
    if row is None:
        raise NkiValidationError(f"{name} is not in the instruction table")
    versions.check(name)
    return record(row, sys._getframe(1), arguments)[1]


def again(entry: Entry, name: str, frame: int) -> Tensor:
    """The result tile of a known call: same layout, new allocation."""
    assert entry.layout is not None and entry.kind is not None
    return allocate_again(entry.kind, entry.layout, name, frame)


def _numbers(tensor: Tensor) -> Tuple[int, int]:
    return tensor._storage.id, tensor.offset


def _split(row: Row, arguments: Dict[str, Any]) -> Tuple[Dict[str, Tensor], Dict[str, Any]]:
    """Tensors by operand name, in the table's order, and canonical attributes (None left out)."""
    operands: Dict[str, Tensor] = {}
    values: Dict[str, Any] = {}
    for operand in row.operands:
        value = arguments.get(operand.name)
        if isinstance(value, Tensor):
            operands[operand.name] = value
        elif operand.role != "scalar" and (value is not None or _is_missing(operand, arguments)):
            raise TypeError(f"{row.name}: {operand.name} takes a tensor, not {_describe(value)}")
    for name, kind in row.attributes.items():
        value = arguments.get(name)
        if isinstance(value, Tensor) and name not in operands:
            raise TypeError(f"{row.name}: {name} does not take a tensor")
        if value is not None and not isinstance(value, Tensor):
            value = attributes.canonical(kind, value, name)
            if value != []:
                values[name] = value
    if "axis" in values and row.attributes.get("axis") == "axes":
        data = next(operands[operand.name] for operand in row.operands if operand.role == "in")
        axes = attributes.free_axes(values["axis"], data.ndim)
        values["axis"] = attributes.last_axes(len(axes), data.ndim) if _counts_from_last(row) else axes
    return operands, values


def _counts_from_last(row: Row) -> bool:
    """True where axis 1 is the last one (nki.isa.tensor_reduce until NKI 0.2, SDK 2.28: "axis 1 (most-minor)")."""
    return _reduces_chosen_axes(row) and not versions.is_at_least("0.3")


def _reduces_chosen_axes(row: Row) -> bool:
    return row.name == "nki.isa.tensor_reduce" and context.dialect == "nki"


def _is_missing(operand: Operand, arguments: Dict[str, Any]) -> bool:
    """True for a required operand that was not given; a destination only where the dialect has a parameter for it."""
    return not operand.optional and (operand.name != "dst" or "dst" in arguments)


def _describe(value: Any) -> str:
    if isinstance(value, NkiGrid):
        return f"{type(value).__name__}: give its data"
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"an array of the host ({type(value).__name__}): pass it to the kernel as an argument"
    return repr(value) if value is None else f"{type(value).__name__} {value!r}"


def _result(row: Row, operands: Dict[str, Tensor], values: Dict[str, Any], arguments: Dict[str, Any]) -> Result:
    sizes = {name: tensor.shape for name, tensor in operands.items()}
    try:
        shape = shapes.result_shape(row, sizes, values)
    except ValueError as error:
        raise NkiValidationError(f"{row.name}: {error}") from None
    if row.shape in ("given", "pattern"):  # the shape as written: it may mark its partition axis
        shape = tuple(arguments["shape"])
    dtype = _result_dtype(row, operands, arguments, arguments.get("dtype") if "dtype" not in row.attributes else None)
    if dtype is dtypes.INT64:
        raise NkiValidationError(f"{row.name} makes no tensor of int64: allocate it with nl.ndarray, and fill it with nisa.memset")
    where = arguments.get("buffer")
    return Result(shape, dtype, region(where) if where is not None else _space(row, values))


def _space(row: Row, values: Dict[str, Any]) -> MemoryRegion:
    on_vector = row.semantics == "transpose" and values.get("engine") == "Vector"
    return region("sbuf" if on_vector else row.result_space)


def _result_dtype(row: Row, operands: Dict[str, Tensor], arguments: Dict[str, Any], wanted: Any) -> dtypes.Dtype:
    if wanted is not None:
        return dtypes.parse(wanted)
    if context.dialect in row.result_dtype:
        return dtypes.ALL[row.result_dtype[context.dialect]]
    inputs = [operand.name for operand in row.operands if operand.role in ("in", "scalar") and operand.name != "condition"]
    if row.semantics not in ("binary", "where"):  # numbers widen the result of NumPy-like functions only
        inputs = [name for name in inputs if name in operands]
    found = [_dtype_of(operands.get(name, arguments.get(name))) for name in inputs]
    promoted = dtypes.promote(dtype for dtype in found if dtype is not None)
    of_integers = row.integer_result_dtype.get(context.dialect) if promoted.kind == "int" else None
    return dtypes.ALL[of_integers] if of_integers else promoted


def _dtype_of(value: Any) -> Optional[dtypes.Dtype]:
    """Weakly typed numbers count as the widest type of the machine (nki.api.shared.rst "Weakly Typed Scalar Type Inference")."""
    if value is None:
        return None
    if hasattr(value, "dtype"):
        return dtypes.find(value.dtype) or dtypes.ALL["float32"]
    return dtypes.ALL["uint8" if isinstance(value, bool) else "int32" if isinstance(value, int) else "float32"]


# -- plans ------------------------------------------------------------------------------------------------------------


def _plan(row: Row, operands: Dict[str, Tensor], values: Dict[str, Any], masked: Optional[masking.Masked]) -> Plan:
    order = tuple(operand.name for operand in row.operands if operand.name in operands)
    layouts = {name: _recorded(row, operands[name]) for name in order}
    frozen = tuple(sorted((name, repr(value)) for name, value in values.items()))
    key = (row.name, order, tuple(layouts.values()), frozen, None if masked is None else masked.written)
    plan = None if masked is not None and masked.box.rest else _plans.get(key)
    if plan is None:
        checks.check(row, layouts, values, context.generation)
        _check_written(row, layouts, values)
        dynamic = [name for name, layout in layouts.items() if layout.dynamic]
        plan = Plan(row, {**values, "dynamic": dynamic} if dynamic else dict(values), _patterns(row, layouts))
        plan.order = order
        plan.marks = "dst" in layouts and layouts["dst"].space == "psum"
        if masked is not None:
            plan.box = masked.written
            plan.predicate = masking.predicate(masked.box, layouts["dst"].ndim)
        _plans[key] = plan
    return plan


def _check_written(row: Row, layouts: Dict[str, Layout], values: Dict[str, Any]) -> None:
    """A destination must have as many elements as the instruction produces."""
    if row.shape not in ("reduce", "partitionSum", "like", "perPartition"):
        return
    wanted = shapes.result_shape(row, {name: layout.shape for name, layout in layouts.items()}, values)
    dst = layouts["dst"].shape
    if dst[0] != wanted[0] or views.elements(dst) != views.elements(wanted):
        raise NkiValidationError(f"{row.name}: dst has shape {dst}; the result has {wanted}{_other_axes(row, layouts, values)}")


def _other_axes(row: Row, layouts: Dict[str, Layout], values: Dict[str, Any]) -> str:
    """For a kernel of NKI 0.1 or 0.2 that runs as a newer one: what its axes are now."""
    if not _reduces_chosen_axes(row):
        return ""
    axes, last = values["axis"], attributes.last_axes(len(values["axis"]), len(layouts["data"].shape))
    if axes == last:
        return ""
    axis = last[0] if len(last) == 1 else last
    return f". Until NKI 0.2 axis 1 was the last one: write axis={axis}, or run with {versions.chosen_by('0.2')}"


def _recorded(row: Row, tensor: Tensor) -> Layout:
    """Layout of an operand. A fill takes block tensors whole: its order of elements does not matter."""
    layout = tensor._layout
    if row.shape == "given" and layout.partition_axis > 0:
        return full_layout(tensor._storage.kind)
    return layout


def _patterns(row: Row, layouts: Dict[str, Layout]) -> List[Tuple[int, int, Sequence[int], Sequence[int]]]:
    """(slot, dtype code, strides, counts) of each operand."""
    patterns = []
    for operand in row.operands:
        layout = layouts.get(operand.name)
        if layout is None:
            continue
        shape, strides = layout.shape, layout.strides
        fits = "dst" in layouts and row.shape in _FITTED and row.semantics not in movement.CHECKS
        if operand.name != "dst" and fits and operand.role in ("in", "scalar"):
            shape, strides = _fitted(row, operand.name, layout, layouts["dst"])
        patterns.append((operand.slot, layout.dtype.code, strides, shape))
    return patterns


def _fitted(row: Row, name: str, layout: Layout, dst: Layout) -> Sequence[Any]:
    if row.shape == "elementwise":
        if row.semantics == "rmsNorm" and name == "w":
            return [layout.shape, layout.strides]
        return checks.agree(row, name, layout, dst)
    if views.elements(layout.shape) != views.elements(dst.shape):
        raise NkiValidationError(f"{row.name}: {name} of shape {layout.shape} and dst of shape {dst.shape} must have as many elements")
    if layout.space != "hbm" and dst.space != "hbm" and layout.shape[0] != dst.shape[0] and row.semantics != "copy":
        raise NkiValidationError(f"{row.name}: {name} has {layout.shape[0]} partitions, dst {dst.shape[0]}")
    return [layout.shape, layout.strides]
