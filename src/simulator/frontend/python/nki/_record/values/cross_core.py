"""Values that the other core has a part in, asked for by a kernel's control flow while the kernel is recorded.

The cores of LNC2 are recorded one after the other, so such a value is not there yet. The core stops where it asks. When the other has
stopped too, or ended, what both have recorded is carried out together up to there, and the kernel is recorded again from its start,
now with the answer: its Python runs once more for each. What it printed before is not printed again.
"""

from __future__ import annotations

import io
import math
import sys
from contextlib import contextmanager
from typing import Any, Collection, Dict, Iterator, List, Sequence, Tuple

from ..program import cores, encoding, program
from ..vocabulary.errors import HostError
from ..wire import host

#: What `peek` asks for: tensor, dtype, offset, strides, counts.
View = Dict[str, Any]


class ValueMissing(BaseException):
    """Ends the recording of a core. Not an Exception: a kernel's `except Exception` must not hold it."""


class CrossCoreValues:
    """Of each core, in the order in which it asks."""

    def __init__(self, count: int, written: Collection[int] = ()) -> None:
        """`count`: cores. `written`: arguments that one core writes before another reads them; they are asked for like shared tensors."""
        self.written = frozenset(written)
        self._known: List[List[bytes]] = [[] for _ in range(count)]
        self._asked = [0] * count
        self._open: Dict[int, View] = {}
        #: Questions up to which a core's output was seen; infinite: all of it.
        self._seen: List[float] = [0] * count
        self._output: Any = None

    @property
    def missing(self) -> bool:
        """Some core has stopped."""
        return bool(self._open)

    @contextmanager
    def recording(self, core: int) -> Iterator[None]:
        """An instance on a core: it may stop, and what it prints anew is not shown."""
        self._output = sys.stdout
        if self._asked[core] < self._seen[core]:
            sys.stdout = io.StringIO()
        try:
            yield
        except ValueMissing:
            pass
        finally:
            sys.stdout = self._output

    def stopped(self, core: int) -> bool:
        """True when this core's program does not go on."""
        return core in self._open

    def next(self, core: int, view: View) -> bytes:
        """The answer to a core's next question; ValueMissing when there is none yet."""
        at = self._asked[core]
        self._asked[core] += 1
        if self._asked[core] == self._seen[core]:
            sys.stdout = self._output
        if at == len(self._known[core]):
            self._open[core] = view
            raise ValueMissing
        return self._known[core][at]

    def find(self, spans: Sequence[Tuple[int, cores.Run]], inputs: Sequence[Tuple[int, int]]) -> None:
        """Carries out what was recorded, keeps the answers that this gives, and makes ready for another time. `inputs`: (tensor, array)."""
        code, arrived = cores.so_far(spans, len(self._known), self._open)
        piece, mark = encoding.encode_piece(encoding.Mark(), code)
        for number, core in enumerate(arrived):
            header = {"call": "peek", "first": number == 0, "inputs": inputs if number == 0 else [], "purpose": "control"}
            try:
                answer = host.call({**header, **self._open[core]}, piece)[1]
            except HostError as error:
                if error.frame is not None:
                    error.location = program.frame_location(error.frame)
                raise
            self._known[core].append(answer)
            piece, mark = encoding.encode_piece(mark)
        self._seen = [asked if core in self._open else math.inf for core, asked in enumerate(self._asked)]
        self._asked = [0] * len(self._known)
        self._open.clear()
