"""The rules a call must keep: memories, dtypes, partitions, matmul tiles, engines, generations. Each says limit and value.

Sources: the row's constraints; aws-neuron-sdk nki/api/nki/isa/__init__.py (nc_matmul, nc_transpose), nki/guides/architecture.
"""

from __future__ import annotations

from typing import Any, Dict, List, Sequence

from . import checks_movement, table, views
from .errors import NkiValidationError
from .memory import Layout
from .table import Operand, Row


def check(row: Row, layouts: Dict[str, Layout], attributes: Dict[str, Any], generation: str) -> None:
    """NkiValidationError for the first broken rule. `layouts`: operands present, dst included, after any mask."""
    _check_generation(row, generation)
    for operand in row.operands:
        if operand.name in layouts:
            _check_operand(row, operand, layouts[operand.name])
    _check_engine(row, attributes, generation)
    _check_descriptors(row, attributes, generation)
    _check_bits(row, layouts, attributes)
    special = _SPECIAL.get(row.semantics)
    if special:
        special(row, layouts, attributes)


def check_partitions(shape: Sequence[int], axis: int, what: str) -> None:
    """The partition axis of an on-chip tensor."""
    if shape and shape[axis] > table.PARTITIONS:
        raise NkiValidationError(
            f"{what} has {shape[axis]} partitions (axis {axis} of shape {tuple(shape)}): "
            f"on-chip memory has {table.PARTITIONS}, nl.tile_size.pmax"
        )


def _check_generation(row: Row, generation: str) -> None:
    if generation not in row.generations:
        having = [
            name for name, entry in table.LIMITS["targets"].items() if entry["generation"] in row.generations and name == entry["target"]
        ]
        raise NkiValidationError(f"{row.name} is not available on this target (NeuronCore-{generation}); it is on {', '.join(having)}")


def _check_operand(row: Row, operand: Operand, layout: Layout) -> None:
    if layout.space not in operand.spaces:
        raise NkiValidationError(
            f"{row.name}: {operand.name} is in {layout.space.upper()}; "
            f"it must be in {' or '.join(space.upper() for space in operand.spaces)}"
        )
    if operand.dtypes is not None and layout.dtype.kind not in operand.dtypes:
        raise NkiValidationError(f"{row.name}: {operand.name} is {layout.dtype}; it takes {' or '.join(operand.dtypes)} types")
    if layout.space == "hbm":
        return
    if layout.partition_axis != 0:
        raise NkiValidationError(
            f"{row.name}: {operand.name} of shape {layout.shape} has its partition axis at {layout.partition_axis}: "
            "index the axes before it first"
        )
    check_partitions(layout.shape, 0, f"{row.name}: {operand.name}")


def _check_descriptors(row: Row, attributes: Dict[str, Any], generation: str) -> None:
    if attributes.get("dge_mode") == "hwdge" and generation == "v2":
        raise NkiValidationError(
            f"{row.name}: dge_mode.hwdge is not available on NeuronCore-v2; descriptors by hardware begin with v3 (trn2)"
        )


def _check_engine(row: Row, attributes: Dict[str, Any], generation: str) -> None:
    engine = attributes.get("engine", "unknown")
    if engine != "unknown" and engine not in row.engines:
        raise NkiValidationError(f"{row.name} does not run on the {engine} engine; it runs on {', '.join(row.engines)}")
    having = row.engine_generations.get(engine)
    if having is not None and generation not in having:
        raise NkiValidationError(f"{row.name} runs on the {engine} engine of NeuronCore-{' and '.join(having)} only, not of {generation}")


def _check_bits(row: Row, layouts: Dict[str, Layout], attributes: Dict[str, Any]) -> None:
    """Bit operations read and write integers (nki.api.shared.rst "Supported Math Operators")."""
    values = {**row.fixed, **attributes}
    used = [values[name] for name in ("op", "op0", "op1", "reduce_op") if values.get(name) in table.BIT_OPS]
    if not used:
        return
    for name, layout in layouts.items():
        if layout.dtype.kind == "float":
            raise NkiValidationError(f"{row.name}: {used[0]} works on the bits of integers; {name} is {layout.dtype}")


def _check_matmul(row: Row, layouts: Dict[str, Layout], attributes: Dict[str, Any]) -> None:
    dst, stationary, moving = (layouts[name] for name in ("dst", "stationary", "moving"))
    _check_free(row, "stationary", stationary.shape[1:], table.STATIONARY_FREE, "gemm_stationary_fmax")
    _check_free(row, "moving", moving.shape[1:], table.MOVING_FREE, "gemm_moving_fmax")
    _check_bank(row, dst)
    wanted = (views.elements(stationary.shape[1:]), views.elements(moving.shape[1:]))
    if stationary.shape[0] != moving.shape[0]:
        raise NkiValidationError(
            f"{row.name}: stationary {stationary.shape} and moving {moving.shape} must have the same partition axis, the contraction K"
        )
    if (dst.shape[0], views.elements(dst.shape[1:])) != wanted:
        raise NkiValidationError(f"{row.name}: dst has shape {dst.shape}; stationary.T @ moving has {wanted}")


def _check_matmul2d(row: Row, layouts: Dict[str, Layout], attributes: Dict[str, Any]) -> None:
    x, y = layouts["x"], layouts["y"]
    _check_free(row, "x", x.shape[1:], table.STATIONARY_FREE, "gemm_stationary_fmax")
    _check_free(row, "y", y.shape[1:], table.MOVING_FREE, "gemm_moving_fmax")
    _check_bank(row, layouts["dst"])


def _check_free(row: Row, name: str, free: Sequence[int], limit: int, constant: str) -> None:
    size = views.elements(free)
    if size > limit:
        raise NkiValidationError(f"{row.name}: {name} has {size} free elements; the most is {limit}, nl.tile_size.{constant}")


def _check_bank(row: Row, dst: Layout) -> None:
    size = views.elements(dst.shape[1:]) * dst.dtype.itemsize
    if size > table.PSUM_BANK_BYTES:
        raise NkiValidationError(
            f"{row.name}: dst {list(dst.shape)} {dst.dtype} takes {size} bytes of every partition; a PSUM bank has {table.PSUM_BANK_BYTES}"
        )


def _check_transpose(row: Row, layouts: Dict[str, Layout], attributes: Dict[str, Any]) -> None:
    dst, source = (layouts[operand.name] for operand in row.operands)
    partitions, free = source.shape[0], views.elements(source.shape[1:])
    side = table.LIMITS["vectorTransposeSide"]
    if attributes.get("engine") == "Vector" and (partitions > side or free > side):
        raise NkiValidationError(f"{row.name}: the Vector engine transposes up to {side} x {side}; this tile is {partitions} x {free}")
    if free > table.PARTITIONS:
        raise NkiValidationError(f"{row.name}: {free} free elements become partitions; there are {table.PARTITIONS}")
    if (dst.shape[0], views.elements(dst.shape[1:])) != (free, partitions):
        raise NkiValidationError(f"{row.name}: dst has shape {dst.shape}; the transpose of {source.shape} has {(free, partitions)}")


_SPECIAL = {"matmul": _check_matmul, "matmul2d": _check_matmul2d, "transpose": _check_transpose, **checks_movement.CHECKS}


def agree(row: Row, name: str, layout: Layout, dst: Layout) -> List[Any]:
    """(shape, strides) with which an elementwise operand is recorded, or NkiValidationError when it does not fit `dst`.

    One value per partition stays [P, 1]; what broadcasts gets strides of 0; equal counts may be grouped into other axes.
    """
    shape, strides = layout.shape, layout.strides
    if shape == dst.shape:
        return [shape, strides]
    partitions = layout.space == "hbm" or dst.space == "hbm" or shape[0] == dst.shape[0]
    if partitions and views.elements(shape) == views.elements(dst.shape):
        return [shape, strides]
    if partitions and views.elements(shape[1:]) == 1:
        return [(shape[0], 1), (strides[0], 1)]
    try:
        if not partitions and shape[0] == 1 and row.name.startswith("nki.isa."):
            raise ValueError(f"it has {shape[0]} partition, dst {dst.shape[0]}: only nl functions broadcast partitions")
        return [dst.shape, views.broadcast(shape, strides, dst.shape)]
    except ValueError as error:
        raise NkiValidationError(f"{row.name}: {name} of shape {shape} does not fit dst of shape {dst.shape}: {error}") from None
