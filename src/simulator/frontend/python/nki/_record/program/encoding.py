"""The recorded program as container bytes: the data that instructions of a plan share is copied to each of them with fast joins."""

from __future__ import annotations

import hashlib
import json
from array import array
from itertools import accumulate, chain
from typing import Any, Dict, List, Optional, Sequence, Tuple

from ..wire import container
from .program import PLANS, Plan, flush, frame_column, iteration_column, offset_column, plan_column, state, tensor_column


class Mark:
    """How much of the program was recorded at some moment: instructions, their operands, tensors, strings."""

    __slots__ = ("instructions", "operands", "tensors", "strings")

    def __init__(self, instructions: int = 0, operands: int = 0, tensors: int = 0, strings: int = 0) -> None:
        """The beginning, by default."""
        self.instructions = instructions
        self.operands = operands
        self.tensors = tensors
        self.strings = strings


_BEGINNING = Mark()


class Code:
    """Instructions in some order: the columns that grow as a kernel is recorded, or a selection of them."""

    __slots__ = ("plans", "frames", "iterations", "tensors", "offsets")

    def __init__(self, plans: array, frames: array, iterations: array, tensors: array, offsets: array) -> None:
        """`tensors` and `offsets`: of each operand, in the plans' order."""
        self.plans = plans
        self.frames = frames
        self.iterations = iterations
        self.tensors = tensors
        self.offsets = offsets

    def operand_starts(self) -> array:
        """First operand of each instruction, and the end."""
        sizes = {plan_id: len(PLANS[plan_id].slots) for plan_id in set(self.plans)}
        return _starts(map(sizes.__getitem__, self.plans))


def recorded() -> Code:
    """Everything recorded so far: the columns themselves, not copies."""
    flush()
    return Code(plan_column, frame_column, iteration_column, tensor_column, offset_column)


def _recorded_after(mark: Mark) -> Code:
    first, operand = mark.instructions, mark.operands
    flush()
    operands = (tensor_column[operand:], offset_column[operand:])
    return Code(plan_column[first:], frame_column[first:], iteration_column[first:], *operands)


def encode(
    meta: Dict[str, Any], inputs: Sequence[Tuple[str, int]], outputs: Sequence[Tuple[str, int]], code: Optional[Code] = None
) -> bytes:
    """A program as container bytes; `code` of None: as recorded. `meta`: kernel, dialect, target, grid, literal.

    Inputs/outputs: (name, tensor).
    """
    code = code or recorded()
    tables = _Tables(code.plans)
    columns = {**_tensor_columns(_BEGINNING), **_place_columns(), **_instruction_columns(tables, code)}
    named = {
        "files": [source_file(path, state.texts[index]) for path, index in state.files.items()],
        "strings": list(state.strings),
        "inputs": [{"name": name, "tensor": tensor} for name, tensor in inputs],
        "outputs": [{"name": name, "tensor": tensor} for name, tensor in outputs],
        **_layers(),
    }
    return container.encode("program", 2, {**meta, **named, **tables.named()}, columns)


def encode_piece(since: Mark, code: Optional[Code] = None) -> Tuple[bytes, Mark]:
    """What was recorded after `since`, as container bytes (`program/piece.ts`), and the mark of now.

    `code`: other instructions instead.
    """
    code = code or _recorded_after(since)
    tables = _Tables(code.plans)
    columns = {**_tensor_columns(since), **_instruction_columns(tables, code)}
    strings = list(state.strings)
    now = Mark(len(plan_column), len(tensor_column), len(state.tensors.spaces), len(strings))
    return container.encode("piece", 1, {"strings": strings[since.strings :], **tables.named()}, columns), now


class _Tables:
    """Operations, attributes and predicates that the recorded plans use, and where each plan's are."""

    def __init__(self, plans: array) -> None:
        self.plans = plans
        self.operations: Dict[str, int] = {}
        self.attributes: Dict[str, int] = {}
        self.predicates: List[Dict[str, Any]] = []
        self.of_plan: Dict[int, Tuple[int, int, int]] = {}
        for plan_id in sorted(set(plans)):
            self.of_plan[plan_id] = self._place(PLANS[plan_id])

    def _place(self, plan: Plan) -> Tuple[int, int, int]:
        operation = self.operations.setdefault(plan.row.name, len(self.operations))
        text = json.dumps(plan.attributes, sort_keys=True)
        attributes = self.attributes.setdefault(text, len(self.attributes))
        if plan.predicate is None:
            return operation, attributes, -1
        if plan.predicate not in self.predicates:
            self.predicates.append(plan.predicate)
        return operation, attributes, self.predicates.index(plan.predicate)

    def named(self) -> Dict[str, Any]:
        """The tables as the formats have them."""
        return {
            "operations": list(self.operations),
            "attributes": [json.loads(text) for text in self.attributes],
            "predicates": self.predicates,
        }

    def column(self, typecode: str, index: int) -> array:
        values = {plan_id: entry[index] for plan_id, entry in self.of_plan.items()}
        return array(typecode, map(values.__getitem__, self.plans))


def _instruction_columns(tables: _Tables, code: Code) -> Dict[str, array]:
    plans = code.plans
    used = {plan_id: PLANS[plan_id] for plan_id in tables.of_plan}
    slots = {key: plan.slots for key, plan in used.items()}
    dtypes = {key: plan.dtypes for key, plan in used.items()}
    dims = {key: plan.dims for key, plan in used.items()}
    strides = {key: plan.strides for key, plan in used.items()}
    counts = {key: plan.counts for key, plan in used.items()}
    return {
        "instructions.operation": tables.column("H", 0),
        "instructions.frame": code.frames,
        "instructions.iteration": code.iterations,
        "instructions.attributes": tables.column("I", 1),
        "instructions.predicate": tables.column("i", 2),
        "instructions.operandStart": code.operand_starts(),
        "operands.slot": array("B", b"".join(map(slots.__getitem__, plans))),
        "operands.tensor": array("I", code.tensors),
        "operands.dtype": array("B", b"".join(map(dtypes.__getitem__, plans))),
        "operands.offset": code.offsets,
        "operands.dimStart": _starts(chain.from_iterable(map(dims.__getitem__, plans))),
        "operands.dimStride": _joined("i", map(strides.__getitem__, plans)),
        "operands.dimCount": _joined("I", map(counts.__getitem__, plans)),
    }


def _after(column: array, first: int) -> array:
    return column[first:] if first else column


def _starts(sizes: Any) -> array:
    return array("I", chain((0,), accumulate(sizes)))


def _joined(typecode: str, parts: Any) -> array:
    column = array(typecode)
    column.frombytes(b"".join(parts))
    return column


def _tensor_columns(since: Mark) -> Dict[str, array]:
    tensors, first = state.tensors, since.tensors
    start = tensors.starts[first]
    return {
        "tensors.space": array("B", tensors.spaces[first:]),
        "tensors.dtype": array("B", tensors.dtypes[first:]),
        "tensors.kind": array("B", tensors.kinds[first:]),
        "tensors.name": _after(tensors.names, first),
        "tensors.frame": _after(tensors.frames, first),
        "tensors.addressBytes": _after(tensors.addresses, first),
        "tensors.shapeStart": array("I", [at - start for at in tensors.starts[first:]]) if first else tensors.starts,
        "tensors.shapePool": _after(tensors.shapes, start),
    }


def _place_columns() -> Dict[str, array]:
    keys = list(state.iterations)
    return {
        "frames.parent": state.frame_parents,
        "frames.file": state.frame_files,
        "frames.line": state.frame_lines,
        "frames.function": state.frame_functions,
        "iterations.parent": array("i", [parent for parent, _, _ in keys]),
        "iterations.name": array("I", [state.string(state.loops[loop][0]) for _, loop, _ in keys]),
        "iterations.value": array("i", [value for _, _, value in keys]),
        "iterations.line": array("I", [state.loops[loop][1] for _, loop, _ in keys]),
    }


def _layers() -> Dict[str, Any]:
    """The layers, and that of each frame; nothing where there are none."""
    return {"layers": {"paths": list(state.layers), "ofFrame": state.frame_layers.tolist()}} if state.layers else {}


def source_file(path: str, text: str) -> Dict[str, str]:
    """A file as `SourceFile` of the host."""
    return {"path": path, "text": text, "sha256": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()}
