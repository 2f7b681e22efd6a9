"""Ranks that other threads of the host record at the same time.

Each of these threads has an interpreter that goes on from an image of this one's memory, so that it finds the script and its variables
as they are when the first rank was recorded. It hands over programs, and what the kernel returns. A rank that does anything else (asks
for values, prints, fails) is recorded by this interpreter, as all ranks are where the host has no such threads.
"""

from __future__ import annotations

import marshal
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from ..program import program
from ..vocabulary.context import context
from ..wire import host
from . import recording, streams
from .call_arguments import Arguments
from .launch import Launch
from .returned_values import Output

#: In the image: whose ranks are recorded.
_team: Optional[Team] = None


class Team:
    """The ranks of one kernel call."""

    def __init__(self, function: Callable[..., Any], make: Callable[[], Launch], machine: Any, ranks: Sequence[Arguments]) -> None:
        """As `calling.run` has them."""
        self._function = function
        self._make = make
        self._machine = machine
        self._ranks = ranks
        #: None: nobody was asked yet.
        self._is_at_work: Optional[bool] = None

    def record(self, rank: int) -> recording.Recorded:
        """Records a rank in this interpreter."""
        args, kwargs = self._ranks[rank]
        return recording.of_rank(self._function, self._make(), self._machine, args, kwargs)

    def recorded(self, rank: int) -> Optional[recording.Recorded]:
        """What another thread has recorded. None: this one has to. The first rank is always recorded here."""
        if rank == 0:
            return None
        if self._is_at_work is None:
            self._is_at_work = self._begin(rank)
        if not self._is_at_work:
            return None
        reply, data = host.call({"call": "takeRank", "rank": rank})
        if reply["constants"] is None:
            return None
        returned, outputs, changed = marshal.loads(data)
        known = recording.Elsewhere(_unpacked(returned), outputs, [(number, Output(*output)) for number, output in changed])
        constants = [host.HostArray(each["array"], each["shape"], each["dtype"]) for each in reply["constants"]]
        return recording.elsewhere(self._function, *self._ranks[rank], rank, known, constants)

    def _begin(self, rank: int) -> bool:
        global _team
        streams.flush()
        _team = self
        try:
            reply, _ = host.call({"call": "recordRanks", "first": rank, "ranks": len(self._ranks), "instructions": program.count()})
            return bool(reply.get("recorders"))
        finally:
            _team = None


def record(rank: int) -> None:
    """Records a rank in an image of the interpreter that asked for it, and hands it over."""
    host.disconnect()  # what was open is not open here
    if _team is None:
        raise RuntimeError("nobody asked for ranks")
    context.rank = rank
    own = _team.record(rank)
    changed = [(number, tuple(output)) for number, output in own.changed]
    data = marshal.dumps((_packed(own.returned), own.outputs, changed))
    header: Dict[str, Any] = {
        "call": "recorded",
        "bytes": [len(each) for each in own.programs],
        **own.of_cores,
        "constants": [array.handle for array in own.inputs[len(own.arguments) :]],
        "instructions": program.count(),
    }
    streams.flush()
    host.call(header, b"".join([*own.programs, data]))


_PLAIN = (type(None), bool, int, float, complex, str, bytes)


def _packed(value: Any) -> Tuple[str, Any]:
    """What a kernel returns, of types that `marshal` writes. TypeError for anything that would come back as something else."""
    if isinstance(value, Output):
        return "tensor", tuple(value)
    if isinstance(value, dict):
        return "dict", [(_packed(key), _packed(item)) for key, item in value.items()]
    if type(value) in (tuple, list):
        return type(value).__name__, [_packed(item) for item in value]
    if type(value) in _PLAIN:
        return "value", value
    raise TypeError(f"{type(value).__name__} cannot be handed over")


def _unpacked(packed: Tuple[str, Any]) -> Any:
    kind, value = packed
    if kind == "tensor":
        return Output(*value)
    if kind == "dict":
        return {_unpacked(key): _unpacked(item) for key, item in value}
    if kind == "value":
        return value
    items: List[Any] = [_unpacked(item) for item in value]
    return tuple(items) if kind == "tuple" else items
