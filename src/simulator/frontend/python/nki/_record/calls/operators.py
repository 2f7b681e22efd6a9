"""Python's operators on tensors: each records the `nki.language` function of the same meaning."""

from __future__ import annotations

from typing import Any, Callable, Dict

from ..tensors.index import Index
from ..tensors.tensor import Tensor
from ..vocabulary import dtypes
from . import assign

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
_COMPARISONS = {"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "eq": "equal", "ne": "not_equal"}
_UNARY = {"neg": "negative", "invert": "invert"}


def install(language: Dict[str, Callable[..., Any]]) -> None:
    """Gives `Tensor` its operators. `language`: functions of nki.language by name."""
    for python, name in _BINARY.items():
        setattr(Tensor, f"__{python}__", _binary(language[name]))
        setattr(Tensor, f"__r{python}__", _reflected(language[name]))
        setattr(Tensor, f"__i{python}__", _in_place(name))
    for python, name in _COMPARISONS.items():
        setattr(Tensor, f"__{python}__", _binary(language[name]))
    Tensor.__eq__ = _unless_none(language["equal"], False)  # type: ignore[method-assign, assignment]
    Tensor.__ne__ = _unless_none(language["not_equal"], True)  # type: ignore[method-assign, assignment]
    for python, name in _UNARY.items():
        setattr(Tensor, f"__{python}__", _unary(language[name]))
    Tensor.__hash__ = object.__hash__  # type: ignore[method-assign, assignment]
    Tensor.__setitem__ = _set_item  # type: ignore[attr-defined]
    Tensor.astype = _astype(language["copy"])  # type: ignore[attr-defined]
    Tensor._no_array_of_the_host = _hint(language)  # type: ignore[attr-defined]
    Tensor.__array_ufunc__ = _numpy_operator(language)  # type: ignore[assignment]


def _binary(function: Callable[..., Any]) -> Callable[[Tensor, Any], Tensor]:
    return lambda self, other: NotImplemented if type(other) is Index else function(self, other)


def _unless_none(function: Callable[..., Any], otherwise: bool) -> Callable[[Tensor, Any], Any]:
    """`bias != None` asks whether there is a tensor."""
    return lambda self, other: otherwise if other is None else function(self, other)


def _reflected(function: Callable[..., Any]) -> Callable[[Tensor, Any], Tensor]:
    return lambda self, other: function(other, self)


def _unary(function: Callable[..., Any]) -> Callable[[Tensor], Tensor]:
    return lambda self: function(self)


def _in_place(name: str) -> Callable[[Tensor, Any], Tensor]:
    return lambda self, other: assign.add_in_place(self, other, name)


def _set_item(self: Tensor, key: Any, value: Any) -> None:
    assign.assign(self[key], value)


def _astype(copy: Callable[..., Any]) -> Callable[[Tensor, Any], Tensor]:
    def astype(self: Tensor, dtype: Any) -> Tensor:
        """A copy of the tile with another dtype."""
        return copy(self, dtype=dtypes.parse(dtype))

    return astype


# -- NumPy's functions on tiles ---------------------------------------------------------------------------------------

#: NumPy's name of a function -> that of `nki.language`, where they differ.
_NUMPY = {"true_divide": "divide", "remainder": "mod", "absolute": "abs", "arctan2": "arctan", "bitwise_not": "invert"}


def _hint(language: Dict[str, Callable[..., Any]]) -> Callable[[Tensor, str], TypeError]:
    """Makes the error for `np.exp(tile)`."""

    def error(self: Tensor, name: str) -> TypeError:
        own = _NUMPY.get(name, name)
        advice = f"use nl.{own} on tiles" if own in language else "nki.language has the functions for tiles"
        return TypeError(f"np.{name} computes arrays of the host, and {self!r} is a tile of the kernel: {advice}")

    return error


def _numpy_operator(language: Dict[str, Callable[..., Any]]) -> Callable[..., Any]:
    """NumPy's numbers leave arithmetic with tiles to us (`np.float32(2) * tile`); other functions of NumPy's are errors."""
    operators = {*_BINARY.values(), *_COMPARISONS.values()}

    def apply(self: Tensor, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        name = _NUMPY.get(ufunc.__name__, ufunc.__name__)
        is_operator = method == "__call__" and name in operators and len(inputs) == 2 and not options
        if is_operator and all(isinstance(value, Tensor) or not getattr(value, "shape", ()) for value in inputs):
            return language[name](*(value if isinstance(value, Tensor) else value.item() for value in inputs))
        raise _hint(language)(self, ufunc.__name__)

    return apply
