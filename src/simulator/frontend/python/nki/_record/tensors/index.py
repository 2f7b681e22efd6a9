"""Index expressions of the legacy dialect: `nl.arange`, `nl.mgrid`, their arithmetic and comparisons.

An `Index` is affine over the positions of its shape: value(i0, i1, ...) = constant + sum(coefficients[k] * i_k). Positions
align from the right, as NumPy broadcasts. A `Mask` is a conjunction of `Index >= 0`.
Source: aws-neuron-sdk nki/programming_model.rst "NKI Masking", nki/api/nki.api.shared.rst (1db4d74e).
"""

from __future__ import annotations

from operator import index as as_index
from typing import Any, Dict, List, Sequence, Tuple, Union

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
            from .indirect import DynamicIndex

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
        """Quotient by a positive integer: `index_parts.py`."""
        from .index_parts import divided

        return divided(self, _integer(other, "//"))[0]

    def __mod__(self, other: Any) -> Any:
        """Remainder by a positive integer."""
        from .index_parts import divided

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


class Box:
    """A mask over a shape: the box of positions it leaves, and the terms that a box cannot say."""

    __slots__ = ("starts", "counts", "rest")

    def __init__(self, starts: Ints, counts: Ints, rest: Tuple[Index, ...]) -> None:
        """Corner and extents in positions; `rest` over the box."""
        self.starts = starts
        self.counts = counts
        #: Terms over positions counted from the box's corner.
        self.rest = rest

    @property
    def empty(self) -> bool:
        """True when no position is left."""
        return 0 in self.counts


def box_of(mask: Mask, shape: Sequence[int]) -> Box:
    """Splits a mask over `shape`. Terms of one position trim the box; others that still cut it stay as they are."""
    low = [0] * len(shape)
    high = [extent - 1 for extent in shape]
    rest: List[Index] = []
    empty = False
    for term in mask.terms:
        if len(term.shape) > len(shape):
            raise ValueError(f"the mask has {len(term.shape)} axes, the tile only {len(shape)}")
        term = term.widened(shape)
        used = [axis for axis, factor in enumerate(term.coefficients) if factor]
        if not used:
            empty = empty or term.constant < 0
        elif len(used) == 1:
            _trim(term.coefficients[used[0]], term.constant, used[0], low, high)
        else:
            rest.append(term)
    counts = tuple(0 if empty else max(0, last - first + 1) for first, last in zip(low, high))
    moved = [_moved(term, low, counts) for term in rest]
    return Box(tuple(low), counts, tuple(term for term in moved if 0 not in counts and term.bounds()[0] < 0))


def _trim(factor: int, constant: int, axis: int, low: List[int], high: List[int]) -> None:
    """factor * i + constant >= 0 along one axis."""
    if factor > 0:
        low[axis] = max(low[axis], -(constant // factor))
    else:
        high[axis] = min(high[axis], constant // -factor)


def _moved(term: Index, starts: Sequence[int], counts: Ints) -> Index:
    """The term over the box: positions counted from its corner."""
    shift = sum(factor * start for factor, start in zip(term.coefficients, starts))
    return Index(axes(counts, term.coefficients), term.constant + shift)


def arange(*args: Any) -> Index:
    """`arange(stop)` or `arange(start, stop[, step])`: one axis of consecutive integers."""
    if not 1 <= len(args) <= 3:
        raise TypeError(f"arange takes 1 to 3 arguments, not {len(args)}")
    numbers = [as_index(arg) for arg in args]
    start, stop, step = (0, numbers[0], 1) if len(numbers) == 1 else (numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else 1)
    if step < 1 or stop <= start:
        raise ValueError(f"arange({', '.join(map(str, numbers))}) has no elements")
    return Index(axes(((stop - start + step - 1) // step,), (step,)), start)


class Grid(tuple):
    """What `nl.mgrid[...]` gives: one Index per axis; `.p` is the first, `.x`, `.y`, `.z`, `.w` the free ones."""

    def __getattr__(self, name: str) -> Index:
        """An axis by its letter."""
        position = "pxyzw".find(name) if len(name) == 1 else -1
        if not 0 <= position < len(self):
            raise AttributeError(f"this mgrid has no axis {name!r}: it has {', '.join('pxyzw'[: len(self)])}")
        return self[position]


class MGrid:
    """`nl.mgrid[0:a, 0:b]`: index expressions of a dense grid."""

    def __getitem__(self, key: Any) -> Grid:
        """One slice per axis."""
        ranges = [_range(entry) for entry in (key if isinstance(key, tuple) else (key,))]
        shape = tuple(item.shape[0] for item in ranges)
        return Grid(
            Index(axes(shape, tuple(item.coefficients[0] if k == axis else 0 for k in range(len(shape)))), item.constant)
            for axis, item in enumerate(ranges)
        )


def _range(key: Union[slice, Any]) -> Index:
    if not isinstance(key, slice) or key.stop is None:
        raise TypeError("mgrid takes slices: nl.mgrid[0:128, 0:512]")
    return arange(key.start or 0, key.stop, key.step or 1)


def _integer(value: Any, operator: str) -> int:
    try:
        return as_index(value)
    except TypeError:
        raise TypeError(f"an index expression is affine: '{operator}' takes an integer, not {type(value).__name__}") from None
