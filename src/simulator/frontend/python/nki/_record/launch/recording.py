"""The recording of one rank: the body once per program of the grid, and what is kept of it."""

from __future__ import annotations

import inspect
import itertools
import os
import warnings
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ..calls import functions
from ..program import cores, encoding, locations, loops, program, schedule
from ..vocabulary import versions
from ..vocabulary.context import context
from ..wire import arrays, host
from . import call_arguments, configs, front_ends, keywords, returned_values
from .launch import Launch
from .settings import settings


class Recorded(NamedTuple):
    """A call as one rank has recorded it."""

    programs: List[bytes]
    #: What the host must know of several cores; of a recording of another thread, its rank.
    of_cores: Dict[str, Any]
    #: In the order of the program's inputs: the arguments, then what the kernel has added.
    inputs: List[host.HostArray]
    #: Name, array and the caller's value of each argument that is an array.
    arguments: List[Tuple[str, host.HostArray, Any]]
    #: All other arguments.
    others: List[Any]
    #: Number of the argument, and its tensor, of those that the kernel writes.
    changed: List[Tuple[int, returned_values.Output]]
    #: Extents of each output, by its tensor.
    outputs: Dict[int, Tuple[int, ...]]
    #: What it returns, with an `Output` for each tensor.
    returned: Any
    family: arrays.Family
    #: Another rank with arguments of the same kinds records the same.
    is_shared: bool


class Elsewhere(NamedTuple):
    """Of a recording of another thread: what this one needs to give the caller its results."""

    returned: Any
    outputs: Dict[int, Tuple[int, ...]]
    changed: List[Tuple[int, returned_values.Output]]


def of_rank(function: Callable[..., Any], launch: Launch, machine: Any, args: Sequence[Any], kwargs: Dict[str, Any]) -> Recorded:
    """One rank's recording."""
    context.rank_matters = False
    family = arrays.family_of([*args, *kwargs.values()])
    returned = _recorded(function, launch, machine.generation, args, kwargs)
    while launch.must_go_on():
        launch = launch.again()
        returned = _recorded(function, launch, machine.generation, args, kwargs)
    return _ended(launch, machine.target, returned, family)


def again(recorded: Sequence[Recorded], function: Callable[..., Any], args: Sequence[Any], kwargs: Dict[str, Any]) -> Optional[Recorded]:
    """The first rank's recording with other arrays, where nothing else can differ; None: this rank has to be recorded itself."""
    if not recorded or not recorded[0].is_shared:
        return None
    first = recorded[0]
    leaves = _leaves(function, args, kwargs)
    own = [(name, array, value) for name, array, value in leaves if array is not None]
    kinds = [(name, array.dtype, array.shape) for name, array, _ in own]
    if kinds != [(name, array.dtype, array.shape) for name, array, _ in first.arguments]:
        return None
    others = [value for _, array, value in leaves if array is None]
    if len(others) != len(first.others) or any(a is not b for a, b in zip(others, first.others)):
        return None
    inputs = [arrays.as_held(name, array) for name, array, _ in own]
    return first._replace(inputs=[*inputs, *first.inputs[len(own) :]], arguments=own)


def elsewhere(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Dict[str, Any], rank: int, known: Elsewhere, constants: List[host.HostArray]
) -> Recorded:
    """A rank's recording of another thread, of which the host has the programs. `constants`: arrays that the kernel has added."""
    own = [(name, array, value) for name, array, value in _leaves(function, args, kwargs) if array is not None]
    inputs = [arrays.as_held(name, array) for name, array, _ in own]
    family = arrays.family_of([*args, *kwargs.values()])
    returned, outputs, changed = known
    return Recorded([], {"rank": rank}, [*inputs, *constants], own, [], changed, outputs, returned, family, False)


def _leaves(function: Callable[..., Any], args: Sequence[Any], kwargs: Dict[str, Any]) -> List[Tuple[str, Optional[host.HostArray], Any]]:
    bound = inspect.signature(function).bind(*args, **kwargs)
    return [leaf for name, value in bound.arguments.items() for leaf in call_arguments.leaves(name, value)]


def sharing(recorded: Sequence[Recorded], own: Recorded) -> Recorded:
    """With the programs of an earlier rank that recorded the same, so that they are held, sent and compiled once."""
    alike = (each for each in recorded if each.programs == own.programs and each.of_cores == own.of_cores)
    first = next(alike, None)
    return own if first is None else own._replace(programs=first.programs, of_cores=first.of_cores)


def _recorded(function: Callable[..., Any], launch: Launch, generation: str, args: Sequence[Any], kwargs: Dict[str, Any]) -> Any:
    """Runs the body once per program of the grid. Returns what the first one does."""
    _begin(launch, generation)
    context.call = launch
    args, kwargs = call_arguments.as_tensors(function, launch, args, kwargs)
    returned: List[Any] = []
    for ids in itertools.product(*map(range, launch.grid)):
        launch.begin_program(ids)
        if launch.cross_core.stopped(launch.core):
            continue
        locations.enter_program(ids)
        with launch.cross_core.recording(launch.core), keywords.known(launch.dialect):
            result = locations.call_kernel(function, args, kwargs)
            returned.append(returned_values.in_hbm(result) if launch.simulated else result)
        launch.end_program()
    return returned[0] if returned else None


def _begin(launch: Launch, generation: str) -> None:
    version = versions.parse(_version_asked_for() or versions.NEWEST)
    if (generation, version) != (context.generation, context.nki_version):
        functions.forget_known_calls()
    context.generation, context.dialect, context.nki_version = generation, launch.dialect, version
    configs.check_version(launch.configs)
    context.ignores_placements = launch.ignores_placements
    front_ends.check()
    program.reset(settings.instruction_limit, settings.progress_every, _tell_progress)
    schedule.begin(launch.edges)
    locations.reset()


def _version_asked_for() -> str:
    return settings.nki_version or os.environ.get("NKI_SCOPE_NKI_VERSION") or ""


def _tell_progress(instructions: int) -> None:
    host.call({"call": "progress", "instructions": instructions})


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
        _warn(f"the kernel {launch.name} returns nothing and writes no argument: return its output tensor")
    if differences := launch.configs.compile.differences():
        _warn(f"the times of {launch.name} are those of the default compile_config: NKI Scope has no model of {', '.join(differences)}")
    meta = {"kernel": launch.name, "dialect": launch.dialect, "target": target, "grid": list(launch.grid), "literal": launch.literal}
    # Without one a legacy kernel runs with older software, and others with the newest.
    tells = context.nki_version != versions.NEWEST if launch.dialect == "nki" else bool(_version_asked_for())
    if tells:
        meta["nkiVersion"] = context.nki_version
    named = ([(name, tensor) for name, tensor, _ in launch.inputs], [(name, tensor) for tensor, name in outputs.items()])
    return Recorded(
        *_programs(launch, meta, *named),
        [array for _, _, array in launch.inputs],
        [(name, array, value) for (name, _, value), array in zip(launch.arguments, launch.given)],
        launch.others,
        [(number, returned_values.output_of(storage)) for number, storage in changed],
        {tensor: returned_values.stored_shape(tensor) for tensor in outputs},
        returned_values.described(returned),
        family,
        not context.rank_matters,
    )


def _warn(text: str) -> None:
    """Of the whole kernel, on its line: its time or its values can still be of interest."""
    file, line = program.frame_location(program.KERNEL_FRAME)
    warnings.warn_explicit(text, UserWarning, file, line)


def _programs(launch: Launch, meta: Dict[str, Any], inputs: Any, outputs: Any) -> Tuple[List[bytes], Dict[str, Any]]:
    """The program with all values; with several cores, then each core's own, and what the host must know of them."""
    if launch.cores == 1:
        return [encoding.encode(meta, inputs, outputs)], {}
    together, apart, places, barriers = cores.merged(launch.spans, launch.cores)
    alone = [encoding.encode(meta, inputs, outputs, code) for code in apart]
    return [encoding.encode(meta, inputs, outputs, together), *alone], {"places": places, "coreBarriers": barriers}
