"""Index expressions of the legacy dialect: their arithmetic and comparisons. What makes them is `arange.py`'s.

An `Index` is affine over the positions of its shape: value(i0, i1, ...) = constant + sum(coefficients[k] * i_k). Positions
align from the right, as NumPy broadcasts. A `Mask` is a conjunction of `Index >= 0`. Of `i // n` and `i % n`, where the expression falls
apart into multiples of n and a rest below it, both are affine again. Where it does not, they are `Part`s, which name two neighbouring
axes together (`index_parts.py`).
Source: aws-neuron-sdk nki/programming_model.rst "NKI Masking", nki/api/nki.api.shared.rst (1db4d74e).
"""

from __future__ import annotations

from operator import index as as_index
from typing import Any, Sequence, Tuple

from .index_axes import Axes, axes

Ints = Tuple[int, ...]


_ALL = slice(None)


class Index:
    """An affine integer expression over index axes."""

    __slots__ = ("axes", "constant")
    __array_ufunc__ = None  # NumPy integers leave the arithmetic to us

    def __init__(self, over: Axes, constant: int) -> None:
        """`over`: extent and coefficient of each position."""
        self.axes = over
        self.constant = constant

    @property
    def shape(self) -> Ints:
        """Extent of each position."""
        return self.axes.shape

    @property
    def coefficients(self) -> Ints:
        """One per position."""
        return self.axes.coefficients

    @property
    def ndim(self) -> int:
        """Number of positions."""
        return len(self.axes.shape)

    def __getitem__(self, key: Any) -> Index:
        """Adds axes: every old axis is `:`, every new one None."""
        entries = key if type(key) is tuple else (key,)
        new = tuple([entry is None for entry in entries])
        if new.count(False) != len(self.axes.shape) or any([entry is not None and entry != _ALL for entry in entries]):
            raise IndexError(f"an index expression takes ':' for each of its {self.ndim} axes and None for new ones, not {key!r}")
        return Index(self.axes.placed(new), self.constant)

    def widened(self, shape: Sequence[int]) -> Index:
        """The same expression over a shape it broadcasts to."""
        return Index(self.axes.widened(tuple(shape)), self.constant)

    def bounds(self) -> Tuple[int, int]:
        """Smallest and largest value over the whole shape."""
        return self.constant + self.axes.low, self.constant + self.axes.high

    def __add__(self, other: Any) -> Any:
        """Sum with an Index, an integer, or a value in SBUF."""
        if type(other) is int:
            return Index(self.axes, self.constant + other)
        if isinstance(other, Index):
            return Index(self.axes.plus(other.axes), self.constant + other.constant)
        if hasattr(other, "_storage"):
            return DynamicIndex(other, self)
        return Index(self.axes, self.constant + _integer(other, "+"))

    __radd__ = __add__

    def __mul__(self, other: Any) -> Index:
        """Product with an integer."""
        factor = _integer(other, "*")
        return Index(self.axes.times(factor), factor * self.constant)

    __rmul__ = __mul__

    def __neg__(self) -> Index:
        """Negative."""
        return self * -1

    def __sub__(self, other: Any) -> Index:
        """Difference with an Index or an integer."""
        return self + (other * -1 if isinstance(other, Index) else -_integer(other, "-"))

    def __rsub__(self, other: Any) -> Index:
        """Difference from an integer."""
        return self * -1 + other

    def __ge__(self, other: Any) -> Mask:
        """Mask: where self >= other."""
        return Mask([self - other])

    def __gt__(self, other: Any) -> Mask:
        """Mask: where self > other."""
        return Mask([self - other - 1])

    def __le__(self, other: Any) -> Mask:
        """Mask: where self <= other."""
        return Mask([-(self - other)])

    def __lt__(self, other: Any) -> Mask:
        """Mask: where self < other."""
        return Mask([-(self - other) - 1])

    def __eq__(self, other: Any) -> Mask:  # type: ignore[override]
        """Mask: where both are equal."""
        return Mask([self - other, -(self - other)])

    __hash__ = None  # type: ignore[assignment]

    def __floordiv__(self, other: Any) -> Any:
        """Quotient by a positive integer."""
        return divided(self, _integer(other, "//"))[0]

    def __mod__(self, other: Any) -> Any:
        """Remainder by a positive integer."""
        return divided(self, _integer(other, "%"))[1]

    def _not_affine(self, other: Any) -> Any:
        """Division, remainder and the like leave the affine expressions."""
        raise TypeError("an index expression is affine: +, - and * with integers. Use one nl.arange per part instead of // and %")

    __truediv__ = __rfloordiv__ = __rmod__ = __rtruediv__ = __pow__ = _not_affine

    def __repr__(self) -> str:
        """As a sum."""
        terms = [f"{factor}*i{axis}" for axis, factor in enumerate(self.coefficients) if factor]
        return " + ".join(terms + [str(self.constant)])


class Mask:
    """Where every one of `terms` is at least 0."""

    __slots__ = ("terms",)
    __array_ufunc__ = None

    def __init__(self, terms: Sequence[Index]) -> None:
        """Each term is at least 0 where the mask holds."""
        self.terms = tuple(terms)

    def __and__(self, other: Any) -> Mask:
        """Both hold. A plain truth value, of Python's or NumPy's, is a condition on all positions alike."""
        if isinstance(other, bool) or type(other).__name__ in ("bool", "bool_"):
            return self if other else Mask([Index(axes((), ()), -1)])
        if not isinstance(other, Mask):
            raise TypeError(f"a mask combines with another mask, not with {type(other).__name__}")
        return Mask(self.terms + other.terms)

    __rand__ = __and__

    def __invert__(self) -> Mask:
        """The opposite of a single comparison."""
        if len(self.terms) != 1:
            raise TypeError("~ negates a single comparison of a mask; write the opposite comparisons for a conjunction")
        return Mask([-self.terms[0] - 1])

    def __or__(self, other: Any) -> Mask:
        """Not expressible."""
        raise TypeError("a mask is a conjunction of comparisons: use '&'. '|' cannot be expressed by one instruction")

    __ror__ = __xor__ = __or__

    def __bool__(self) -> bool:
        """Python's and/or/if ask for one truth value, which a mask does not have."""
        raise TypeError("a mask has no single truth value: combine masks with '&', not with 'and'")


def _integer(value: Any, operator: str) -> int:
    try:
        return as_index(value)
    except TypeError:
        raise TypeError(f"an index expression is affine: '{operator}' takes an integer, not {type(value).__name__}") from None


class DynamicIndex:
    """An index expression of the legacy dialect with a value from SBUF in it: `offsets[0, k] + nl.arange(n)[None, :]`."""

    __slots__ = ("tensor", "rest")

    def __init__(self, tensor: Any, rest: Index) -> None:
        """`tensor`: one value per position, broadcast against `rest`."""
        self.tensor = tensor
        self.rest = rest

    def __add__(self, other: Any) -> DynamicIndex:
        """Sum with an index expression or an integer."""
        return DynamicIndex(self.tensor, self.rest + other)

    __radd__ = __add__


ALONE = (
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
        raise TypeError(ALONE)

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
