"""What index expressions do with their positions, the constant aside: extents and coefficients, interned."""

from __future__ import annotations

from typing import Any, Dict, Tuple

from .views import broadcast_shapes

Ints = Tuple[int, ...]


class Axes:
    """What an expression does with its positions. Interned, and what arithmetic makes of it is kept: loops build the same expressions
    over and over, with other constants."""

    __slots__ = ("shape", "coefficients", "low", "high", "made")

    def __init__(self, shape: Ints, coefficients: Ints) -> None:
        """Made by `axes` only."""
        self.shape = shape
        self.coefficients = coefficients
        spans = [factor * (extent - 1) for factor, extent in zip(coefficients, shape)]
        #: Smallest and largest value with constant 0.
        self.low, self.high = sum(min(0, span) for span in spans), sum(max(0, span) for span in spans)
        #: What an operation with something else leads to.
        self.made: Dict[Any, Axes] = {}

    def placed(self, new: Tuple[bool, ...]) -> Axes:
        """With an axis of size 1 wherever `new` says so."""
        made = self.made.get(new)
        if made is None:
            old = iter(zip(self.shape, self.coefficients))
            entries = [(1, 0) if is_new else next(old) for is_new in new]
            made = self.made[new] = axes(tuple(extent for extent, _ in entries), tuple(factor for _, factor in entries))
        return made

    def plus(self, other: Axes) -> Axes:
        """Over the shape that both broadcast to. ValueError when there is none."""
        made = self.made.get(other)
        if made is None:
            shape = broadcast_shapes([self.shape, other.shape])
            both = zip(self.widened(shape).coefficients, other.widened(shape).coefficients)
            made = self.made[other] = axes(shape, tuple(x + y for x, y in both))
        return made

    def times(self, factor: int) -> Axes:
        """Every coefficient multiplied."""
        made = self.made.get(factor)
        if made is None:
            made = self.made[factor] = axes(self.shape, tuple(factor * x for x in self.coefficients))
        return made

    def widened(self, shape: Ints) -> Axes:
        """Over a shape that it broadcasts to."""
        return axes(shape, (0,) * (len(shape) - len(self.shape)) + self.coefficients)


_axes: Dict[Tuple[Ints, Ints], Axes] = {}


def axes(shape: Ints, coefficients: Ints) -> Axes:
    """The one with these extents and coefficients."""
    made = _axes.get((shape, coefficients))
    if made is None:
        made = _axes[shape, coefficients] = Axes(shape, coefficients)
    return made
