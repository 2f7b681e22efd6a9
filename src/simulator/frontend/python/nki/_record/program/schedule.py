"""The order that a kernel asks for: `kernel.with_schedule(edges)` and `nl.no_reorder`.

An edge (later, earlier) or (later, [earlier, ...]) becomes the attribute `after` of the later instruction: the numbers of those it
waits for, which `compile/` makes dependences. An edge against the order of the source is refused. Instructions in `nl.no_reorder` have
the attribute `ordered`: the scheduler keeps their order.
Source: aws-neuron-sdk nki/guides/how-to-scheduling-apis.rst.
"""

from __future__ import annotations

import copy
import difflib
import warnings
from typing import Any, Dict, List, Set, Tuple

from ..vocabulary.errors import NkiCheckWarning, NkiUnsupportedError, NkiValidationError
from . import program

#: (instruction, those it waits for), by name.
Edges = List[Tuple[str, List[str]]]


#: What Python's warnings keep of those that were shown: each line is told once.
_warned: Dict[Any, Any] = {}


def edges(given: Any) -> Edges:
    """What the user passed, with a list of names in every pair. TypeError when it is something else."""
    found: Edges = []
    for pair in given:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not isinstance(pair[0], str):
            raise TypeError(f"with_schedule takes pairs of names, (later, earlier) or (later, [earlier, ...]), not {pair!r}")
        earlier = [pair[1]] if isinstance(pair[1], str) else list(pair[1])
        if not all(isinstance(name, str) for name in earlier):
            raise TypeError(f"with_schedule: {earlier!r} are not names of instructions")
        found.append((pair[0], earlier))
    return found


def begin(wanted: Edges) -> None:
    """Names are kept from now on, if any edge wants them."""
    program.state.named = {} if wanted else None


def note(name: str) -> None:
    """The newest instruction was called with `name=`."""
    if program.state.body_names is not None:
        _check_unique(name, program.state.body_names)
    if program.state.named is not None:
        program.state.named.setdefault(name, []).append(program.count() - 1)


def _check_unique(name: str, known: Set[str]) -> None:
    """Source: nki/deep-dives/nki-dynamic-loops: a loop's body is compiled once."""
    if name in known:
        text = f"two instructions in the body of a loop have the name {name!r}: the NKI compiler takes each name once there"
        warnings.warn_explicit(text, NkiCheckWarning, *program.frame_location(program.pending[-2]), registry=_warned)
    known.add(name)


def apply(wanted: Edges) -> None:
    """Gives the recorded instructions their attributes."""
    waits: Dict[int, Set[int]] = {}
    for later, earlier in wanted:
        at = _number(later)
        for name in earlier:
            before = _number(name)
            if before >= at:
                raise NkiUnsupportedError(
                    f"with_schedule: {later!r} is to run after {name!r}, which comes later in the source. This version of NKI Scope keeps "
                    "the order of the source: move the call"
                )
            waits.setdefault(at, set()).add(before)
    program.flush()
    for at, before_it in waits.items():
        program.plan_column[at] = _with(program.PLANS[program.plan_column[at]], "after", sorted(before_it)).id


def _number(name: str) -> int:
    named = program.state.named or {}
    numbers = named.get(name)
    if numbers is None:
        near = difflib.get_close_matches(name, named, 3)
        advice = f" Did you mean {' or '.join(near)}?" if near else ""
        raise NkiValidationError(f"with_schedule: no instruction was called with name={name!r}.{advice}")
    if len(numbers) > 1:
        raise NkiValidationError(f"with_schedule: {len(numbers)} instructions were called with name={name!r}: give each its own")
    return numbers[0]


def keep_order(first: int) -> None:
    """The instructions from number `first` on, all that were recorded since, keep their order."""
    program.flush()
    made: Dict[int, int] = {}
    for at in range(first, len(program.plan_column)):
        plan_id = program.plan_column[at]
        if plan_id not in made:
            made[plan_id] = _with(program.PLANS[plan_id], "ordered", True).id
        program.plan_column[at] = made[plan_id]


def _with(plan: program.Plan, attribute: str, value: Any) -> program.Plan:
    made = copy.copy(plan)
    made.id, made.attributes = len(program.PLANS), {**plan.attributes, attribute: value}
    program.PLANS.append(made)
    return made
