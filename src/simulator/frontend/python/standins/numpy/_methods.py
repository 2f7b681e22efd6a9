"""The table of ndarray's methods and operators."""

from __future__ import annotations

from typing import Any, Callable, Dict

from . import _linear, _reduce, _shape
from ._array import ndarray
from ._ufuncs import UFUNCS, around, clip


def _sizes(function: Callable[..., Any]) -> Callable[..., Any]:
    """A method that takes its sizes as one sequence or as several arguments."""

    def method(self: Any, *sizes: Any, **others: Any) -> Any:
        one = sizes[0] if len(sizes) == 1 and (sizes[0] is None or not isinstance(sizes[0], int)) else sizes
        return function(self, one or None if function is _shape.transpose else one, **others)

    return method


def _fill(self: Any, value: Any) -> None:
    self[...] = value


def _sort(self: Any, axis: int = -1) -> None:
    self[...] = _reduce.sort(self, axis)


METHODS: Dict[str, Callable[..., Any]] = {
    "reshape": _sizes(_shape.reshape),
    "transpose": _sizes(_shape.transpose),
    "ravel": lambda self, order="C": _shape.ravel(self),
    "flatten": lambda self, order="C": _shape.copy(_shape.ravel(self)),
    "fill": _fill,
    "sort": _sort,
    "clip": clip,
    "round": around,
    "dot": _linear.dot,
    "diagonal": _linear.diagonal,
    "trace": _linear.trace,
    "conj": lambda self: self,
    **{name: getattr(_shape, name) for name in ("swapaxes", "squeeze", "repeat", "take", "astype", "view", "copy")},
    **{name: getattr(_reduce, name) for name in "sum prod mean var std max min any all argmax argmin ptp cumsum cumprod argsort".split()},
}

_BINARY = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "pow": "power",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "left_shift",
    "rshift": "right_shift",
}
_COMPARISONS = {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"}
_UNARY = {"neg": "negative", "pos": "positive", "abs": "absolute", "invert": "invert"}


def _accepts(other: Any) -> bool:
    return isinstance(other, (ndarray, bool, int, float, list, tuple))


def _forward(function: Any) -> Callable[..., Any]:
    return lambda self, other: function(self, other) if _accepts(other) else NotImplemented


def _reflected(function: Any) -> Callable[..., Any]:
    return lambda self, other: function(other, self) if _accepts(other) else NotImplemented


def _inplace(function: Any) -> Callable[..., Any]:
    def method(self: Any, other: Any) -> Any:
        result = function(self, other)
        if result.dtype.kind == "f" and self.dtype.kind != "f" and self._family == "numpy":
            raise TypeError(f"Cannot cast ufunc '{function.__name__}' output from {result.dtype!r} to {self.dtype!r}")
        if result.shape != self.shape:
            raise ValueError(f"non-broadcastable output operand with shape {self.shape} doesn't match the broadcast shape {result.shape}")
        self._array = result.astype(self.dtype)._array
        return self

    return method


def _matmul(swap: bool) -> Callable[..., Any]:
    def method(self: Any, other: Any) -> Any:
        if not _accepts(other):
            return NotImplemented
        return _linear.matmul(other, self) if swap else _linear.matmul(self, other)

    return method


def install(cls: Any) -> None:
    """Gives `cls` its operators."""
    for name, target in _BINARY.items():
        function = UFUNCS[target]
        setattr(cls, f"__{name}__", _forward(function))
        setattr(cls, f"__r{name}__", _reflected(function))
        setattr(cls, f"__i{name}__", _inplace(function))
    for name, target in _COMPARISONS.items():
        setattr(cls, f"__{name}__", _forward(UFUNCS[target]))
    for name, target in _UNARY.items():
        function = UFUNCS[target]
        setattr(cls, f"__{name}__", lambda self, function=function: function(self))
    cls.__matmul__ = _matmul(False)
    cls.__rmatmul__ = _matmul(True)
    cls.__divmod__ = lambda self, other: (self // other, self % other)
