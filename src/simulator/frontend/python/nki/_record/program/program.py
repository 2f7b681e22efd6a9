"""The Program being recorded: columns that grow, interned tables, and their encoding (`program/program.ts`, `codec.ts`).

An instruction appends (plan, frame, iteration) and, for each operand, (tensor, offset). All that many
instructions share (row, attributes, access pattern shapes) is in its `Plan`, which `encode` spreads into the columns with
C-speed joins (`encoding.py`). Which plan, where and when is decided elsewhere.
"""

from __future__ import annotations

from array import array
from itertools import accumulate, compress
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

from ..vocabulary.dtypes import INT64, WORD, WORDS, Dtype
from ..vocabulary.errors import LimitReached
from ..vocabulary.table import Row

SPACES = ("hbm", "sbuf", "psum")
KINDS = ("internal", "input", "output", "constant")

#: Row of the kernel's `def` in the table of frames.
KERNEL_FRAME = 0

#: Instructions held as Python tuples before they move into arrays.
_CHUNK = 2048


class Plan:
    """What a validated call records: the same for every call with the same operand layouts and attributes."""

    __slots__ = ("id", "row", "attributes", "predicate", "slots", "dtypes", "dims", "strides", "counts", "result", "marks", "box", "order")

    def __init__(self, row: Row, attributes: Dict[str, Any], operands: Sequence[Tuple[int, int, Sequence[int], Sequence[int]]]) -> None:
        """`operands`: (slot, dtype code, strides, counts) each, in the order in which the call emits them."""
        self.id = len(PLANS)
        self.row = row
        self.attributes = attributes
        self.predicate: Optional[Dict[str, Any]] = None
        self.slots = bytes(slot for slot, _, _, _ in operands)
        self.dtypes = bytes(dtype for _, dtype, _, _ in operands)
        self.dims = tuple(len(counts) for _, _, _, counts in operands)
        self.strides = array("i", [stride for _, _, strides, _ in operands for stride in strides]).tobytes()
        self.counts = array("I", [count for _, _, _, counts in operands for count in counts]).tobytes()
        #: Layout of the tensor that the call allocates and returns, or None.
        self.result: Any = None
        #: True when it writes PSUM: `accumulate=None` asks what was written before.
        self.marks = False
        #: (starts, counts) of the region that a mask left, or None for all of it.
        self.box: Any = None
        #: Operand names in the order in which they are emitted.
        self.order: Tuple[str, ...] = ()
        PLANS.append(self)

    @property
    def writes(self) -> bool:
        """True when it writes its first operand."""
        return bool(self.slots) and self.row.operands[self.slots[0]].role != "in"

    def pattern(self, operand: int) -> Tuple[List[int], List[int]]:
        """(strides, counts) of its k-th operand."""
        first = sum(self.dims[:operand])
        part = slice(first, first + self.dims[operand])
        return array("i", self.strides)[part].tolist(), array("I", self.counts)[part].tolist()


#: Every plan made in this process; programs keep those they use.
PLANS: List[Plan] = []

plan_column = array("I")
frame_column = array("I")
iteration_column = array("i")
tensor_column = array("q")
offset_column = array("d")

#: Not yet in the arrays: the newest instruction is always here, so that it can be taken back.
#: Flat: plan number, frame, iteration, plan number, ...
pending: List[int] = []
#: Flat: tensor, offset, tensor, offset, ...
pending_operands: List[int] = []


class Tensors:
    """Allocations of the program being recorded. Index = tensor number."""

    def __init__(self) -> None:
        """No tensors yet."""
        self.spaces = bytearray()
        self.dtypes = bytearray()
        self.kinds = bytearray()
        self.names = array("I")
        self.frames = array("I")
        self.addresses = array("d")
        self.starts = array("I", [0])
        self.shapes = array("I")

    def add(self, space: str, dtype: Dtype, shape: Sequence[int], name: int, frame: int, kind: int = 0, address: float = -1) -> int:
        """Appends an allocation of `shape` (storage order: partitions first on chip) and returns its number."""
        if dtype is INT64:
            dtype, shape = WORD, (*shape, WORDS)
        self.spaces.append(SPACES.index(space))
        self.dtypes.append(dtype.code)
        self.kinds.append(kind)
        self.names.append(name)
        self.frames.append(frame)
        self.addresses.append(address)
        self.shapes.extend(shape)
        self.starts.append(len(self.shapes))
        return len(self.spaces) - 1

    def drop_last(self) -> None:
        """Takes the last allocation back: nothing may refer to it."""
        for column in (self.spaces, self.dtypes, self.kinds, self.names, self.frames, self.addresses):
            column.pop()
        self.starts.pop()
        del self.shapes[self.starts[-1] :]


class State:
    """What is not per instruction: interned tables, limits, and who hears of progress."""

    def __init__(self) -> None:
        """Also starts anew: the object stays, its tables are replaced."""
        self.tensors = Tensors()
        self.strings: Dict[str, int] = {}
        self.files: Dict[str, int] = {}
        self.texts: List[str] = []
        self.frame_parents = array("i")
        self.frame_files = array("I")
        self.frame_lines = array("I")
        self.frame_functions = array("I")
        #: Index of each frame's layer in `layers`; -1: in none.
        self.frame_layers = array("i")
        #: Path -> index.
        self.layers: Dict[str, int] = {}
        #: (parent, file, line, function, layer) -> row.
        self.frame_rows: Dict[Tuple[int, int, int, str, str], int] = {}
        #: (parent row, loop number, value) -> row.
        self.iterations: Dict[Tuple[int, int, int], int] = {}
        #: Storage that only reductions over loops wrote -> the parts they wrote, as (offset, layout).
        self.reduced: Dict[int, Set[Any]] = {}
        #: Loop number (a `for` of the source) -> (name, line).
        self.loops: List[Tuple[str, int]] = []
        #: (file, line, name) -> loop number.
        self.loop_numbers: Dict[Tuple[int, int, str], int] = {}
        #: Name -> numbers of the instructions that were called with it; None: not kept.
        self.named: Optional[Dict[str, List[int]]] = None
        #: Names of the instructions of the loop's body that is being recorded; None: in no loop that is compiled as one.
        self.body_names: Optional[Set[str]] = None
        #: (frame row, iterations) of each such loop, in the order of their ends.
        self.trips: List[Tuple[int, int]] = []
        #: Tensor of the newest call that a mask left nothing of; -1: none.
        self.left_out = -1
        self.limit = 0
        #: Length of `pending` at which it is flushed.
        self.threshold = 3 * _CHUNK
        self.progress: Any = None
        self.progress_every = 0
        self.told = 0

    def string(self, text: str) -> int:
        """Number of an interned string."""
        return self.strings.setdefault(text, len(self.strings))


state = State()


def reset(limit: int = 0, progress_every: int = 0, progress: Any = None) -> State:
    """Starts an empty program. `limit`: most instructions, 0 for none; `progress(count)` is told each `progress_every`."""
    for column in (plan_column, frame_column, iteration_column, tensor_column, offset_column):
        del column[:]
    pending.clear()
    pending_operands.clear()
    state.__init__()  # the one object stays: the hot path holds on to it
    state.limit, state.progress_every, state.progress = limit, progress_every, progress
    state.threshold = _next_threshold(0)
    return state


def count() -> int:
    """Instructions recorded so far."""
    return len(plan_column) + len(pending) // 3


def _next_threshold(done: int) -> int:
    steps = [_CHUNK]
    if state.limit:
        steps.append(max(1, state.limit + 1 - done))
    if state.progress_every:
        steps.append(max(1, state.told + state.progress_every - done))
    return 3 * min(steps)


def flush() -> None:
    """Moves what is pending into the arrays; tells of progress; LimitReached when the limit is passed."""
    plan_column.fromlist(pending[0::3])
    frame_column.fromlist(pending[1::3])
    iteration_column.fromlist(pending[2::3])
    tensor_column.fromlist(pending_operands[0::2])
    offset_column.fromlist(pending_operands[1::2])
    pending.clear()
    pending_operands.clear()
    done = len(plan_column)
    if state.progress_every and done - state.told >= state.progress_every:
        state.told = done
        state.progress(done)
    state.threshold = _next_threshold(done)
    if state.limit and done > state.limit:
        raise LimitReached(f"the kernel recorded more than {state.limit:,} instructions")


def first_user(tensor: int) -> Optional[Row]:
    """Row of the first instruction that touches a tensor: of what a function returned, that function's own."""
    flush()
    if tensor not in tensor_column:
        return None
    at, seen = tensor_column.index(tensor), 0
    for plan_id in plan_column:
        seen += len(PLANS[plan_id].slots)
        if seen > at:
            return PLANS[plan_id].row
    return None


def take_back() -> Tuple[Plan, int, int, List[int]]:
    """Removes the newest instruction: (plan, frame, iteration, its operands as tensor, offset, tensor, offset...)."""
    plan = PLANS[pending[-3]]
    _, frame, iteration = pending[-3:]
    size = 2 * len(plan.slots)
    operands = pending_operands[-size:]
    del pending[-3:]
    del pending_operands[-size:]
    return plan, frame, iteration, operands


def put(plan: Plan, frame: int, iteration: int, operands: Sequence[int]) -> None:
    """Records one instruction: a plan at a place, and tensor, offset for each of its operands in the plan's order."""
    if len(pending) >= state.threshold:
        flush()
    pending.extend((plan.id, frame, iteration))
    pending_operands.extend(operands)


def file_index(path: str, text: str) -> int:
    """Number of a source file; its text is kept as it was when the kernel ran."""
    index = state.files.get(path)
    if index is None:
        index = state.files[path] = len(state.files)
        state.texts.append(text)
    return index


def add_frame(parent: int, file: int, line: int, function: str, layer: str) -> int:
    """A new row of the frame tree. `parent`: its caller's row, -1 for the kernel function. `layer`: a path, "" for none."""
    state.frame_parents.append(parent)
    state.frame_files.append(file)
    state.frame_lines.append(line)
    state.frame_functions.append(state.string(function))
    state.frame_layers.append(state.layers.setdefault(layer, len(state.layers)) if layer else -1)
    return len(state.frame_lines) - 1


def written_tensors() -> Set[int]:
    """Numbers of the tensors that instructions write: the first operand of each, unless it is only read."""
    flush()
    used = {plan_id: len(PLANS[plan_id].slots) for plan_id in set(plan_column)}
    starts = accumulate(map(used.__getitem__, plan_column), initial=0)
    writes = {plan_id for plan_id in used if PLANS[plan_id].writes}
    firsts = compress(starts, map(writes.__contains__, plan_column))
    return set(map(tensor_column.__getitem__, firsts))


def frame_location(frame: int) -> Tuple[str, int]:
    """(file, line) of a frame row."""
    return list(state.files)[state.frame_files[frame]], state.frame_lines[frame]
