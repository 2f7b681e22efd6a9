"""One kernel call from its arguments to its results: each rank is recorded, all are simulated together, results go back to the caller."""

from __future__ import annotations

import sys
from typing import Any, Callable, Dict, List, Optional, Sequence

from ..program import cores
from ..vocabulary.context import context
from ..vocabulary.errors import NkiValidationError
from ..vocabulary.table import MOST_RANKS, in_set, machine_of, targets_in
from ..wire import arrays, host
from . import recorders, recording, returned_values, simulation
from .call_arguments import Arguments
from .launch import Launch
from .recording import Recorded
from .settings import asked_for


class Ran:
    """What came of a kernel call: the host's reply, and the results in the caller's kind."""

    def __init__(self, reply: Dict[str, Any], results: Any) -> None:
        """`reply`: `RunReply` of the protocol."""
        self.reply = reply
        self.results = results


def run(
    function: Callable[..., Any],
    make: Callable[[], Launch],
    target: Optional[str],
    ranks: Sequence[Arguments],
    fetch: bool = True,
    or_more: bool = False,
) -> List[Ran]:
    """Records and simulates one call, on as many ranks as there are arguments. `fetch`: bring the results' values back where the
    caller's library wants them at once. `or_more`: on as many as its collectives name, all with the arguments of the first; they
    are known when the kernel meets them, and it is recorded again then."""
    with simulation.told():
        while True:
            try:
                # a function of its own: what it leaves behind is freed before the script goes on
                return _run(function, make, target, ranks, fetch)
            except NkiValidationError as error:
                if not or_more or not len(ranks) < error.ranks_named <= MOST_RANKS:
                    raise
                ranks = [ranks[0]] * error.ranks_named


def _run(
    function: Callable[..., Any], make: Callable[[], Launch], target: Optional[str], ranks: Sequence[Arguments], fetch: bool
) -> List[Ran]:
    machine, first = machine_of(asked_for(target)), make()
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
        team = recorders.Team(function, make, machine, ranks)
        for context.rank, (args, kwargs) in enumerate(ranks):
            own = recording.again(recorded, function, args, kwargs) or team.recorded(context.rank) or team.record(context.rank)
            recorded.append(recording.sharing(recorded, own))
        replies = simulation.simulate(recorded)
        return [Ran(reply, _results(each, reply, fetch)) for each, reply in zip(recorded, replies)]
    finally:
        context.call = None
        context.rank, context.ranks = 0, 1


def _results(recorded: Recorded, reply: Dict[str, Any], fetch: bool) -> Any:
    """What the caller gets; arguments that the kernel writes have their new values then."""
    made = {
        tensor: host.HostArray(handle, shape, dtype)
        for (tensor, shape), handle, dtype in zip(recorded.outputs.items(), reply["outputs"], reply["dtypes"])
    }
    for number, output in recorded.changed:
        arrays.write_back(recorded.arguments[number][2], returned_values.array_of(output, made), fetch)
    return returned_values.results(recorded.returned, made, recorded.family, fetch)
