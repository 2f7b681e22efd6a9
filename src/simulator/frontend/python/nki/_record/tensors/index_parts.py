"""Integer division and remainder of index expressions of the legacy dialect: `i // n`, `i % n`.

Where the expression falls apart into multiples of the divisor and a rest below it, both are affine again. Where it does not, they are
`Part`s, which name two neighbouring axes together, as in `image[i_c, i // width, i % width]`: one walk through both.
"""

from __future__ import annotations

from typing import Any, List, Sequence, Tuple

from ..vocabulary.errors import NkiUnsupportedError
from .index import Index, axes

_ALONE = (
    "an index expression with // or % that is not affine takes both parts on neighbouring axes, the last of as many elements as the "
    "divisor: x[i // n, i % n]. Use one nl.arange per part instead"
)


class Part:
    """The quotient or the remainder of an expression by a positive integer. It names an axis, and nothing else."""

    __slots__ = ("whole", "divisor", "is_quotient")
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, whole: Index, divisor: int, is_quotient: bool) -> None:
        """Of `whole`."""
        self.whole = whole
        self.divisor = divisor
        self.is_quotient = is_quotient

    def _refuse(self, *others: Any) -> Any:
        raise TypeError(_ALONE)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __floordiv__ = __mod__ = _refuse
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __getitem__ = __bool__ = _refuse  # type: ignore[assignment]


def divided(index: Index, divisor: int) -> Tuple[Any, Any]:
    """(quotient, remainder), each an Index where it is affine. TypeError for divisors below 1."""
    if divisor < 1:
        raise TypeError(f"an index expression can be divided by integers of at least 1, not by {divisor}")
    multiples = tuple(factor // divisor if factor % divisor == 0 else 0 for factor in index.coefficients)
    rest = tuple(0 if factor % divisor == 0 else factor for factor in index.coefficients)
    quotient = Index(axes(index.shape, multiples), index.constant // divisor)
    remainder = Index(axes(index.shape, rest), index.constant % divisor)
    low, high = remainder.bounds()
    if low // divisor != high // divisor:
        return Part(index, divisor, True), Part(index, divisor, False)
    return quotient + low // divisor, remainder - low // divisor * divisor


def joined(tensor: Any, entries: Sequence[Any]) -> Tuple[Any, List[Any]]:
    """The tensor with the axes that parts name as one, and the entries over those. NkiUnsupportedError for a part without its other one."""
    result = list(entries)
    for at in reversed([at for at, entry in enumerate(entries) if isinstance(entry, Part) and entry.is_quotient]):
        quotient, remainder = entries[at], entries[at + 1] if at + 1 < len(entries) else None
        if not _belong(quotient, remainder) or tensor.shape[at + 1] != quotient.divisor:
            raise NkiUnsupportedError(_ALONE)
        tensor = tensor.flatten_dims(at, at + 1)
        result[at : at + 2] = [quotient.whole]
    if any(isinstance(entry, Part) for entry in result):
        raise NkiUnsupportedError(_ALONE)
    return tensor, result


def _belong(quotient: Part, remainder: Any) -> bool:
    if not isinstance(remainder, Part) or remainder.is_quotient or remainder.divisor != quotient.divisor:
        return False
    a, b = quotient.whole, remainder.whole
    return (a.shape, a.coefficients, a.constant) == (b.shape, b.coefficients, b.constant)
