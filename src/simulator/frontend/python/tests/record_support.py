"""For the tests of the recorder: a host inside the process, and programs read back from their bytes.

The instruction table is generated anew from the TypeScript sources, so that the tests never meet a stale one.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import tempfile
import time
from array import array
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, NamedTuple, Tuple

_HERE = os.path.dirname(os.path.abspath(__file__))
_ROOT = os.path.abspath(os.path.join(_HERE, "..", "..", "..", "..", ".."))


def _table() -> str:
    import subprocess  # not in the bundled interpreter, where the package stands ready

    script = "import('./scripts/python-package.mjs').then(m => m.tableJson()).then(text => process.stdout.write(text))"
    text = subprocess.run(["node", "-e", script], cwd=_ROOT, check=True, capture_output=True, text=True).stdout
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False, encoding="utf-8") as file:
        file.write(text)
    return file.name


if "nki" not in sys.modules:
    os.environ.setdefault("NKI_SCOPE_HOST", os.path.join(_ROOT, "dist", "host.mjs"))
    os.environ["NKI_SCOPE_TABLE"] = _table()
    sys.path.insert(0, os.path.join(_HERE, ".."))
    import nki  # noqa: F401 - reads the table

    os.unlink(os.environ.pop("NKI_SCOPE_TABLE"))

from nki._record.launch import settings as launch_settings  # noqa: E402
from nki._record.vocabulary import dtypes  # noqa: E402
from nki._record.wire import host  # noqa: E402

#: What the interpreter had before the tests: in the bundled one, the job that runs them.
_BEFORE = (host.connection, dict(vars(launch_settings.settings)))

_DTYPE_NAMES = {dtype.code: str(dtype) for dtype in dtypes.ALL.values()}
_TYPECODES = {"u8": "B", "u16": "H", "u32": "I", "i32": "i", "f32": "f", "f64": "d"}
_HEAD_BYTES = 12


class Operand(NamedTuple):
    """An access pattern: `tensor` is its number, `dims` are (stride, count)."""

    name: str
    tensor: int
    offset: int
    dims: List[Tuple[int, int]]

    @property
    def shape(self) -> Tuple[int, ...]:
        """Counts."""
        return tuple(count for _, count in self.dims)


class Instruction(NamedTuple):
    """One recorded instruction, as the other stages will read it."""

    operation: str
    operands: Dict[str, Operand]
    attributes: Dict[str, Any]
    predicate: Any
    #: (function, line), innermost first.
    stack: List[Tuple[str, int]]
    #: (variable, value), outermost first.
    loops: List[Tuple[str, int]]


class Program:
    """A program read back from container bytes."""

    def __init__(self, data: bytes) -> None:
        """Reads everything; KeyError or IndexError when it does not hold together."""
        header_size = struct.unpack_from("<I", data, 8)[0]
        header = json.loads(data[_HEAD_BYTES : _HEAD_BYTES + header_size])
        self.meta: Dict[str, Any] = header["meta"]
        start = (_HEAD_BYTES + header_size + 7) // 8 * 8
        self.columns = {section["name"]: self._column(data, start, section) for section in header["sections"]}
        self.instructions = [self._instruction(i) for i in range(len(self.columns["instructions.operation"]))]

    @staticmethod
    def _column(data: bytes, start: int, section: Dict[str, Any]) -> array:
        column = array(_TYPECODES[section["dtype"]])
        first = start + section["offset"]
        column.frombytes(data[first : first + section["length"] * column.itemsize])
        return column

    def tensor_name(self, number: int) -> str:
        """Name of a tensor."""
        return self.meta["strings"][self.columns["tensors.name"][number]]

    def tensor_shape(self, number: int) -> Tuple[int, ...]:
        """Storage shape of a tensor."""
        starts = self.columns["tensors.shapeStart"]
        return tuple(self.columns["tensors.shapePool"][starts[number] : starts[number + 1]])

    def operations(self) -> List[str]:
        """Row names in program order, without `nki.`."""
        return [instruction.operation[4:] for instruction in self.instructions]

    def _instruction(self, i: int) -> Instruction:
        from nki._record.vocabulary.table import ROWS

        c = self.columns
        row = ROWS[self.meta["operations"][c["instructions.operation"][i]]]
        operands = {}
        for k in range(c["instructions.operandStart"][i], c["instructions.operandStart"][i + 1]):
            name = row.operands[c["operands.slot"][k]].name
            dims = range(c["operands.dimStart"][k], c["operands.dimStart"][k + 1])
            pairs = [(c["operands.dimStride"][d], c["operands.dimCount"][d]) for d in dims]
            operands[name] = Operand(name, c["operands.tensor"][k], int(c["operands.offset"][k]), pairs)
        predicate = c["instructions.predicate"][i]
        return Instruction(
            row.name,
            operands,
            self.meta["attributes"][c["instructions.attributes"][i]],
            None if predicate < 0 else self.meta["predicates"][predicate],
            self._stack(c["instructions.frame"][i]),
            self._loops(c["instructions.iteration"][i]),
        )

    def _stack(self, frame: int) -> List[Tuple[str, int]]:
        stack = []
        while frame >= 0:
            stack.append((self.meta["strings"][self.columns["frames.function"][frame]], self.columns["frames.line"][frame]))
            frame = self.columns["frames.parent"][frame]
        return stack

    def _loops(self, iteration: int) -> List[Tuple[str, int]]:
        loops = []
        while iteration >= 0:
            loops.append((self.meta["strings"][self.columns["iterations.name"][iteration]], self.columns["iterations.value"][iteration]))
            iteration = self.columns["iterations.parent"][iteration]
        return loops[::-1]


class FakeHost:
    """Answers every request and keeps it. Arrays are numbers; runs take 20 us."""

    def __init__(self) -> None:
        """Nothing asked yet."""
        self.requests: List[Dict[str, Any]] = []
        self.programs: List[Program] = []
        self.job: Dict[str, Any] = {}
        self.run_error: Any = None
        self.peek_error: Any = None
        #: Reply to `saveProfile`.
        self.save_reply: Dict[str, Any] = {"ok": {}}
        self._arrays = 0

    def call(self, header: Dict[str, Any], payload: bytes) -> Tuple[Dict[str, Any], bytes]:
        """One request."""
        self.requests.append(header)
        kind = header["call"]
        if kind == "job":
            return {"ok": self.job}, b""
        if kind == "run":
            return self._run(payload), b""
        if kind == "runRanks":
            return self._run_ranks(header, payload), b""
        if kind == "peek" and self.peek_error:
            return {"error": self.peek_error}, b""
        if kind == "saveProfile":
            return self.save_reply, b""
        if kind == "array.get":
            return {"error": {"kind": "NumericsOff", "message": "this host computes nothing"}}, b""
        if kind in ("array.put", "array.op"):
            return {"ok": {"array": self._handle()}}, b""
        return {"ok": {}}, b""

    def _run(self, payload: bytes) -> Dict[str, Any]:
        if self.run_error:
            return {"error": self.run_error}
        program = Program(payload)
        self.programs.append(program)
        outputs = [self._handle() for _ in program.meta["outputs"]]
        dtypes = [str(_DTYPE_NAMES[program.columns["tensors.dtype"][entry["tensor"]]]) for entry in program.meta["outputs"]]
        return {
            "ok": {"run": len(self.programs) - 1, "outputs": outputs, "dtypes": dtypes, "totalTimeNs": 27000, "bodyNs": 11000, "nclUs": 20}
        }

    def _run_ranks(self, header: Dict[str, Any], payload: bytes) -> Dict[str, Any]:
        programs = _split(payload, [size for each in header["programs"] for size in each["bytes"]])
        self.programs += programs
        reply = {"totalTimeNs": 27000, "bodyNs": 11000, "nclUs": 20, "checks": []}
        outputs = [programs[rank["program"]].meta["outputs"] for rank in header["ranks"]]
        ranks = [{**reply, "outputs": [self._handle() for _ in each], "dtypes": ["float32"] * len(each)} for each in outputs]
        return {"ok": {"ranks": [{**each, "run": rank} for rank, each in enumerate(ranks)]}}

    def _handle(self) -> int:
        self._arrays += 1
        return self._arrays

    def asked(self, kind: str) -> List[Dict[str, Any]]:
        """Requests of one kind."""
        return [request for request in self.requests if request["call"] == kind]


def _split(payload: bytes, sizes: List[int]) -> List[Program]:
    starts = [sum(sizes[:k]) for k in range(len(sizes))]
    return [Program(payload[start : start + size]) for start, size in zip(starts, sizes)]


class Listening:
    """The real host in place of a fake one; keeps what is asked of it."""

    def __init__(self) -> None:
        """Starts listening."""
        self.requests: List[Dict[str, Any]] = []
        self.programs: List[Program] = []
        #: Of the last run: with all cores' instructions, then each core's own.
        self.last_programs: List[Program] = []
        self._real = host.connection or host._connect()
        host.connection = self

    def call(self, header: Dict[str, Any], payload: bytes) -> Tuple[Dict[str, Any], bytes]:
        """One request, passed on."""
        self.requests.append(header)
        if header["call"] == "run":
            self.last_programs = _split(payload, header["bytes"])
            self.programs.append(self.last_programs[0])
        return self._real.call(header, payload)

    def asked(self, kind: str) -> List[Dict[str, Any]]:
        """Requests of one kind."""
        return [request for request in self.requests if request["call"] == kind]


@contextmanager
def environment(**variables: str) -> Iterator[None]:
    """With these variables; one that is empty is left out."""
    before = dict(os.environ)
    os.environ.update({name: value for name, value in variables.items() if value})
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def scratch_folder() -> str:
    """A new empty folder. `tempfile` draws its names from the system's randomness, which the bundled interpreter does not have."""
    if sys.platform != "emscripten":
        return tempfile.mkdtemp()
    folder = f"/tmp/record-{time.monotonic_ns()}"
    os.makedirs(folder)
    return folder


def fresh_host() -> FakeHost:
    """A new host in place of the old one, and settings of a run that nobody configured."""
    fake = FakeHost()
    host.connection = fake
    settings = launch_settings.settings
    settings.target, settings.target_is_given, settings.instruction_limit, settings.progress_every = "trn2", False, 0, 0
    return fake


def restore() -> None:
    """Puts back what was there before: each test module's `tearDownModule`."""
    host.connection = _BEFORE[0]
    vars(launch_settings.settings).clear()
    vars(launch_settings.settings).update(_BEFORE[1])


def recorded(kernel: Any, *args: Any, **kwargs: Any) -> Program:
    """Calls a kernel on a new host; the program it recorded."""
    fake = fresh_host()
    kernel(*args, **kwargs)
    return fake.programs[-1]
