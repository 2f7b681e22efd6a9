"""`tile[...] = value` and `tile += value` of the legacy dialect.

If the newest instruction made the value for this statement, it is changed to write the destination directly, so that `psum +=
nl.matmul(...)` and `tile[...] = nl.load(...)` are one instruction each, as on the machine. Other values are copied (`nl.copy`) or added
(`nl.add`).
"""

from __future__ import annotations

import sys
from typing import Any, Dict, Optional

from ..program import locations, program
from ..program.program import PLANS, Plan
from ..tensors import spans
from ..tensors.tensor import Tensor
from ..vocabulary.errors import NkiValidationError
from ..vocabulary.table import ROWS
from . import accumulation, calls
from .reductions import LoopReduction


def assign(dst: Tensor, value: Any) -> None:
    """Writes `value` (a tensor or a number) into the view `dst`."""
    if isinstance(value, Tensor):
        if _same_view(dst, value) or _left_out(value):
            return  # `tile[key] += x` was written in place, or its mask is empty
        if _retarget(dst, value, accumulate=False):
            return
        _record("nki.language.store" if dst._layout.space == "hbm" else "nki.language.copy", _copy_operands(dst, value))
    elif isinstance(value, LoopReduction):
        value.into(dst, sys._getframe(1))
    elif isinstance(value, (int, float)) or hasattr(value, "item"):
        _record("nki.isa.memset", {"dst": dst, "value": value})
    else:
        raise TypeError(f"a tile takes a tile or a number, not {type(value).__name__}")


def add_in_place(dst: Tensor, value: Any, operation: str = "add") -> Tensor:
    """`dst op= value`. A fresh matmul added to a PSUM tile accumulates there."""
    if isinstance(value, Tensor) and (_left_out(value) or operation == "add" and _retarget(dst, value, accumulate=True)):
        return dst
    _record(f"nki.language.{operation}", {"dst": dst, "x": dst, "y": value})
    return dst


def _record(name: str, arguments: Dict[str, Any]) -> None:
    calls.record(ROWS[name], sys._getframe(1), arguments)


def _copy_operands(dst: Tensor, value: Tensor) -> Dict[str, Any]:
    return {"dst": dst, "value" if dst._layout.space == "hbm" else "x": value}


def _left_out(value: Tensor) -> bool:
    """True for the result of a call in this statement whose mask is empty, so that nothing is written."""
    return value._storage.id == program.state.left_out and locations.position(sys._getframe(2))[2].temporary


def _same_view(a: Tensor, b: Tensor) -> bool:
    return a._storage is b._storage and a.offset == b.offset and a._layout is b._layout


def _retarget(dst: Tensor, value: Tensor, accumulate: bool) -> bool:
    """Makes the newest instruction write `dst` instead of `value`, if `value` is its result and nothing else refers to it."""
    plan = _maker(value)
    if plan is None or dst.shape != value.shape or not _writes_into(plan, dst, value):
        return False
    if accumulate and "accumulate" not in plan.row.attributes:
        return False
    if not accumulate and not _same_rounding(dst, value):
        return False
    _, _, site = locations.position(sys._getframe(1))
    if not site.temporary or _reads(plan, dst):
        return False
    target = dst if plan.box is None else dst._trimmed(*plan.box)
    # the first product of a group overwrites: the earlier content of an allocated tile of PSUM is undefined
    retargeted = _with_destination(plan, target, accumulate and accumulation.accumulates(target))
    _, frame, iteration, operands = program.take_back()
    operands[0:2] = [target._storage.id, target.offset]
    accumulation.settle(retargeted, {"dst": target})
    program.put(retargeted, frame, iteration, operands)
    program.state.tensors.drop_last()
    return True


def _maker(value: Tensor) -> Optional[Plan]:
    """Plan of the newest instruction when it made `value`, whole."""
    if not program.pending or value._storage.id != len(program.state.tensors.spaces) - 1:
        return None
    plan = PLANS[program.pending[-3]]
    size = 2 * len(plan.slots)
    made = plan.order and plan.order[0] == "dst" and program.pending_operands[-size] == value._storage.id
    whole = value.offset == 0 and value.size == value._storage.elements and value.dtype == value._storage.dtype
    return plan if made and whole else None


def _writes_into(plan: Plan, dst: Tensor, value: Tensor) -> bool:
    """True where the instruction can write the memory of `dst`: that of `value`, or PSUM, which all engines write.

    Joejoedesu/voyager-compiler at b648877, scripts/trainium_fusion_probe.py: `psum[...] = nisa.tensor_copy(x)` takes the time of one
    instruction.
    """
    space, made_in = dst._layout.space, value._layout.space
    return space == made_in or (made_in, space) == ("sbuf", "psum") and space in plan.row.operands[0].spaces


def _same_rounding(dst: Tensor, value: Tensor) -> bool:
    """True if rounding to `dst` gives the same as rounding to `value` and then to `dst`."""
    return dst.dtype == value.dtype or (value.dtype == "float32" and dst.dtype.kind == "float")


def _reads(plan: Plan, dst: Tensor) -> bool:
    """True when the instruction reads `dst`'s storage in a way that writing it at the same time could disturb.

    Other places of one tile do not: trainium_pool_tile_probe.py of the same repository keeps all of its data in one, and has no copies.
    """
    size = 2 * len(plan.slots)
    operands = program.pending_operands[-size:]
    inputs = [k for k in range(1, len(plan.slots)) if operands[2 * k] == dst._storage.id]
    if not inputs:
        return False
    pointwise = plan.row.shape == "elementwise" and plan.row.semantics not in ("softmax", "rmsNorm")
    target = dst if plan.box is None else dst._trimmed(*plan.box)
    place = (target.offset, list(target.strides), list(target.shape))
    per_partition = dst._layout.row_elements

    def disturbed(k: int) -> bool:
        source = (operands[2 * k + 1], *plan.pattern(k))
        if pointwise and source == place:
            return False
        same_elements = plan.dtypes[k] == dst.dtype.code
        return not (same_elements and spans.apart(spans.of(per_partition, *source), spans.of(per_partition, *place)))

    return any(disturbed(k) for k in inputs)


_retargeted: Dict[Any, Plan] = {}


def _with_destination(plan: Plan, dst: Tensor, accumulate: Optional[bool]) -> Plan:
    """The plan with another layout for its first operand, checked as usual. `accumulate`: None where some of `dst` was written before."""
    layout = dst._layout
    key = (plan.id, layout, accumulate)
    made = _retargeted.get(key)
    if made is None:
        operand = plan.row.operands[0]
        if layout.space not in operand.spaces or layout.partition_axis > 0:
            raise NkiValidationError(f"{plan.row.name}: it cannot write {dst._described()}")
        patterns = [(plan.slots[k], plan.dtypes[k], *plan.pattern(k)) for k in range(len(plan.slots))]
        patterns[0] = (operand.slot, layout.dtype.code, layout.strides, layout.shape)
        attributes = plan.attributes
        if accumulate is not False:
            attributes = {name: value for name, value in attributes.items() if name != "accumulate"}
        if accumulate:
            attributes["accumulate"] = True
        made = _retargeted[key] = Plan(plan.row, attributes, patterns)
        made.order, made.marks, made.predicate = plan.order, layout.space == "psum", plan.predicate
    return made
