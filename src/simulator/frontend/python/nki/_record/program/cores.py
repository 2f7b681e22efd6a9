"""LNC2: two physical cores run the same kernel side by side, with shared HBM, `core_barrier` and `sendrecv` between them.

The cores' programs are recorded one after the other. (If the control flow of one needs a value of the other: `cross_core.py`.) To compute
values, the programs are interleaved at the points where the cores wait for each other. For timing each core has its own program, and both
wait for each other at those points.
Source: aws-neuron-sdk nki/get-started/about/lnc.rst; nki/api/nki/isa/__init__.py core_barrier, sendrecv.
"""

from __future__ import annotations

from array import array
from typing import Any, Collection, Dict, List, NamedTuple, Sequence, Set, Tuple

from ..vocabulary.errors import HostError
from ..vocabulary.table import ROWS
from . import program
from .encoding import Code, recorded
from .program import PLANS, Plan

#: Physical cores of a logical one, at most.
MOST = 2

#: Instruction sets in which a core can wait for another.
GENERATIONS = next(row.generations for row in ROWS.values() if row.waits_for)

#: Instructions [first, stop) of the recorded program.
Run = Tuple[int, int]


class Part(NamedTuple):
    """The instructions of a core up to a wait for the other core (the waiting instruction is last; -1 at the end of its program)."""

    runs: List[Run]
    wait: int


class Merged(NamedTuple):
    """Programs of several cores: `together` has all instructions in an order in which values come out right, `apart` each core's own."""

    together: Code
    apart: List[Code]
    #: For each core, the positions of its instructions in `together`: (position, count), in the core's order.
    places: List[List[Tuple[int, int]]]
    #: For each core, its instructions that wait for the others: the k-th ones wait for one another.
    barriers: List[List[int]]


class Assumed(NamedTuple):
    """A core's instruction read an argument after a wait, for the kernel's control flow, as if no other core had written it."""

    core: int
    tensor: int
    instruction: int


def merged(spans: Sequence[Tuple[int, Run]], cores: int) -> Merged:
    """The recorded program for values and for time. `spans`: (core, instructions)."""
    code = recorded()
    runs, parts = _of_cores(code, spans, cores)
    _check_waits(code, parts)
    starts, order = code.operand_starts(), _interleaved(parts)
    together = _selected(_exchanged(code, starts, parts), starts, order)
    apart = [_selected(code, starts, own) for own in runs]
    barriers = [[_place(own, part.wait) for part in parts[core] if part.wait >= 0] for core, own in enumerate(runs)]
    return Merged(together, apart, [_places(order, own) for own in runs], barriers)


def _place(own: Sequence[Run], at: int) -> int:
    """Of a recorded instruction among those of its core."""
    return sum(min(stop, at) - first for first, stop in own if first < at)


def so_far(spans: Sequence[Tuple[int, Run]], cores: int, stopped: Collection[int]) -> Tuple[Code, List[int]]:
    """The instructions to execute if the programs of some cores (`stopped`) are recorded only in part; and the stopped cores whose part
    is executed completely. There is at least one of these: HostError if they wait for each other."""
    code = recorded()
    _, parts = _of_cores(code, spans, cores)
    steps = min(map(len, parts))
    arrived = [core for core in stopped if len(parts[core]) == steps]
    done = parts if not arrived else [[*own[: steps - 1], Part(own[steps - 1].runs, -1)] for own in parts]
    _check_waits(code, done)
    starts = code.operand_starts()
    return _selected(_exchanged(code, starts, done), starts, _interleaved(done)), arrived


def mistaken(spans: Sequence[Tuple[int, Run]], cores: int, assumed: Sequence[Assumed]) -> Set[int]:
    """Arguments of which it was assumed wrongly that no other core writes them."""
    if not assumed:
        return set()
    code = recorded()
    starts, parts = code.operand_starts(), _of_cores(code, spans, cores)[1]
    return {each.tensor for each in assumed if _is_written_elsewhere(code, starts, parts, each)}


def _is_written_elsewhere(code: Code, starts: array, parts: Sequence[List[Part]], assumed: Assumed) -> bool:
    waited = sum(0 <= part.wait < assumed.instruction for part in parts[assumed.core])
    others = (own for core, own in enumerate(parts) if core != assumed.core)
    done = (at for own in others for part in own[:waited] for run in part.runs for at in range(*run))
    return any(PLANS[code.plans[at]].writes and code.tensors[starts[at]] == assumed.tensor for at in done)


def _of_cores(code: Code, spans: Sequence[Tuple[int, Run]], cores: int) -> Tuple[List[List[Run]], List[List[Part]]]:
    """Each core's instructions, and the same cut where it waits."""
    runs = [[run for core, run in spans if core == number] for number in range(cores)]
    return runs, [_parts(code, core, own) for core, own in enumerate(runs)]


def _interleaved(parts: Sequence[List[Part]]) -> List[Run]:
    """All instructions, in an order that gives correct values."""
    order: List[Run] = []
    for step in zip(*parts):
        order.extend(run for part in step for run in part.runs)
        order.extend((part.wait, part.wait + 1) for part in step if part.wait >= 0)
    return order


def _places(order: Sequence[Run], own: Sequence[Run]) -> List[Tuple[int, int]]:
    position, placed = 0, []
    for first, stop in order:
        if any(begin <= first < end for begin, end in own):
            placed.append((first, position, stop - first))
        position += stop - first
    # a core's instructions are in the order in which they were recorded
    return [(at, count) for _, at, count in sorted(placed) if count > 0]


def _parts(code: Code, core: int, runs: Sequence[Run]) -> List[Part]:
    waits = {plan_id for plan_id in set(code.plans) if _waits(PLANS[plan_id], core)}
    parts: List[Part] = []
    since: List[Run] = []
    for first, stop in runs:
        for at in range(first, stop) if waits else ():
            if code.plans[at] in waits:
                parts.append(Part([*since, (first, at)], at))
                since, first = [], at + 1
        since.append((first, stop))
    return [*parts, Part(since, -1)]


def _waits(plan: Plan, core: int) -> bool:
    """True when the core waits for another there."""
    if plan.row.waits_for == "cores":
        return len(plan.attributes.get("cores") or ()) > 1
    return _exchanges(plan) and plan.attributes["recv_from_rank"] != core


def _exchanges(plan: Plan) -> bool:
    return plan.row.waits_for == "recv_from_rank"


def _check_waits(code: Code, parts: Sequence[List[Part]]) -> None:
    """Checks that all cores wait for each other at the same instructions. HostError on the line of a wait that never ends."""
    most = max(map(len, parts))
    for step in range(most - 1):
        waits = [own[step].wait if step < len(own) else -1 for own in parts]
        kinds = [None if at < 0 else _kind(PLANS[code.plans[at]]) for at in waits]
        if len(set(kinds)) > 1:
            core = next(number for number, kind in enumerate(kinds) if kind)
            others = " and ".join(f"core {n} {_does(kind)}" for n, kind in enumerate(kinds) if n != core)
            error = HostError("NkiValidationError", f"core {core} waits for the other here for ever: it {_does(kinds[core])}, {others}")
            error.location = program.frame_location(code.frames[waits[core]])
            raise error


def _kind(plan: Plan) -> Tuple[str, Any]:
    return plan.row.short_name, plan.attributes.get("pipe_id")


def _does(kind: Any) -> str:
    if kind is None:
        return "ends its program"
    name, pipe = kind
    return f"calls {name}" if pipe is None else f"calls {name} with pipe_id {pipe}"


# -- instructions in another order ------------------------------------------------------------------------------------


def _selected(code: Code, starts: array, runs: Sequence[Run]) -> Code:
    def joined(column: array, cuts: Sequence[Run]) -> array:
        result = array(column.typecode)
        for first, stop in cuts:
            result.extend(column[first:stop])
        return result

    operands = [(starts[first], starts[stop]) for first, stop in runs]
    own = [joined(column, runs) for column in (code.plans, code.frames, code.iterations)]
    return Code(*own, joined(code.tensors, operands), joined(code.offsets, operands))


def _exchanged(code: Code, starts: array, parts: Sequence[List[Part]]) -> Code:
    """The code in which every `sendrecv` reads what the other core sends."""
    plans, tensors, offsets = code.plans[:], code.tensors[:], code.offsets[:]
    for step in zip(*parts):
        waits = [part.wait for part in step]
        if waits[0] < 0 or not _exchanges(PLANS[code.plans[waits[0]]]):
            continue
        for at in waits:
            plan = PLANS[code.plans[at]]
            sender = waits[plan.attributes["recv_from_rank"]]
            source = PLANS[code.plans[sender]]
            mine, theirs = _source(plan), _source(source)
            tensors[starts[at] + mine] = code.tensors[starts[sender] + theirs]
            offsets[starts[at] + mine] = code.offsets[starts[sender] + theirs]
            plans[at] = _receiving(plan, source).id
    return Code(plans, code.frames, code.iterations, tensors, offsets)


def _source(plan: Plan) -> int:
    return plan.order.index("src")


_received: Dict[Tuple[int, int], Plan] = {}


def _receiving(plan: Plan, source: Plan) -> Plan:
    """The plan with the access pattern of the other core's source."""
    made = _received.get((plan.id, source.id))
    if made is None:
        patterns = [(plan.slots[k], plan.dtypes[k], *plan.pattern(k)) for k in range(len(plan.slots))]
        mine, theirs = _source(plan), _source(source)
        patterns[mine] = (plan.slots[mine], source.dtypes[theirs], *source.pattern(theirs))
        made = _received[plan.id, source.id] = Plan(plan.row, plan.attributes, patterns)
        made.order = plan.order
    return made
