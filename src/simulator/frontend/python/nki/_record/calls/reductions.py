"""Reductions of the legacy dialect over loops and over programs: they are written in terms of other functions.

Source: aws-neuron-sdk nki/api/nki/language/__init__.py at 1db4d74e (loop_reduce, all_reduce).
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any, Dict, Optional

from ..program import locations, program
from ..tensors.tensor import Tensor
from ..vocabulary import dtypes
from ..vocabulary.errors import NkiUnsupportedError, NkiValidationError
from ..vocabulary.table import ROWS
from . import attributes, calls, grid


class LoopReduction:
    """A reduction into a part of a tile. `assign.py` gives it the part, at the assignment."""

    __slots__ = ("_row", "_x", "_dtype", "_mask")

    def __init__(self, row: str, x: Tensor, dtype: Any, mask: Any) -> None:
        """`row`: the function of two operands that takes `x` in."""
        self._row, self._x, self._mask = row, x, mask
        self._dtype = None if dtype is None else dtypes.parse(dtype)

    def into(self, tile: Tensor, frame: FrameType) -> None:
        """`tile = op(tile, x)`, or `tile = x` if nothing was written yet, as in kernels that AWS's compiler printed."""
        if self._dtype is not None and self._dtype != tile.dtype:
            raise NkiValidationError(f"nl.loop_reduce: dtype={self._dtype}, but {tile._described()} is reduced into")
        if _takes_first(tile):
            _record("nki.language.copy", frame, {"dst": tile, "x": self._x}, self._mask)
        else:
            _record(self._row, frame, {"dst": tile, "x": tile, "y": self._x}, self._mask)


def _takes_first(tile: Tensor) -> bool:
    """True when only reductions have touched its storage so far, and none of them this part. Notes that one does now."""
    storage, parts = tile._storage.id, program.state.reduced
    if storage not in parts:
        if program.first_user(storage) is not None:
            return False
        parts[storage] = set()
    part = (tile.offset, tile._layout)
    first = part not in parts[storage]
    parts[storage].add(part)
    return first


def loop_reduce(x: Tensor, op: Any, loop_indices: Any, *, dtype: Any = None, mask: Any = None, **kwargs: Any) -> Any:
    """`b = nl.loop_reduce(x, op, loop_indices)` is `b = op(b, x)`: each iteration combines the variable's tile with `x`.

    `b` can also be a part of a tile, `tile[i] = nl.loop_reduce(...)`.
    """
    frame = sys._getframe(1)
    reduction = LoopReduction(f"nki.language.{attributes.canonical('arithmetic', op, 'op')}", x, dtype, mask)
    name = locations.position(frame)[2].name
    if not name:
        return reduction
    tile = frame.f_locals.get(name)
    if not isinstance(tile, Tensor):
        raise NkiValidationError("nl.loop_reduce reduces into the variable that it is assigned to: make that tile before the loop")
    reduction.into(tile, frame)
    return tile


def all_reduce(
    x: Tensor,
    op: Any,
    program_axes: Any,
    *,
    dtype: Any = None,
    mask: Any = None,
    parallel_reduce: bool = True,
    asynchronous: bool = False,
    **kwargs: Any,
) -> Optional[Tensor]:
    """The tile reduced over the programs along grid axes. Of one program: a copy. NkiUnsupportedError for several."""
    attributes.canonical("arithmetic", op, "op")
    axes = program_axes if isinstance(program_axes, (tuple, list)) else (program_axes,)
    programs = 1
    for axis in axes:
        programs *= grid.num_programs(axis) if grid.program_ndim() else 1
    if programs > 1:
        raise NkiUnsupportedError(
            f"nl.all_reduce over {programs} programs is not supported by this version of NKI Scope: it runs one after the other"
        )
    return _record("nki.language.copy", sys._getframe(1), {"x": x, "dtype": dtype}, mask)


def _record(row: str, frame: FrameType, arguments: Dict[str, Any], mask: Any) -> Optional[Tensor]:
    if row not in ROWS:
        raise NkiValidationError(f"{row.rsplit('.', 1)[1]} is not a reduction")
    return calls.record(ROWS[row], frame, arguments if mask is None else {**arguments, "mask": mask})[1]
