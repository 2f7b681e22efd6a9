"""Loops of the legacy dialect whose body the compiler traces once, so that its decisions hold for every iteration.

Here every iteration runs. That gives the same instructions, except where Python code of the kernel counts, for example addresses of
tiles: if a kernel adds up addresses in the body of a loop, the addresses of the first iteration hold for all iterations. Only these are
kept: a loop variable is a plain integer here. Python's own `range` is not among these loops, although AWS's compiler makes
a `sequential_range` of it: kernels index lists of tiles with its variable.
Source: aws-neuron-sdk nki/nki_direct_allocation_guide.rst at 1db4d74e ("the compiler will statically evaluate"), nki/programming_model.rst.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any, Callable, Dict, Hashable, Iterator, Sequence, Tuple, TypeVar, Union

Remembered = TypeVar("Remembered")

#: A decision in a body: (position in the source, its count within the iteration).
_Key = Tuple[Hashable, int]


class _Body:
    """The body of a loop or of the kernel: the decisions of its first iteration, and the loops inside it."""

    def __init__(self) -> None:
        """Starts without decisions."""
        self.seen: Counter = Counter()
        self.decided: Dict[_Key, Any] = {}

    def key(self, place: Hashable) -> _Key:
        """Distinguishes repeated decisions of the same line in an iteration."""
        self.seen[place] += 1
        return place, self.seen[place]


_body = _Body()


def reset() -> None:
    """A kernel begins, or an instance of it."""
    global _body
    _body = _Body()


def first(place: Hashable, decide: Callable[[], Remembered]) -> Remembered:
    """The decision at this position of the source in the first iteration of the loops around it, which may be the current one."""
    key = _body.key(place)
    if key not in _body.decided:
        _body.decided[key] = decide()
    return _body.decided[key]


class TracedRange(Sequence[int]):
    """A range of integers that reports its iterations."""

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
            if _body is body:  # not if the kernel failed here, and the next one has started
                _body = around
