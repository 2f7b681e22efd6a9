"""Loops of the legacy dialect whose body its compiler traces once: what it decided there holds for every iteration.

Here every iteration runs, which gives the same instructions but for what Python counts along the way. Where a tile is placed is
such a thing: a kernel that adds up addresses in the body of a loop means those of the first iteration, in all of them. Nothing
else is remembered: a loop variable is a plain integer here. Python's own `range` is not among these loops, although AWS's compiler makes
a `sequential_range` of it: kernels index lists of tiles with its variable.
Source: aws-neuron-sdk nki/nki_direct_allocation_guide.rst at 1db4d74e ("the compiler will statically evaluate"), nki/programming_model.rst.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any, Callable, Dict, Hashable, Iterator, Sequence, Tuple, TypeVar, Union

Remembered = TypeVar("Remembered")

#: What is seen in a body: (where in the source, the how manieth time in the iteration).
_Key = Tuple[Hashable, int]


class _Body:
    """One loop's body (or the kernel's): what its first iteration decided, and the loops inside it."""

    def __init__(self) -> None:
        """Nothing decided yet."""
        self.seen: Counter = Counter()
        self.decided: Dict[_Key, Any] = {}

    def key(self, place: Hashable) -> _Key:
        """Distinguishes what the same line does several times in an iteration."""
        self.seen[place] += 1
        return place, self.seen[place]


_body = _Body()


def reset() -> None:
    """A kernel begins, or an instance of it."""
    global _body
    _body = _Body()


def first(place: Hashable, decide: Callable[[], Remembered]) -> Remembered:
    """What was decided at this place of the source when the loops around it ran first, which may be now."""
    key = _body.key(place)
    if key not in _body.decided:
        _body.decided[key] = decide()
    return _body.decided[key]


class TracedRange(Sequence[int]):
    """A range of integers that knows when it is iterated over."""

    __slots__ = ("_values",)

    def __init__(self, values: range) -> None:
        """`values` are what it yields."""
        self._values = values

    def __len__(self) -> int:
        """Number of iterations."""
        return len(self._values)

    def __getitem__(self, at: Any) -> Union[int, range]:  # type: ignore[override]
        """As of a range."""
        return self._values[at]

    def __repr__(self) -> str:
        """As of a range."""
        return repr(self._values)

    def __iter__(self) -> Iterator[int]:
        """The integers; the body that runs between them is one body."""
        global _body
        around, caller = _body, sys._getframe(1)
        body = around.decided.setdefault(around.key((caller.f_code, caller.f_lineno)), _Body())
        _body = body
        try:
            for value in self._values:
                body.seen.clear()
                yield value
        finally:
            if _body is body:  # not when the kernel failed here, and the next one has begun
                _body = around
