"""Recordings to the host, and its replies."""

from __future__ import annotations

import contextlib
import warnings
from typing import Any, Dict, Iterator, List, Sequence

from ..program import program
from ..vocabulary.errors import HostError, NkiCheckWarning
from ..wire import host
from . import call_sites
from .recording import Recorded
from .settings import is_precise, settings

#: What Python's warnings keep of those that were shown.
_warned: Dict[Any, Any] = {}


@contextlib.contextmanager
def told() -> Iterator[None]:
    """The host does not count what happens inside as the script's time."""
    if not settings.host_time:
        yield
        return
    host.call({"call": "recording", "begins": True})
    try:
        yield
    finally:
        host.call({"call": "recording", "begins": False})


def simulate(recorded: Sequence[Recorded]) -> List[Dict[str, Any]]:
    """The host's replies, rank by rank."""
    if len(recorded) > 1:
        return _simulate_ranks(recorded)
    (only,) = recorded
    header = {"call": "run", "inputs": _handles(only), **_described(only), "precise": is_precise(), "site": call_sites.of_launch()}
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
        "site": call_sites.of_launch(),
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


def _warn_of(checks: Sequence[Dict[str, Any]]) -> None:
    """What the checks say, as Python's warnings on the kernel's lines: once a line, unless the user's filters say otherwise."""
    for check in checks:
        if check["severity"] == "info":
            continue
        warnings.warn_explicit(check["message"], NkiCheckWarning, check["file"], check["line"], registry=_warned)
