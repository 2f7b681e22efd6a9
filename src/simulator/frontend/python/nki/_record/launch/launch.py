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
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

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
    #: Ranks that every kernel call of the script runs on.
    ranks = 1


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
        #: The arrays of `arguments`, as they were given.
        self.given: List[host.HostArray] = []
        #: Arguments that are no arrays.
        self.others: List[Any] = []
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
        self.inputs.append((name, tensor._storage.id, _held(name, array)))
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


#: Positional and named arguments.
Arguments = Tuple[Sequence[Any], Dict[str, Any]]


def run(
    function: Callable[..., Any], make: Callable[[], Launch], target: Optional[str], ranks: Sequence[Arguments], fetch: bool = True
) -> List[Ran]:
    """Records and simulates one call, on as many ranks as there are arguments. `fetch`: bring the results' values back where the
    caller's library wants them at once."""
    machine, first = machine_of(_asked_for(target)), make()
    having = cores.GENERATIONS
    if first.cores > 1 and not in_set(machine.generation, having):
        raise NkiValidationError(
            f"{first.name} is launched on {first.cores} physical cores, and {machine.target} has no logical ones; "
            f"they are on {targets_in(having)}"
        )
    context.ranks = len(ranks)
    try:
        if "numpy" in sys.modules:
            arrays.name_narrow_types()
        recorded: List[Recorded] = []
        for context.rank, (args, kwargs) in enumerate(ranks):
            recorded.append(_again(recorded, function, args, kwargs) or _of_rank(function, make(), machine, args, kwargs))
        replies = _simulate(recorded)
        return [Ran(reply, _results(each, reply, fetch)) for each, reply in zip(recorded, replies)]
    finally:
        context.call = None
        context.rank, context.ranks = 0, 1


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
        launch.others.append(value)
        return value
    tensor = launch.input(name, array)
    launch.arguments.append((name, tensor._storage, value))
    launch.given.append(array)
    return tensor


def _held(name: str, array: host.HostArray) -> host.HostArray:
    """The array as its tensor holds it."""
    return arrays.words_of(array) if arrays.kernel_dtype(name, array.dtype) is INT64 else array


def _leaves(name: str, value: Any) -> Iterator[Tuple[str, Optional[host.HostArray], Any]]:
    """What `_argument` finds in an argument, without a tensor for it."""
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        for k, item in enumerate(value):
            yield from _leaves(f"{name}_{k}", item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(f"{name}_{key}", item)
    else:
        yield name, arrays.to_host(name, value), value


class Recorded(NamedTuple):
    """A call as one rank has recorded it."""

    programs: List[bytes]
    #: What the host must know of several cores.
    of_cores: Dict[str, Any]
    #: In the order of the program's inputs: the arguments, then what the kernel has added.
    inputs: List[host.HostArray]
    #: Name, array and the caller's value of each argument that is an array.
    arguments: List[Tuple[str, host.HostArray, Any]]
    #: All other arguments.
    others: List[Any]
    #: Number of the argument, and its tensor's storage, of those that the kernel writes.
    changed: List[Tuple[int, Storage]]
    #: Extents of each output, by its tensor.
    outputs: Dict[int, Tuple[int, ...]]
    returned: Any
    family: arrays.Family
    #: Another rank with arguments of the same kinds records the same.
    is_shared: bool


def _of_rank(function: Callable[..., Any], launch: Launch, machine: Any, args: Sequence[Any], kwargs: Dict[str, Any]) -> Recorded:
    """One rank's recording."""
    context.rank_matters = False
    family = arrays.family_of([*args, *kwargs.values()])
    returned = _recorded(function, launch, machine.generation, args, kwargs)
    while launch.must_go_on():
        launch = launch.again()
        returned = _recorded(function, launch, machine.generation, args, kwargs)
    return _ended(launch, machine.target, returned, family)


def _ended(launch: Launch, target: str, returned: Any, family: arrays.Family) -> Recorded:
    """What is kept of a recording."""
    schedule.apply(launch.edges)
    loops.check_cores(launch.trips)
    outputs: Dict[int, str] = {}
    for name, tensor in returned_values.tensors(returned):
        outputs.setdefault(returned_values.output(tensor, name), name)
    written = program.written_tensors()
    changed = [(number, storage) for number, (_, storage, _) in enumerate(launch.arguments) if storage.id in written]
    for number, storage in changed:
        outputs.setdefault(storage.id, launch.arguments[number][0])
    if not outputs and program.count() > 0:
        _warn_without_results(launch)
    meta = {"kernel": launch.name, "dialect": launch.dialect, "target": target, "grid": list(launch.grid), "literal": launch.literal}
    if launch.dialect == "nki" and context.nki_version != versions.NEWEST:
        meta["nkiVersion"] = context.nki_version
    named = ([(name, tensor) for name, tensor, _ in launch.inputs], [(name, tensor) for tensor, name in outputs.items()])
    return Recorded(
        *_programs(launch, meta, *named),
        [array for _, _, array in launch.inputs],
        [(name, array, value) for (name, _, value), array in zip(launch.arguments, launch.given)],
        launch.others,
        changed,
        {tensor: returned_values.stored_shape(tensor) for tensor in outputs},
        returned,
        family,
        not context.rank_matters,
    )


def _again(recorded: Sequence[Recorded], function: Callable[..., Any], args: Sequence[Any], kwargs: Dict[str, Any]) -> Optional[Recorded]:
    """The first rank's recording with other arrays, where nothing else can differ; None: this rank has to be recorded itself."""
    if not recorded or not recorded[0].is_shared:
        return None
    first = recorded[0]
    bound = inspect.signature(function).bind(*args, **kwargs)
    leaves = [leaf for name, value in bound.arguments.items() for leaf in _leaves(name, value)]
    own = [(name, array, value) for name, array, value in leaves if array is not None]
    kinds = [(name, array.dtype, array.shape) for name, array, _ in own]
    if kinds != [(name, array.dtype, array.shape) for name, array, _ in first.arguments]:
        return None
    others = [value for _, array, value in leaves if array is None]
    if len(others) != len(first.others) or any(a is not b for a, b in zip(others, first.others)):
        return None
    inputs = [_held(name, array) for name, array, _ in own]
    return first._replace(inputs=[*inputs, *first.inputs[len(own) :]], arguments=own)


def _results(recorded: Recorded, reply: Dict[str, Any], fetch: bool) -> Any:
    """What the caller gets; arguments that the kernel writes have their new values then."""
    made = {
        tensor: host.HostArray(handle, shape, dtype)
        for (tensor, shape), handle, dtype in zip(recorded.outputs.items(), reply["outputs"], reply["dtypes"])
    }
    for number, storage in recorded.changed:
        arrays.write_back(recorded.arguments[number][2], returned_values.array_of(storage, made), fetch)
    return returned_values.results(recorded.returned, made, recorded.family, fetch)


def _programs(launch: Launch, meta: Dict[str, Any], inputs: Any, outputs: Any) -> Tuple[List[bytes], Dict[str, Any]]:
    """The program with all values; with several cores, then each core's own, and what the host must know of them."""
    if launch.cores == 1:
        return [encoding.encode(meta, inputs, outputs)], {}
    together, apart, places, barriers = cores.merged(launch.spans, launch.cores)
    alone = [encoding.encode(meta, inputs, outputs, code) for code in apart]
    return [encoding.encode(meta, inputs, outputs, together), *alone], {"places": places, "coreBarriers": barriers}


def _simulate(recorded: Sequence[Recorded]) -> List[Dict[str, Any]]:
    """The host's replies, rank by rank."""
    if len(recorded) > 1:
        return _simulate_ranks(recorded)
    (only,) = recorded
    header = {"call": "run", "inputs": _handles(only), **_described(only), "precise": is_precise()}
    try:
        reply = host.call(header, _joined(only.programs))[0]
    except HostError as error:
        if error.frame is not None:
            error.location = program.frame_location(error.frame)
        raise
    if host.is_own():
        _warn_of(reply["checks"])
    return [reply]


def _simulate_ranks(recorded: Sequence[Recorded]) -> List[Dict[str, Any]]:
    """Programs that ranks share are sent once."""
    numbers: Dict[int, int] = {}
    sent: List[Recorded] = []
    for each in recorded:
        if numbers.setdefault(id(each.programs), len(sent)) == len(sent):
            sent.append(each)
    header = {
        "call": "runRanks",
        "programs": [_described(each) for each in sent],
        "ranks": [{"program": numbers[id(each.programs)], "inputs": _handles(each)} for each in recorded],
        "precise": is_precise(),
    }
    replies: List[Dict[str, Any]] = host.call(header, _joined([data for each in sent for data in each.programs]))[0]["ranks"]
    if host.is_own():
        _warn_of(replies[0]["checks"])
    return replies


def _handles(recorded: Recorded) -> List[int]:
    return [array.handle for array in recorded.inputs]


def _described(recorded: Recorded) -> Dict[str, Any]:
    return {"bytes": [len(data) for data in recorded.programs], **recorded.of_cores}


def _joined(programs: Sequence[bytes]) -> bytes:
    return b"".join(programs) if len(programs) > 1 else programs[0]
