"""The rules for all calls: memories, dtypes, partitions, engines, generations.

Each error message names limit and value. The rules are data of the row. `constraints.py` has the rules of single kinds of instructions,
`operations.py` those of their operations, `tensor_engine.py` those of TensorE.
"""

from __future__ import annotations

from typing import Any, Dict, List, Sequence

from ..tensors import views
from ..tensors.memory import Layout
from ..vocabulary import table
from ..vocabulary.context import context
from ..vocabulary.errors import NkiValidationError
from ..vocabulary.table import Operand, Row
from . import constraints, movement, operations, tensor_engine


def check(row: Row, layouts: Dict[str, Layout], attributes: Dict[str, Any], generation: str) -> None:
    """NkiValidationError for the first broken rule. `layouts`: operands present, dst included, after any mask."""
    _check_generation(row, generation)
    for operand in row.operands:
        if operand.name in layouts:
            _check_operand(row, operand, layouts[operand.name])
    _check_reduced(row, layouts)
    _check_engine(row, attributes, generation)
    _check_descriptors(row, attributes, generation)
    _check_priority(row, attributes, generation)
    _check_bits(row, layouts, attributes)
    _check_choices(row, attributes)
    for rules in (operations.CHECKS, tensor_engine.CHECKS, constraints.BY_SEMANTICS):
        if row.semantics in rules:
            rules[row.semantics](row, layouts, attributes, generation)
    moves = movement.CHECKS.get(row.semantics)
    if moves:
        moves(row, layouts, attributes)


def check_partitions(shape: Sequence[int], axis: int, what: str) -> None:
    """The partition axis of an on-chip tensor."""
    if shape and shape[axis] > table.PARTITIONS:
        raise NkiValidationError(
            f"{what} has {shape[axis]} partitions (axis {axis} of shape {tuple(shape)}): "
            f"on-chip memory has {table.PARTITIONS}, nl.tile_size.pmax"
        )


def _check_generation(row: Row, generation: str) -> None:
    if not table.in_set(generation, row.generations):
        having = table.targets_in(row.generations)
        raise NkiValidationError(f"{row.name} is not available on this target (NeuronCore-{generation}); it is on {having}")


def _check_operand(row: Row, operand: Operand, layout: Layout) -> None:
    if 0 in layout.shape:
        raise NkiValidationError(f"{row.name}: {operand.name} has no elements: its shape is {tuple(layout.shape)}")
    if layout.space not in operand.spaces:
        raise NkiValidationError(
            f"{row.name}: {operand.name} is in {layout.space.upper()}; "
            f"it must be in {' or '.join(space.upper() for space in operand.spaces)}"
        )
    _check_dtype(row, operand, layout)
    if layout.space == "hbm":
        return
    _check_extent(row, operand, views.elements(layout.shape[1:]))
    if layout.partition_axis != 0:
        raise NkiValidationError(
            f"{row.name}: {operand.name} of shape {layout.shape} has its partition axis at {layout.partition_axis}: "
            "index the axes before it first"
        )
    check_partitions(layout.shape, 0, f"{row.name}: {operand.name}")


def _check_reduced(row: Row, layouts: Dict[str, Layout]) -> None:
    """Reductions in an engine's registers have one value for each partition of `dst`."""
    reduced = layouts.get("reduce_res")
    if reduced is not None and reduced.shape[0] != layouts["dst"].shape[0]:
        raise NkiValidationError(f"{row.name}: reduce_res has {reduced.shape[0]} partitions, dst {layouts['dst'].shape[0]}")


def _check_dtype(row: Row, operand: Operand, layout: Layout) -> None:
    if operand.dtypes is None:
        if layout.dtype.kind == "packed" and row.semantics not in _MOVES:
            raise NkiValidationError(f"{row.name}: {operand.name} is {layout.dtype}; packed elements only move, and feed nisa.nc_matmul_mx")
    elif layout.dtype.kind not in operand.dtypes and str(layout.dtype) not in operand.dtypes:
        raise NkiValidationError(f"{row.name}: {operand.name} is {layout.dtype}; it takes {' or '.join(operand.dtypes)}")


def _check_extent(row: Row, operand: Operand, elements: int) -> None:
    if operand.free is None:
        return
    least, most = operand.free[0], table.LIMITS[operand.free[1]] if isinstance(operand.free[1], str) else operand.free[1]
    if least <= elements <= most:
        return
    wanted = f"{least}" if least == most else f"from {least} to {most}"
    raise NkiValidationError(f"{row.name}: {operand.name} has {elements} elements per partition; it takes {wanted}")


def _check_choices(row: Row, attributes: Dict[str, Any]) -> None:
    for name, known in row.choices.items():
        if name in attributes and attributes[name] not in known:
            raise NkiValidationError(f"{row.name}: {name}={attributes[name]}; it takes {' or '.join(known)}")


#: Least priority of a DMA; 0 is the highest.
_LEAST_PRIORITY = 3


def _check_priority(row: Row, attributes: Dict[str, Any], generation: str) -> None:
    priority = attributes.get("priority")
    if priority is None:
        return
    if not table.has(generation, "dmaPriority"):
        having = table.targets_with("dmaPriority")
        raise NkiValidationError(f"{row.name}: priority is not available on NeuronCore-{generation}; it is on {having}")
    if not 0 <= priority <= _LEAST_PRIORITY:
        raise NkiValidationError(f"{row.name}: priority must be 0 to {_LEAST_PRIORITY}, not {priority}")


def _check_descriptors(row: Row, attributes: Dict[str, Any], generation: str) -> None:
    if attributes.get("dge_mode") == "hwdge" and not table.has(generation, "hardwareDescriptors"):
        having = table.targets_with("hardwareDescriptors")
        raise NkiValidationError(f"{row.name}: dge_mode.hwdge is not available on NeuronCore-{generation}; it is on {having}")


def _check_engine(row: Row, attributes: Dict[str, Any], generation: str) -> None:
    engine = attributes.get("engine", "unknown")
    if engine != "unknown" and engine not in row.engines:
        raise NkiValidationError(f"{row.name} does not run on the {engine} engine; it runs on {', '.join(row.engines)}")
    having = row.engine_generations.get(engine)
    if having is not None and not table.in_set(generation, having):
        others = " and ".join(name for name in table.MACHINES if table.in_set(name, having))
        raise NkiValidationError(f"{row.name} runs on the {engine} engine of NeuronCore-{others} only, not of {generation}")


def _check_bits(row: Row, layouts: Dict[str, Layout], attributes: Dict[str, Any]) -> None:
    """Bit operations read and write integers (nki.api.shared.rst "Supported Math Operators")."""
    values = {**row.fixed, **attributes}
    used = [values[name] for name in ("op", "op0", "op1", "reduce_op") if values.get(name) in table.BIT_OPS]
    if not used:
        return
    for name, layout in layouts.items():
        if layout.dtype.kind == "float":
            raise NkiValidationError(f"{row.name}: {used[0]} works on the bits of integers; {name} is {layout.dtype}")


#: Semantics that move elements as they are.
_MOVES = {"copy", "fill"}


def _is_tile(row: Row, name: str) -> bool:
    """An operand that is read element by element: no number for a whole partition."""
    return any(operand.name == name and operand.role == "in" and operand.free is None for operand in row.operands)


def agree(row: Row, name: str, layout: Layout, dst: Layout) -> List[Any]:
    """(shape, strides) with which an elementwise operand is recorded. NkiValidationError if it does not fit `dst`.

    One value per partition stays [P, 1]; what broadcasts gets strides of 0; equal counts may be grouped into other axes.
    """
    shape, strides = layout.shape, layout.strides
    if shape == dst.shape:
        return [shape, strides]
    partitions = layout.space == "hbm" or dst.space == "hbm" or shape[0] == dst.shape[0]
    if partitions and views.elements(shape) == views.elements(dst.shape):
        return [shape, strides]
    if partitions and context.dialect == "nki" and row.name.startswith("nki.isa.") and _is_tile(row, name):
        raise NkiValidationError(
            f"{row.name}: {name} of shape {shape} does not fit dst of shape {dst.shape}: instructions take as many elements per partition; "
            f"repeat them with {name}.broadcast(dim, size)"
        )
    if partitions and views.elements(shape[1:]) == 1:
        return [(shape[0], 1), (strides[0], 1)]
    try:
        if not partitions and shape[0] == 1 and row.name.startswith("nki.isa."):
            raise ValueError(f"it has {shape[0]} partition, dst {dst.shape[0]}: only nl functions broadcast partitions")
        return [dst.shape, views.broadcast(shape, strides, dst.shape)]
    except ValueError as error:
        raise NkiValidationError(f"{row.name}: {name} of shape {shape} does not fit dst of shape {dst.shape}: {error}") from None
