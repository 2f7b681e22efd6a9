"""What the compiler asks of loops that it compiles as one (`nl.fori_loop`, `nl.while_loop`): each name once in a body, and both cores of
a logical one as often through it.

Source: aws-neuron-sdk nki/deep-dives/nki-dynamic-loops.rst (one copy of the body); aws-neuron/neuron-agentic-development (names, cores).
"""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from types import FrameType
from typing import Any, Dict, Iterator, List, Sequence, Tuple

from ..vocabulary.errors import NkiCheckWarning
from . import locations, program

#: What Python's warnings keep of those that were shown: each line is told once.
_warned: Dict[Any, Any] = {}

#: (frame row, iterations) of each loop.
Trips = List[Tuple[int, int]]


class Trip:
    """One run of a loop."""

    def __init__(self) -> None:
        """Before its first iteration."""
        self.count = 0
        self._around = program.state.body_names
        self._before = set(self._around or ())

    @contextmanager
    def iteration(self) -> Iterator[None]:
        """Around a call of its body."""
        program.state.body_names = set(self._before)
        self.count += 1
        try:
            yield
        finally:
            if self._around is not None:
                self._around |= program.state.body_names
            program.state.body_names = self._around

    def ends(self, caller: FrameType) -> None:
        """After its last iteration. `caller`: the frame that called it."""
        program.state.trips.append((locations.position(caller)[0], self.count))


def check_cores(of_cores: Sequence[Trips]) -> None:
    """A warning on each loop that the cores go through unequally often: what the machine then does is undefined."""
    for runs in zip(*of_cores):
        rows, counts = zip(*runs)
        if len(set(rows)) > 1:
            return  # the cores take different ways from here on
        if len(set(counts)) > 1:
            each = " and ".join(f"core {core} goes {count} times" for core, count in enumerate(counts))
            text = f"{each} through this loop: both cores of a logical one must as often, otherwise what the machine does is undefined"
            warnings.warn_explicit(text, NkiCheckWarning, *program.frame_location(rows[0]), registry=_warned)
