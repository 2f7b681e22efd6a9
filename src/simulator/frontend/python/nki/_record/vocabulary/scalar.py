"""`NkiScalar`: an integer that the machine computes, as NKI 0.7 has it. Here its value is known, so loops and offsets can follow it.

It has a fixed width, and wraps: `100000 * 100000` is 1410065408 in int32. What makes and stores one is `scalars.py`'s.
Source: nki.isa.NkiScalar and nki/deep-dives/nki-scalar of NKI 0.7.
"""

from __future__ import annotations

from typing import Any, Callable, Optional

from . import dtypes
from .errors import NkiValidationError
from .objects import NKIObject

_NO_VALUE = (
    "an NkiScalar has no value while the kernel is traced: 'if', 'while', int() and range() cannot use it; "
    "loop with nl.fori_loop(lower, upper, body), which takes it as a bound, and choose with nisa.select_reduce or a mask in a tile"
)
_COMPARED = "the result of comparing NkiScalars cannot be used: the machine has no instruction that takes it"
_OPERATIONS = "NkiScalars know +, - and * with integers and NkiScalars of the same dtype"


class NkiScalar(NKIObject):
    """An integer of the machine; `nisa.scalar_load` makes one, arithmetic and `nl.fori_loop` others. It never changes."""

    __slots__ = ("_state", "dtype", "is_comparison")
    __array_ufunc__ = None

    def __init__(self, state: Any, dtype: Any = None, is_comparison: bool = False) -> None:
        """`state`: its value here. `is_comparison`: the result of a comparison, which nothing takes."""
        self.dtype = dtypes.ALL["int32"] if dtype is None else dtypes.parse(dtype)
        self._state = _wrapped(state, self.dtype)
        self.is_comparison = is_comparison

    @property
    def _value(self) -> int:
        """For the recorder. TypeError for what is no number of the machine's."""
        if self.is_comparison:
            raise TypeError(_COMPARED)
        return self._state

    def _refuse_value(self) -> Any:
        """Python asks for the value."""
        raise TypeError(_COMPARED if self.is_comparison else _NO_VALUE)

    __bool__ = __int__ = __index__ = __float__ = _refuse_value

    def __repr__(self) -> str:
        """The value."""
        return f"NkiScalar({self._state}, {self.dtype})"

    def __hash__(self) -> int:
        """By identity."""
        return id(self)

    def __neg__(self) -> NkiScalar:
        """Negative."""
        return NkiScalar(-self._value, self.dtype)

    def _unknown(self, other: Any = None) -> Any:
        """Operations that the machine does not have for it."""
        raise TypeError(_OPERATIONS)

    __floordiv__ = __truediv__ = __mod__ = __pow__ = __lshift__ = __rshift__ = __and__ = __or__ = __xor__ = _unknown
    __rfloordiv__ = __rtruediv__ = __rmod__ = __rpow__ = __rlshift__ = __rrshift__ = __rand__ = __ror__ = __rxor__ = _unknown
    __abs__ = __invert__ = _unknown


def _wrapped(value: int, dtype: dtypes.Dtype) -> int:
    half = 1 << (8 * dtype.itemsize - 1)
    return (value + half) % (2 * half) - half


def _other(scalar: NkiScalar, value: Any) -> Optional[int]:
    """The other operand; None for what Python has to ask the operand itself about."""
    if isinstance(value, NkiScalar):
        if value.dtype != scalar.dtype:
            raise TypeError(f"NkiScalars of {scalar.dtype} and {value.dtype} do not go together")
        return value._value
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    if value != _wrapped(value, scalar.dtype):
        raise NkiValidationError(f"{value} does not fit into {scalar.dtype}, the dtype of the NkiScalar")
    return value


def _operator(compute: Callable[[int, int], int], comparison: bool = False) -> Callable[[NkiScalar, Any], Any]:
    def operate(self: NkiScalar, value: Any) -> Any:
        other = _other(self, value)
        if other is None:
            return NotImplemented if not hasattr(value, "__index__") else self._unknown()
        if comparison and self.dtype is dtypes.INT64:
            raise TypeError("NkiScalars of int64 cannot be compared: the machine compares 32 bits")
        return NkiScalar(int(compute(self._value, other)), self.dtype, comparison)

    return operate


#: Operation -> (what it computes, that with its operands exchanged).
_ARITHMETIC: dict = {
    "add": (lambda a, b: a + b, lambda a, b: b + a),
    "sub": (lambda a, b: a - b, lambda a, b: b - a),
    "mul": (lambda a, b: a * b, lambda a, b: b * a),
}
_COMPARISONS: dict = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
}

for _name, (_compute, _exchanged) in _ARITHMETIC.items():
    setattr(NkiScalar, f"__{_name}__", _operator(_compute))
    setattr(NkiScalar, f"__r{_name}__", _operator(_exchanged))
for _name, _compute in _COMPARISONS.items():
    setattr(NkiScalar, f"__{_name}__", _operator(_compute, comparison=True))
