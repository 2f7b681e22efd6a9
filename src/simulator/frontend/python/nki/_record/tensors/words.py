"""Tensors of int64 as programs hold them: each integer is two int32 words, the low one first, along one more axis.

The engines compute with 32 bits; integers of 64 bits only move, are filled with a constant, and become scalars.
Source: nki.isa.scalar_load, nki.isa.scalar_store and nki/deep-dives/nki-scalar of NKI 0.7; which functions move them is our reading of
"unlike the compute instructions".
"""

from __future__ import annotations

from typing import Any, Dict, Tuple

from ..vocabulary.dtypes import INT64, WORD, WORDS
from ..vocabulary.errors import NkiValidationError
from ..vocabulary.table import Row
from .memory import Layout
from .tensor import Tensor

_MOVES = ("nki.isa.dma_copy", "nki.isa.memset", "nki.isa.scalar_load", "nki.isa.scalar_store")
_ADVICE = (
    "integers of 64 bits only move (nisa.dma_copy, nisa.memset, nisa.scalar_load, nisa.scalar_store); "
    "view(nl.int32) has their words, the low one first, and a host array becomes .astype(np.int32)"
)


def of(tensor: Tensor) -> Tensor:
    """The words of a tensor of int64: the same bits with an axis of two behind."""
    layout = tensor._layout
    strides = (*(WORDS * stride for stride in layout.strides), 1)
    row = WORDS * layout.row_elements
    wide = Layout.of((*layout.shape, WORDS), strides, WORD, layout.space, row, layout.partition_axis, layout.dynamic)
    return tensor._at(wide, WORDS * tensor.offset)


def split(value: int) -> Tuple[int, int]:
    """(low, high) of an integer, as int32 each. OverflowError for one that 64 bits do not hold."""
    data = value.to_bytes(INT64.itemsize, "little", signed=True)
    low, high = (int.from_bytes(data[at : at + WORD.itemsize], "little", signed=True) for at in (0, WORD.itemsize))
    return low, high


def settle(row: Row, arguments: Dict[str, Any]) -> bool:
    """Replaces tensors of int64 among a call's arguments by their words. True when there were any."""
    tensors = {name: value for name, value in arguments.items() if isinstance(value, Tensor)}
    found = [name for name, tensor in tensors.items() if tensor.dtype is INT64]
    if not found:
        return False
    operands = [name for name in tensors if name in ("dst", "src")]
    if row.name not in _MOVES or found != operands:
        others = "".join(f", {name} {tensors[name].dtype}" for name in operands if name not in found)
        raise NkiValidationError(f"{row.name}: {found[0]} is int64{others}: {_ADVICE}")
    for name in found:
        arguments[name] = of(tensors[name])
        if f"{name}_indirect" in arguments:
            step, extent = arguments[f"{name}_indirect"]
            arguments[f"{name}_indirect"] = [WORDS * step, extent]
    if "high" in row.attributes:
        arguments["value"], arguments["high"] = _checked(row, arguments["value"])
    return True


def _checked(row: Row, value: Any) -> Tuple[int, int]:
    try:
        return split(int(value))
    except OverflowError:
        raise NkiValidationError(f"{row.name}: {value} does not fit into int64") from None
