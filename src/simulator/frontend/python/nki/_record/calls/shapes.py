"""Shape of a result, one function per `ShapeRule` of the table. Inputs are the operands as given, before any mask.

Shapes are tuples with the partition axis first. ValueError says what does not agree.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Sequence, Tuple

from ..tensors import views
from ..vocabulary import table
from ..vocabulary.table import Row

Ints = Tuple[int, ...]
Shapes = Dict[str, Ints]


def _elementwise(row: Row, shapes: Shapes, attributes: Dict[str, Any]) -> Ints:
    inputs = [shapes[operand.name] for operand in row.operands if operand.name in shapes and operand.role in ("in", "scalar")]
    largest = max(inputs, key=len, default=())
    # one value per partition goes with any number of free axes
    return views.broadcast_shapes([shape for shape in inputs if len(shape) == len(largest) or shape != (largest[0], 1)])


def _reduce(row: Row, shapes: Shapes, attributes: Dict[str, Any]) -> Ints:
    shape = _only_input(row, shapes)
    axes = attributes["axis"]
    if attributes.get("keepdims"):
        return tuple(1 if axis in axes else extent for axis, extent in enumerate(shape))
    kept = tuple(extent for axis, extent in enumerate(shape) if axis not in axes)
    return kept if len(kept) > 1 else (*kept, 1)


def _matmul(row: Row, shapes: Shapes, attributes: Dict[str, Any]) -> Ints:
    stationary, moving = shapes["stationary"], shapes["moving"]
    if stationary[0] != moving[0]:
        raise ValueError(f"stationary {stationary} and moving {moving} must have the same partition axis, the contraction K")
    first = 2 if attributes.get("perf_mode") == "double_row" else 1  # double rows stand before the free axes
    return (views.elements(stationary[first:]), *moving[first:])


def _matmul2d(row: Row, shapes: Shapes, attributes: Dict[str, Any]) -> Ints:
    x, y = shapes["x"], shapes["y"]
    contraction, rows = (x[0], x[1:]) if attributes.get("transpose_x") else (views.elements(x[1:]), (x[0],))
    if contraction != y[0]:
        side = "its partition axis (transpose_x=True)" if attributes.get("transpose_x") else "its free axis"
        raise ValueError(f"x {x} contracts over {side}, {contraction}, y {y} over its partition axis, {y[0]}")
    return (views.elements(rows), *y[1:])


def _transpose(row: Row, shapes: Shapes, attributes: Dict[str, Any]) -> Ints:
    shape = _only_input(row, shapes)
    return (views.elements(shape[1:]), shape[0])


def _given(row: Row, shapes: Shapes, attributes: Dict[str, Any]) -> Ints:
    return tuple(attributes["shape"])


def _indices(row: Row, shapes: Shapes, attributes: Dict[str, Any]) -> Ints:
    return shapes["indices"]


def _dma_transpose(row: Row, shapes: Shapes, attributes: Dict[str, Any]) -> Ints:
    shape = shapes["src"]
    return (shape[-1], *shape[1:-1], shape[0])


def _local_gather(row: Row, shapes: Shapes, attributes: Dict[str, Any]) -> Ints:
    index, group = shapes["index"], table.LIMITS["gpsimdPartitions"]
    columns = views.elements(index[1:])
    valid, run = attributes["num_valid_indices"], attributes["num_elem_per_idx"]
    if valid == columns * group:
        return (index[0], columns, group, run)
    return (index[0], valid, run)


def _bounds(row: Row, shapes: Shapes, attributes: Dict[str, Any]) -> Ints:
    ids = shapes["segment_ids"]
    return (ids[0], 2, views.elements(ids[1:]))


def _partition_sum(row: Row, shapes: Shapes, attributes: Dict[str, Any]) -> Ints:
    return (1, *_only_input(row, shapes)[1:])


def _like(row: Row, shapes: Shapes, attributes: Dict[str, Any]) -> Ints:
    return _only_input(row, shapes)


def _per_partition(row: Row, shapes: Shapes, attributes: Dict[str, Any]) -> Ints:
    dst = next(operand for operand in row.operands if operand.name == "dst")
    assert dst.free is not None
    return (_only_input(row, shapes)[0], dst.free[0])


def _only_input(row: Row, shapes: Shapes) -> Ints:
    return next(shapes[operand.name] for operand in row.operands if operand.role == "in" and operand.name in shapes)


def _load(row: Row, shapes: Shapes, attributes: Dict[str, Any]) -> Ints:
    """A vector becomes one value per partition."""
    shape = _only_input(row, shapes)
    return (*shape, 1) if len(shape) == 1 else shape


_RULES: Dict[str, Callable[[Row, Shapes, Dict[str, Any]], Ints]] = {
    "elementwise": _elementwise,
    "reduce": _reduce,
    "matmul": _matmul,
    "matmul2d": _matmul2d,
    "transpose": _transpose,
    "load": _load,
    "like": _like,
    "perPartition": _per_partition,
    "given": _given,
    "pattern": _given,
    "indices": _indices,
    "dmaTranspose": _dma_transpose,
    "localGather": _local_gather,
    "bounds": _bounds,
    "partitionSum": _partition_sum,
}


def result_shape(row: Row, shapes: Shapes, attributes: Dict[str, Any]) -> Ints:
    """Shape of the tile the call makes; `shapes` by operand name, tensors only."""
    return _RULES[row.shape](row, shapes, attributes)


def trim_pattern(values: Dict[str, Any], starts: Sequence[int], counts: Sequence[int]) -> None:
    """An affine pattern over the box of a mask: it begins at the box's corner."""
    steps = [values.get("channel_multiplier", 0), *(step for step, _ in values["pattern"])]
    values["offset"] = values.get("offset", 0) + sum(step * start for step, start in zip(steps, starts))
    values["pattern"] = [[step, count] for step, count in zip(steps[1:], counts[1:])]


def defines_result(row: Row) -> bool:
    """False for rows that only write operands they were given."""
    return row.shape in _RULES


def same_elements(a: Sequence[int], b: Sequence[int]) -> bool:
    """True when both have as many elements: axes may be grouped otherwise."""
    return views.elements(a) == views.elements(b)
