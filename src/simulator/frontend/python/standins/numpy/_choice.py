"""Which elements `choice` takes: NumPy's own ways of drawing them, so that the same seed gives the same elements.

Each takes as many draws from the stream, of the same kind and in the same order, as NumPy 2 does; the draws are the caller's.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from itertools import accumulate
from typing import Any, Callable, List, Sequence

#: As NumPy asks that probabilities sum to 1: the square root of float64's epsilon.
_TOLERANCE = 2.0**-26

#: Beyond this population, and with more than one of so many elements wanted, NumPy shuffles the end of a range.
_LARGE, _SHUFFLED, _UNSHUFFLED = 10_000, 50, 20


def weighted(uniform: Callable[[int], List[float]], p: Any, population: int, count: int, replace: bool) -> List[int]:
    """Positions by probabilities. `uniform(n)`: so many floats of [0, 1). ValueError for what are no probabilities."""
    weights = [float(weight) for weight in (p.tolist() if hasattr(p, "tolist") else p)]
    if len(weights) != population:
        raise ValueError("a and p must have same size")
    if any(not weight >= 0 for weight in weights):
        raise ValueError("Probabilities are not non-negative")
    if abs(math.fsum(weights) - 1) > _TOLERANCE:
        raise ValueError("Probabilities do not sum to 1")
    if replace:
        return _at(weights, uniform(count))
    if sum(weight > 0 for weight in weights) < count:
        raise ValueError("Fewer non-zero entries in p than size")
    found: List[int] = []
    while len(found) < count:
        drawn = uniform(count - len(found))
        for position in found:
            weights[position] = 0.0
        found.extend(dict.fromkeys(_at(weights, drawn)))
    return found


def _at(weights: Sequence[float], drawn: Sequence[float]) -> List[int]:
    sums = list(accumulate(weights))
    cumulative = [partial / sums[-1] for partial in sums]
    return [bisect_right(cumulative, x) for x in drawn]


def distinct(integer: Callable[[int], int], population: int, count: int, shuffle: bool) -> List[int]:
    """Different positions of a `Generator`. `integer(high)`: one of [0, high]. ValueError when there are not as many."""
    if count > population:
        raise ValueError("Cannot take a larger sample than population when replace is False")
    if population > _LARGE and count > population // (_SHUFFLED if shuffle else _UNSHUFFLED):
        positions = list(range(population))
        _shuffle(positions, integer, max(population - count, 1))
        return positions[population - count :]
    # Floyd's way: what was drawn before is replaced by the last position of the range it was drawn from
    chosen: List[int] = []
    seen = set()
    for last in range(population - count, population):
        drawn = integer(last)
        chosen.append(last if drawn in seen else drawn)
        seen.add(chosen[-1])
    if shuffle:
        _shuffle(chosen, integer, 1)
    return chosen


def _shuffle(items: List[int], integer: Callable[[int], int], first: int) -> None:
    for last in range(len(items) - 1, first - 1, -1):
        other = integer(last)
        items[other], items[last] = items[last], items[other]
