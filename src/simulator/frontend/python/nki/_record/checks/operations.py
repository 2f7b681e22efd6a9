"""The operations that instructions of the ALUs accept, and the operands that these need: one function per semantics.

`choices` of the row lists the names for a single operation.
Source: aws-neuron-sdk nki/api/nki/isa/__init__.py, the page of each function; nki/api/nki.api.shared.rst "Supported Math Operators".
"""

from __future__ import annotations

from typing import Any, Callable, Dict

from ..tensors.memory import Layout
from ..vocabulary import table, versions
from ..vocabulary.context import context
from ..vocabulary.errors import NkiValidationError
from ..vocabulary.table import Row

Layouts = Dict[str, Layout]
Attributes = Dict[str, Any]

#: (op0, op1) that ScalarE computes before NeuronCore-v4 (tensor_scalar).
_ON_SCALAR = {("multiply", "add"), ("multiply", None), ("add", None)}
#: (op0, op1) of activate2; bypass has no effect.
_BEFORE_ACTIVATION = {
    ("multiply", "add"),
    ("multiply", "subtract"),
    ("multiply", "bypass"),
    ("add", "bypass"),
    ("subtract", "bypass"),
    ("bypass", "bypass"),
}


def _check_binary(row: Row, attributes: Attributes, *parameters: str) -> None:
    """Operations of two tiles."""
    for parameter in parameters:
        if attributes[parameter] in table.UNARY_OPS:
            raise NkiValidationError(f"{row.name}: {parameter}={attributes[parameter]} takes one operand; this is for operations of two")


def _check_operand(row: Row, layouts: Layouts, attributes: Attributes, number: int) -> None:
    """`operand0` belongs to `op0`, `operand1` to `op1`. It must be None or 0 if the operation uses the data only."""
    op, operand = attributes.get(f"op{number}"), f"operand{number}"
    given = operand in layouts or operand in attributes
    if op is None:
        if given:
            raise NkiValidationError(f"{row.name}: {operand} without op{number}; both or neither")
    elif op in table.UNARY_OPS:
        if op != "bypass" and (operand in layouts or attributes.get(operand)):
            raise NkiValidationError(f"{row.name}: op{number}={op} takes one operand; {operand} must be None or 0")
    elif not given:
        raise NkiValidationError(f"{row.name}: op{number}={op} needs {operand}")
    elif op in table.BIT_OPS:
        if attributes.get(operand, 0) % 1:
            raise NkiValidationError(f"{row.name}: op{number}={op} works on the bits of integers; {operand} is {attributes[operand]}")
    elif operand in layouts and row.semantics != "scalarTensorTensor" and context.dialect == "nki":
        if str(layouts[operand].dtype) != "float32":
            raise NkiValidationError(f"{row.name}: {operand} is {layouts[operand].dtype}; with op{number}={op} it takes float32")


_MAGNITUDE = "use nl.maximum (nl.minimum) of the tile and its negative"
#: Operations of tensor_scalar that take one operand, which VectorE has on some machines, and what to do on the others.
_UNARY = {
    "abs_max": _MAGNITUDE,
    "abs_min": _MAGNITUDE,
    "square": "use nisa.activation with op=nl.square, or multiply the tile by itself",
    "relu": "use op0=nl.maximum with operand0=0.0",
}
#: Axes of the tiles of tensor_scalar_reduce: partitions and three free ones.
_MOST_AXES = 4


def _check_unary(row: Row, attributes: Attributes, generation: str) -> None:
    for parameter in ("op0", "op1"):
        op = attributes.get(parameter)
        if op in _UNARY and not table.has(generation, "tensorScalarUnaryOperations") and context.dialect == "nki":
            having = table.targets_with("tensorScalarUnaryOperations")
            where = f"{parameter}={op} is not available on NeuronCore-{generation} (it is on {having})"
            raise NkiValidationError(f"{row.name}: {where}: {_UNARY[op]}")


def _tensor_scalar(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    op0, op1, engine = attributes["op0"], attributes.get("op1"), attributes.get("engine")
    _check_unary(row, attributes, generation)
    bits = [op in table.BIT_OPS for op in (op0, op1) if op]
    if any(bits) and not all(bits):
        raise NkiValidationError(f"{row.name}: op0={op0} and op1={op1}: both must work on bits, or both be arithmetic")
    for number in (0, 1):
        _check_operand(row, layouts, attributes, number)
    if any(bits):
        if engine in ("Scalar", "GpSimd"):
            raise NkiValidationError(f"{row.name}: {op0} works on bits, which the Vector engine alone does; this asks for {engine}")
        return
    if engine == "Scalar" and not table.has(generation, "scalarAllOperations") and (op0, op1) not in _ON_SCALAR:
        raise NkiValidationError(
            f"{row.name}: op0={op0}, op1={op1} on the Scalar engine; it computes multiply then add, multiply alone or add alone"
        )
    if engine == "GpSimd" and op0 != "rsqrt":
        raise NkiValidationError(f"{row.name}: op0={op0} on the GpSimd engine; it computes rsqrt only")


def _tensor_tensor(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    _check_binary(row, attributes, "op")
    if attributes["op"] == "power" or attributes.get("engine") == "GpSimd":
        for name, layout in layouts.items():
            if layout.space == "psum":
                raise NkiValidationError(f"{row.name}: {name} is in PSUM, which the GpSimd engine (op={attributes['op']}) does not reach")


def _scalar_tensor_tensor(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    _check_operand(row, layouts, attributes, 0)
    _check_binary(row, attributes, "op1")


def _scan(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    _check_binary(row, attributes, "op0", "op1")
    if "initial" not in layouts and "initial" not in attributes:
        raise NkiValidationError(f"{row.name}: initial takes a number or one value per partition")


def _tensor_scalar_reduce(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    _check_unary(row, attributes, generation)
    _check_operand(row, layouts, attributes, 0)
    if versions.is_at_least("0.6") and attributes["reduce_op"] == "subtract":
        raise NkiValidationError(f"{row.name}: reduce_op=subtract; it takes add or multiply or maximum or minimum")
    if versions.is_at_least("0.7"):  # its text: three free dimensions at most
        for name in ("dst", "data"):
            if layouts[name].ndim > _MOST_AXES:
                raise NkiValidationError(f"{row.name}: {name} has {layouts[name].ndim} axes; it takes {_MOST_AXES} at most")


def _activate2(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    pair = (attributes.get("op0", "bypass"), attributes.get("op1", "bypass"))
    if pair not in _BEFORE_ACTIVATION:
        known = "; ".join(", ".join(known) for known in sorted(_BEFORE_ACTIVATION))
        raise NkiValidationError(f"{row.name}: op0={pair[0]}, op1={pair[1]}; it computes {known}")
    for number, op in enumerate(pair):
        if op != "bypass" and f"imm{number}" not in layouts and f"imm{number}" not in attributes:
            raise NkiValidationError(f"{row.name}: op{number}={op} needs imm{number}")


def _reduce(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    op = {**row.fixed, **attributes}["op"]
    if attributes.get("negate") and op in table.BIT_OPS:
        raise NkiValidationError(f"{row.name}: negate is for arithmetic operations; {op} works on bits")


#: By semantics of the row.
CHECKS: Dict[str, Callable[[Row, Layouts, Attributes, str], None]] = {
    "activate2": _activate2,
    "reduce": _reduce,
    "scalarTensorTensor": _scalar_tensor_tensor,
    "scan": _scan,
    "tensorScalar": _tensor_scalar,
    "tensorScalarReduce": _tensor_scalar_reduce,
    "tensorTensor": _tensor_tensor,
}
