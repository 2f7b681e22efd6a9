"""`mask=` of the legacy dialect: a call on the part of its operands that the mask selects, with one short function for each kind of shape.

A condition that is not a box of positions (such as a triangle) stays a predicate of the instruction, which elementwise rows support.
Source: aws-neuron-sdk nki/programming_model.rst "NKI Masking" (1db4d74e).
"""

from __future__ import annotations

from typing import Any, Callable, Dict, NamedTuple, Optional, Sequence, Tuple

from ..checks import movement
from ..tensors.boxes import Box, box_of
from ..tensors.index import Mask
from ..tensors.index_axes import Axes
from ..tensors.strided import NkiTensor
from ..tensors.tensor import Tensor
from ..vocabulary.errors import NkiUnsupportedError, NkiValidationError
from ..vocabulary.table import Row
from . import shapes

Operands = Dict[str, Tensor]
Corner = Tuple[Tuple[int, ...], Tuple[int, ...]]


class Masked(NamedTuple):
    """The part of a call that a mask selects: trimmed operands, the box of positions, and the part of `dst` that is written."""

    operands: Operands
    box: Box
    written: Corner


def is_mask(condition: Any) -> bool:
    """True for a comparison of indices."""
    return isinstance(condition, Mask)


def selecting(arguments: Dict[str, Any]) -> Dict[str, Any]:
    """`nl.where` with a condition of indices and a number as a call of `nisa.affine_select`, which takes such a predicate.

    FlashML-org/flashlib at efe7972 selects by `n0 + i_p < N` (grouped_update_kernel.py).
    """
    selected = {"pred": arguments["condition"], "on_true_tile": arguments["x"], "on_false_value": arguments["y"]}
    return {**selected, "dtype": arguments.get("dtype"), "mask": arguments.get("mask")}


def holds_everywhere(mask: Any, operands: Sequence[Any]) -> bool:
    """True for a mask that certainly selects all elements of such operands, as most masks do in all but the last iterations of a loop:
    every term holds over its own positions, and no tensor has more positions. Arguments that are no tensors have none."""
    if type(mask) is not Mask:
        return False
    for term in mask.terms:
        over = term.axes
        if term.constant + over.low < 0:
            return False
        for tensor in operands:
            if type(tensor) is NkiTensor:
                if not _covers(over, tensor._layout.shape):
                    return False
            elif isinstance(tensor, Tensor):
                return False
    return True


def _covers(over: Axes, shape: Sequence[int]) -> bool:
    if len(over.shape) > len(shape):
        return False
    for extent, factor, size in zip(reversed(over.shape), reversed(over.coefficients), reversed(shape)):
        if factor and size > extent:
            return False
    return True


def apply(row: Row, operands: Operands, values: Dict[str, Any], mask: Any) -> Optional[Masked]:
    """The masked call; None if the mask is empty."""
    if type(mask).__name__ in ("bool", "bool_"):
        if not mask:
            return None  # of any call, whatever its shape
        mask = Mask([])
    if not isinstance(mask, Mask):
        raise TypeError(f"mask takes comparisons of index expressions, not {type(mask).__name__}")
    if row.shape not in _RULES or (row.shape == "none" and row.semantics in movement.CHECKS):
        raise NkiUnsupportedError(
            f"{row.name}: mask is not supported for this call by this version of NKI Scope; slice its operands instead"
        )
    over = _over(row, operands)
    try:
        box = box_of(mask, over.shape)
    except ValueError as error:
        raise NkiValidationError(f"{row.name}: {error}") from None
    if box.empty:
        return None
    if box.rest and not _is_alike(row):
        raise NkiUnsupportedError(f"{row.name}: a mask of this call must bound each index by itself in this version of NKI Scope")
    return _RULES[row.shape](row, operands, values, box)


def _is_alike(row: Row) -> bool:
    return _RULES[row.shape] in (_alike, _pattern)


def _over(row: Row, operands: Operands) -> Tensor:
    """The operand whose positions the mask speaks of."""
    if _is_alike(row):
        return operands["dst"]
    if row.shape == "matmul":
        return operands["moving"]
    return next(operands[operand.name] for operand in row.operands if operand.role == "in")


def _trim(operands: Operands, box: Box, written: Corner, **others: Corner) -> Masked:
    """`dst` trimmed to `written`, operands in `others` to theirs, and the rest to the box."""
    corners = {"dst": written, **others}
    trimmed = {name: tensor._trimmed(*corners.get(name, (box.starts, box.counts))) for name, tensor in operands.items()}
    return Masked(trimmed, box, written)


def _alike(row: Row, operands: Operands, values: Dict[str, Any], box: Box) -> Masked:
    """All operands have the same positions: the mask trims all of them in the same way."""
    for name, tensor in operands.items():
        corners = zip(tensor.shape[::-1], box.starts[::-1], box.counts[::-1])
        if any(extent != 1 and start + count > extent for extent, start, count in corners):
            raise NkiValidationError(
                f"{row.name}: {name} of shape {tensor.shape} does not lie under the mask like the tile that is written"
            )
    return _trim(operands, box, (box.starts, box.counts))


def _pattern(row: Row, operands: Operands, values: Dict[str, Any], box: Box) -> Masked:
    """Values follow from the position: the pattern begins at the box's corner."""
    shapes.trim_pattern(values, box.starts, box.counts)
    return _alike(row, operands, values, box)


def _reduce(row: Row, operands: Operands, values: Dict[str, Any], box: Box) -> Masked:
    """The mask is over the input. Reduced axes are missing in the output, or have size 1."""
    axes = values["axis"]
    kept = [axis for axis in range(len(box.counts)) if values.get("keepdims") or axis not in axes]
    starts = [0 if axis in axes else box.starts[axis] for axis in kept]
    counts = [1 if axis in axes else box.counts[axis] for axis in kept]
    if len(counts) < operands["dst"].ndim:
        starts, counts = [*starts, 0], [*counts, 1]
    return _trim(operands, box, (tuple(starts), tuple(counts)))


def _matmul(row: Row, operands: Operands, values: Dict[str, Any], box: Box) -> Masked:
    """The mask is over `moving` [K, N]: K trims the contraction, N the output."""
    stationary, dst = operands["stationary"], operands["dst"]
    free = stationary.shape[1:]
    contraction = ((box.starts[0], *[0] * len(free)), (box.counts[0], *free))
    return _trim(operands, box, ((0, *box.starts[1:]), (dst.shape[0], *box.counts[1:])), stationary=contraction)


def _transpose(row: Row, operands: Operands, values: Dict[str, Any], box: Box) -> Masked:
    """The mask is over the input [P, F]; the output is [F, P]."""
    if len(box.counts) != 2:
        raise NkiUnsupportedError(f"{row.name}: a mask over a tile of {len(box.counts)} axes; give it one of 2")
    return _trim(operands, box, (box.starts[::-1], box.counts[::-1]))


def _partition_sum(row: Row, operands: Operands, values: Dict[str, Any], box: Box) -> Masked:
    """The mask is over the input [P, F]; the output is [1, F]."""
    return _trim(operands, box, ((0, *box.starts[1:]), (1, *box.counts[1:])))


def _by_partition(row: Row, operands: Operands, values: Dict[str, Any], box: Box) -> Masked:
    """The mask is over the input. Operands of other shapes lose the partitions that it does not select."""
    read = _over(row, operands)

    def corner(name: str, tensor: Tensor) -> Corner:
        if tensor is read or (name == "dst" and row.shape == "like"):
            return box.starts, box.counts
        free = tensor.shape[1:]
        return (box.starts[0], *[0] * len(free)), (box.counts[0], *free)

    corners = {name: corner(name, tensor) for name, tensor in operands.items()}
    return _trim(operands, box, corners.pop("dst"), **corners)


_Rule = Callable[[Row, Operands, Dict[str, Any], Box], Masked]

#: By the row's rule of shapes.
_RULES: Dict[str, _Rule] = {
    "elementwise": _alike,
    "load": _alike,
    "none": _alike,
    "given": _alike,
    "pattern": _pattern,
    "reduce": _reduce,
    "matmul": _matmul,
    "transpose": _transpose,
    "partitionSum": _partition_sum,
    "like": _by_partition,
    "perPartition": _by_partition,
}


def predicate(box: Box, ndim: int) -> Optional[Dict[str, Any]]:
    """Terms that a box cannot express, over `ndim` positions; None if there are none."""
    lead = ndim - len(box.counts)
    terms: Sequence[Any] = [{"coefficients": [0] * lead + list(term.coefficients), "constant": term.constant} for term in box.rest]
    return {"terms": terms} if terms else None
