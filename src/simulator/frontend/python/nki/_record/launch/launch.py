"""One kernel call: arguments to tensors, the body once per program of the grid, the Program to the host, results back.

The instances of a grid are recorded one after another into one program; tensors in shared HBM are theirs together. Those of a
kernel over two physical cores (LNC2) are put together by `cores.py`; all others share one simulated core.
"""

from __future__ import annotations

import inspect
import itertools
import math
import os
import sys
import warnings
from enum import Enum
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from ..allocation import allocation, traced
from ..calls import assign, functions
from ..calls.grid import NeuronCores
from ..program import cores, encoding, locations, loops, program, schedule
from ..tensors.memory import MemoryRegion, Storage
from ..tensors.tensor import Tensor
from ..values import cross_core, live, show
from ..vocabulary import versions
from ..vocabulary.context import context
from ..vocabulary.dtypes import INT64, Dtype
from ..vocabulary.enums import ENUMS
from ..vocabulary.errors import HostError, NkiCheckWarning, NkiUnsupportedError, NkiValidationError
from ..vocabulary.table import DEFAULT_TARGET, in_set, machine_of, targets_in
from ..wire import arrays, host
from . import front_ends, returned_values

#: Code of `TENSOR_KINDS`.
_INPUT = program.KINDS.index("input")


class Settings:
    """What a run asks for; set from the job, or from the environment."""

    target = DEFAULT_TARGET
    instruction_limit = 0
    progress_every = 0
    #: Version of NKI that kernels are written for, as the program that started the run says; "": the environment's, else the newest.
    nki_version = ""
    #: True when the start of the run chose the target: a kernel's own platform_target= and what a script sets then give way.
    target_is_given = False


settings = Settings()


def is_precise() -> bool:
    """False with NKI_PRECISE_FP=0: floats of less than 32 bits are held as float32, so that nothing is rounded on the way.

    Source: aws-neuron-sdk nki/guides/nki_simulator.rst "Precise Floating-Point Mode".
    """
    return os.environ.get("NKI_PRECISE_FP", "1") != "0"


class Launch:
    """The kernel call being recorded."""

    def __init__(
        self,
        name: str,
        dialect: str,
        literal: bool,
        grid: Tuple[int, ...],
        simulated: bool = False,
        edges: Sequence[Any] = (),
        ignores_placements: bool = False,
    ) -> None:
        """`grid`: () for a plain call. `simulated`: for the legacy dialect's simulator, which takes what its compiler does not.
        `edges`: of `with_schedule`. `ignores_placements`: of `force_auto_alloc`.
        """
        self.name = name
        self.dialect = dialect
        self.literal = literal
        self.simulated = simulated
        self.grid = grid
        self.edges = list(edges)
        self.ignores_placements = ignores_placements
        if edges and math.prod(grid) > 1:
            raise NkiUnsupportedError("with_schedule on several programs is not supported by this version of NKI Scope")
        self.ids: Tuple[int, ...] = ()
        self.cores = _cores(grid, dialect)
        #: (core, instructions) of each instance, in the order of recording.
        self.spans: List[Tuple[int, cores.Run]] = []
        #: Of each core, the loops that are compiled as one.
        self.trips: List[loops.Trips] = [[] for _ in range(self.cores)]
        self.inputs: List[Tuple[str, int, host.HostArray]] = []
        self.arguments: List[Tuple[str, Storage, Any]] = []
        self.constants: Dict[Any, Tensor] = {}
        #: Tensors in shared HBM: the programs' own together.
        self.shared_tensors: List[Tensor] = []
        self._shared_next = 0
        #: What the host has of the program, when values were asked for.
        self.sent = encoding.Mark()
        self.sent_inputs = 0
        #: What values were computed from although a core that is recorded later may write it.
        self.assumed: List[cores.Assumed] = []
        #: To what the control flow of one core asks of the other.
        self.cross_core = cross_core.CrossCoreValues(self.cores)

    def again(self) -> Launch:
        """The same call, with nothing recorded but the answers kept."""
        made = Launch(self.name, self.dialect, self.literal, self.grid, self.simulated, self.edges, self.ignores_placements)
        made.cross_core = self.cross_core
        return made

    def must_go_on(self) -> bool:
        """True when the kernel has to be recorded again; what this recording has found out is kept for that."""
        wrong = cores.mistaken(self.spans, self.cores, self.assumed)
        if wrong:
            self.cross_core = cross_core.CrossCoreValues(self.cores, self.cross_core.written | wrong)
        elif self.cross_core.missing:
            self.cross_core.find(self.spans, [(tensor, array.handle) for _, tensor, array in self.inputs])
        else:
            return False
        return True

    def begin_program(self, ids: Tuple[int, ...]) -> None:
        """The next instance of the grid."""
        self.ids = ids
        self._shared_next = 0
        #: A collective that is set up and not triggered yet (`collectives.py`).
        self.prepared: Any = None
        self.begun = program.count()
        self._trips_begun = len(program.state.trips)
        traced.reset()

    def end_program(self) -> None:
        """All of the instance is recorded."""
        if self.prepared is not None:
            raise NkiValidationError(f"{self.prepared.row}_prepare without {self.prepared.row}_trigger: each prepare needs one")
        self.spans.append((self.core, (self.begun, program.count())))
        self.trips[self.core] += program.state.trips[self._trips_begun :]

    @property
    def core(self) -> int:
        """The physical core of this instance."""
        if self.cores == 1:
            return 0
        along = next((axis for axis, extent in enumerate(self.grid) if isinstance(extent, NeuronCores)), None)
        return sum(self.ids) % self.cores if along is None else self.grid[along].core_of(self.ids[along])

    def shared(self, shape: Sequence[int], dtype: Dtype, name: str, frame: int) -> Tensor:
        """A tensor in shared HBM: the n-th one of every instance is the same."""
        if self._shared_next == len(self.shared_tensors):
            self.shared_tensors.append(allocation.allocate(shape, dtype, MemoryRegion.shared_hbm, name, frame))
        tensor = self.shared_tensors[self._shared_next]
        if tensor.shape != tuple(shape) or tensor.dtype != dtype:
            raise NkiValidationError(
                f"program {self.ids} allocates {name or 'a tensor'} {dtype}{list(shape)} where program 0 has {tensor._described()}"
            )
        self._shared_next += 1
        return tensor

    def input(self, name: str, array: host.HostArray, kind: int = _INPUT) -> Tensor:
        """An HBM tensor with the values of a host array."""
        dtype = arrays.kernel_dtype(name, array.dtype)
        tensor = allocation.allocate(array.shape or (1,), dtype, MemoryRegion.private_hbm, name, program.KERNEL_FRAME, kind=kind)
        self.inputs.append((name, tensor._storage.id, arrays.words_of(array) if dtype is INT64 else array))
        return tensor

    # -- what tensors ask for (`KernelCall`) --------------------------------------------------------------------------

    def operate(self, name: str, *operands: Any, **options: Any) -> Any:
        """Records a function of today's `nki.language`; its result."""
        return functions.LANGUAGE[name](*operands, **options)

    def assign(self, dst: Tensor, value: Any) -> None:
        """Writes a tensor or a number into a view."""
        assign.assign(dst, value)

    def assign_in_place(self, dst: Tensor, value: Any, name: str) -> Tensor:
        """`dst = name(dst, value)`; returns `dst`."""
        return assign.add_in_place(dst, value, name)

    def read_scalar(self, tensor: Tensor) -> int:
        """The one element of a tensor, as it is at this moment of the kernel."""
        return live.read_scalar(self, tensor)

    def known_scalar(self, tensor: Tensor) -> Optional[int]:
        """The same; None where the other core has a part in it."""
        return live.known_scalar(self, tensor)

    def holds(self, tensor: Tensor) -> bool:
        """True when an `assert` of a tensor holds at this moment of the kernel."""
        return live.truth(self, tensor)

    def described(self, tensor: Tensor) -> str:
        """A tensor with its values, as people read it."""
        return show.described(self, tensor)


def _cores(grid: Tuple[int, ...], dialect: str) -> int:
    """Physical cores that a grid runs on: in today's dialect the grid is the LNC, in the legacy one `nl.nc` marks it."""
    marked = [extent.cores for extent in grid if isinstance(extent, NeuronCores)]
    count = 1
    for extent in marked if dialect != "nki" or marked else grid:
        count *= extent
    if count > cores.MOST:
        launched = f"nl.nc({count})" if marked else f"a grid of {count} programs"
        raise NkiValidationError(f"{launched}: a logical NeuronCore has {cores.MOST} physical cores at most")
    return count


def nc_version() -> Enum:
    """The generation being simulated as an `nki.isa.nc_version`."""
    generation = context.generation if context.call is not None else machine_of(_asked_for(None)).generation
    return ENUMS["nc_version"][f"gen{generation[1:]}"]


class Ran:
    """What came of a kernel call: the host's reply, and the results in the caller's kind."""

    def __init__(self, reply: Dict[str, Any], results: Any) -> None:
        """`reply`: `RunReply` of the protocol."""
        self.reply = reply
        self.results = results


def run(
    function: Callable[..., Any], launch: Launch, target: Optional[str], args: Sequence[Any], kwargs: Dict[str, Any], fetch: bool = True
) -> Ran:
    """Records and simulates one call. `fetch`: bring the results' values back where the caller's library wants them at once."""
    machine = machine_of(_asked_for(target))
    chosen, generation = machine.target, machine.generation
    having = cores.GENERATIONS
    if launch.cores > 1 and not in_set(generation, having):
        raise NkiValidationError(
            f"{launch.name} is launched on {launch.cores} physical cores, and {chosen} has no logical ones; "
            f"they are on {targets_in(having)}"
        )
    try:
        if "numpy" in sys.modules:
            arrays.name_narrow_types()
        family = arrays.family_of([*args, *kwargs.values()])
        returned = _recorded(function, launch, generation, args, kwargs)
        while launch.must_go_on():
            launch = launch.again()
            returned = _recorded(function, launch, generation, args, kwargs)
        return _finish(launch, chosen, returned, family, fetch)
    finally:
        context.call = None


def _asked_for(target: Optional[str]) -> str:
    """The target of a call. `target`: of the kernel's decorator. AWS's guides set the variable after they import nki."""
    if settings.target_is_given:
        return settings.target
    return target or os.environ.get("NEURON_PLATFORM_TARGET_OVERRIDE") or settings.target


def _recorded(function: Callable[..., Any], launch: Launch, generation: str, args: Sequence[Any], kwargs: Dict[str, Any]) -> Any:
    """Runs the body once per program of the grid. Returns what the first one does."""
    _begin(launch, generation)
    context.call = launch
    args, kwargs = _arguments(function, launch, args, kwargs)
    returned: List[Any] = []
    for ids in itertools.product(*map(range, launch.grid)):
        launch.begin_program(ids)
        if launch.cross_core.stopped(launch.core):
            continue
        locations.enter_program(ids)
        with launch.cross_core.recording(launch.core):
            result = locations.call_kernel(function, args, kwargs)
            returned.append(returned_values.in_hbm(result) if launch.simulated else result)
        launch.end_program()
    return returned[0] if returned else None


def _begin(launch: Launch, generation: str) -> None:
    version = versions.parse(settings.nki_version or os.environ.get("NKI_SCOPE_NKI_VERSION") or versions.NEWEST)
    if (generation, version) != (context.generation, context.nki_version):
        functions.forget_known_calls()
    context.generation, context.dialect, context.nki_version = generation, launch.dialect, version
    context.ignores_placements = launch.ignores_placements
    front_ends.check()
    program.reset(settings.instruction_limit, settings.progress_every, _tell_progress)
    schedule.begin(launch.edges)
    locations.reset()


def _tell_progress(instructions: int) -> None:
    host.call({"call": "progress", "instructions": instructions})


def _arguments(
    function: Callable[..., Any], launch: Launch, args: Sequence[Any], kwargs: Dict[str, Any]
) -> Tuple[List[Any], Dict[str, Any]]:
    """Arrays as tensors; everything else as it is. Also makes frame 0: the kernel's `def`."""
    locations.frame_of_function(function)
    _check_function(function)
    bound = inspect.signature(function).bind(*args, **kwargs)
    for name, value in bound.arguments.items():
        bound.arguments[name] = _argument(launch, name, value)
    return list(bound.args), bound.kwargs


def _check_function(function: Callable[..., Any]) -> None:
    """A kernel runs from its first line to its last when it is called."""
    plain = inspect.unwrap(function)
    generator = inspect.isgeneratorfunction(plain) or inspect.isasyncgenfunction(plain)
    if generator or inspect.iscoroutinefunction(plain):
        kind = "a generator: return its results instead of yielding them" if generator else "a coroutine: define it with def, not async def"
        error = HostError("TypeError", f"the kernel {plain.__name__} is {kind}")
        error.location = program.frame_location(program.KERNEL_FRAME)
        raise error


def _warn_without_results(launch: Launch) -> None:
    """The kernel's results are lost. A warning only: its time can still be of interest."""
    file, line = program.frame_location(program.KERNEL_FRAME)
    text = f"the kernel {launch.name} returns nothing and writes no argument: return its output tensor"
    warnings.warn_explicit(text, UserWarning, file, line)


#: What Python's warnings keep of those that were shown.
_warned: Dict[Any, Any] = {}


def _warn_of(checks: Sequence[Dict[str, Any]]) -> None:
    """What the checks say, as Python's warnings on the kernel's lines: once a line, unless the user's filters say otherwise."""
    for check in checks:
        if check["severity"] == "info":
            continue
        warnings.warn_explicit(check["message"], NkiCheckWarning, check["file"], check["line"], registry=_warned)


def _argument(launch: Launch, name: str, value: Any) -> Any:
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        return type(value)(_argument(launch, f"{name}_{k}", item) for k, item in enumerate(value))
    if isinstance(value, dict):
        return {key: _argument(launch, f"{name}_{key}", item) for key, item in value.items()}
    array = arrays.to_host(name, value)
    if array is None:
        return value
    tensor = launch.input(name, array)
    launch.arguments.append((name, tensor._storage, value))
    return tensor


def _finish(launch: Launch, target: str, returned: Any, family: arrays.Family, fetch: bool) -> Ran:
    schedule.apply(launch.edges)
    loops.check_cores(launch.trips)
    outputs: Dict[int, str] = {}
    for name, tensor in returned_values.tensors(returned):
        outputs.setdefault(returned_values.output(tensor, name), name)
    written = program.written_tensors()
    changed = [(name, storage, value) for name, storage, value in launch.arguments if storage.id in written]
    for name, storage, _ in changed:
        outputs.setdefault(storage.id, name)
    if not outputs and program.count() > 0:
        _warn_without_results(launch)
    meta = {"kernel": launch.name, "dialect": launch.dialect, "target": target, "grid": list(launch.grid), "literal": launch.literal}
    if launch.dialect == "nki" and context.nki_version != versions.NEWEST:
        meta["nkiVersion"] = context.nki_version
    named = ([(name, tensor) for name, tensor, _ in launch.inputs], [(name, tensor) for tensor, name in outputs.items()])
    reply = _simulate(launch, *_programs(launch, meta, *named))
    if host.is_own():
        _warn_of(reply["checks"])
    handles = dict(zip(outputs, reply["outputs"]))
    made = {
        tensor: host.HostArray(handle, returned_values.stored_shape(tensor), dtype)
        for (tensor, handle), dtype in zip(handles.items(), reply["dtypes"])
    }
    for _, storage, value in changed:
        arrays.write_back(value, returned_values.array_of(storage, made), fetch)
    return Ran(reply, returned_values.results(returned, made, family, fetch))


def _programs(launch: Launch, meta: Dict[str, Any], inputs: Any, outputs: Any) -> Tuple[List[bytes], Dict[str, Any]]:
    """The program with all values; with several cores, then each core's own, and what the host must know of them."""
    if launch.cores == 1:
        return [encoding.encode(meta, inputs, outputs)], {}
    together, apart, places, barriers = cores.merged(launch.spans, launch.cores)
    alone = [encoding.encode(meta, inputs, outputs, code) for code in apart]
    return [encoding.encode(meta, inputs, outputs, together), *alone], {"places": places, "coreBarriers": barriers}


def _simulate(launch: Launch, programs: List[bytes], of_cores: Dict[str, Any]) -> Dict[str, Any]:
    header: Dict[str, Any] = {
        "call": "run",
        "inputs": [array.handle for _, _, array in launch.inputs],
        "bytes": [len(data) for data in programs],
    }
    header["precise"] = is_precise()
    header.update(of_cores)
    try:
        return host.call(header, b"".join(programs) if len(programs) > 1 else programs[0])[0]
    except HostError as error:
        if error.frame is not None:
            error.location = program.frame_location(error.frame)
        raise
