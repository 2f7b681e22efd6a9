"""Python's operators on tensors: each asks the kernel call to record the `nki.language` function of the same meaning."""

from __future__ import annotations

from typing import Any, Callable

from ..vocabulary import dtypes
from ..vocabulary.context import context
from ..vocabulary.objects import NKIObject
from ..vocabulary.table import ROWS
from .index import Index

_BINARY = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
    "mod": "mod",
    "pow": "power",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "left_shift",
    "rshift": "right_shift",
}
_COMPARISONS = {"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"}
_UNARY = {"neg": "negative", "invert": "invert"}


class Operators(NKIObject):
    """What tensors of every kind can be part of: operators, assignment to a part, casts."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __getitem__(self, key: Any) -> Any:
        """A part."""
        raise NotImplementedError

    def __setitem__(self, key: Any, value: Any) -> None:
        """Writes a part."""
        context.running().assign(self[key], value)

    def __eq__(self, other: Any) -> Any:
        """Where the elements are equal. `bias == None` asks whether there is a tensor."""
        return False if other is None else _operated("equal", self, other)

    def __ne__(self, other: Any) -> Any:
        """Where they differ. `bias != None` asks whether there is a tensor."""
        return True if other is None else _operated("not_equal", self, other)

    def astype(self, dtype: Any) -> Any:
        """A copy of the tile with another dtype."""
        return context.running().operate("copy", self, dtype=dtypes.parse(dtype))

    # -- NumPy's functions on tiles -----------------------------------------------------------------------------------

    def _no_array_of_the_host(self, name: str) -> TypeError:
        """The error for `np.exp(tile)`."""
        own = _NUMPY.get(name, name)
        row = ROWS.get(f"nki.language.{own}")
        known = row is not None and "nki" in row.signature
        advice = f"use nl.{own} on tiles" if known else "nki.language has the functions for tiles"
        return TypeError(f"np.{name} computes arrays of the host, and {self!r} is a tile of the kernel: {advice}")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """NumPy's numbers leave arithmetic with tiles to us (`np.float32(2) * tile`); other functions of NumPy's are errors."""
        name = _NUMPY.get(ufunc.__name__, ufunc.__name__)
        is_operator = method == "__call__" and name in _OPERATORS and len(inputs) == 2 and not options
        if is_operator and all(isinstance(value, Operators) or not getattr(value, "shape", ()) for value in inputs):
            return context.running().operate(name, *(value if isinstance(value, Operators) else value.item() for value in inputs))
        raise self._no_array_of_the_host(ufunc.__name__)


#: NumPy's name of a function -> that of `nki.language`, where they differ.
_NUMPY = {"true_divide": "divide", "remainder": "mod", "absolute": "abs", "arctan2": "arctan", "bitwise_not": "invert"}
_OPERATORS = {*_BINARY.values(), *_COMPARISONS.values(), "equal", "not_equal"}


def _operated(name: str, left: Any, right: Any) -> Any:
    return context.running().operate(name, left, right)


def _binary(name: str) -> Callable[[Any, Any], Any]:
    return lambda self, other: NotImplemented if type(other) is Index else _operated(name, self, other)


def _reflected(name: str) -> Callable[[Any, Any], Any]:
    return lambda self, other: _operated(name, other, self)


def _unary(name: str) -> Callable[[Any], Any]:
    return lambda self: context.running().operate(name, self)


def _in_place(name: str) -> Callable[[Any, Any], Any]:
    return lambda self, other: context.running().assign_in_place(self, other, name)


for _python, _name in _BINARY.items():
    setattr(Operators, f"__{_python}__", _binary(_name))
    setattr(Operators, f"__r{_python}__", _reflected(_name))
    setattr(Operators, f"__i{_python}__", _in_place(_name))
for _python, _name in _COMPARISONS.items():
    setattr(Operators, f"__{_python}__", _binary(_name))
for _python, _name in _UNARY.items():
    setattr(Operators, f"__{_python}__", _unary(_name))
