"""`VirtualRegister`: an integer that only the machine knows. Here its value is known, so loops and offsets can follow it.

Arithmetic gives registers again, so that an address computed from one stays dynamic. Comparisons are refused as the compiler
refuses them. What moves values into registers is `registers.py`'s.
Source: aws-neuron-sdk nki/api/nki/isa/__init__.py `VirtualRegister`; nki/deep-dives/nki-dynamic-loops.rst.
"""

from __future__ import annotations

import os
import sys
import warnings
from operator import index as as_index
from types import FrameType
from typing import Any, Callable, Dict, Optional

from . import versions
from .errors import NkiCheckWarning, NkiValidationError
from .objects import NKIObject

#: The folder of all packages of the recorder, as code objects spell it.
_RECORDER = os.path.dirname(os.path.dirname((lambda: None).__code__.co_filename)) + os.sep

_NO_VALUE = "this register has no value yet: give one with register_alloc(0), register_move or register_load"
_UNKNOWN = (
    "the value of a register is not known when the kernel is compiled, so Python cannot compare it; "
    "a register may only be tested by nl.while_loop and nl.fori_loop"
)


class VirtualRegister(NKIObject):
    """A register of the engines' sequencers, 32 bits."""

    __slots__ = ("_value", "iteration", "counts")
    __array_ufunc__ = None

    def __init__(self, value: Optional[int] = None, counts: bool = False) -> None:
        """`value` of None: not initialised."""
        self._value = value
        #: It counts a loop's iterations: the kernel may not write it.
        self.counts = counts
        #: For the recorder: which iteration of the loop that it drives (the value in a counted loop, else how often it was tested).
        self.iteration = 0 if value is None else value

    def __index__(self) -> int:
        """The value, for the recorder; and for kernels of NKI 0.6 and before. NkiValidationError when it has none."""
        check_asker(sys._getframe(1), "range() and as an index")
        if self._value is None:
            raise NkiValidationError(_NO_VALUE)
        return self._value

    def __int__(self) -> int:
        """The value, which only kernels of NKI 0.6 and before may ask for."""
        check_asker(sys._getframe(1), "int()")
        return as_index(self)

    def __bool__(self) -> bool:
        """True unless the value is 0: the test of `while register:`, of NKI 0.6 and before."""
        check_asker(sys._getframe(1), "'if' and 'while'")
        self.iteration += 1
        return as_index(self) != 0

    def __repr__(self) -> str:
        """The value."""
        return f"VirtualRegister({'no value' if self._value is None else self._value})"

    def __hash__(self) -> int:
        """By identity."""
        return id(self)

    def __eq__(self, other: Any) -> Any:
        """Itself only; TypeError against numbers and other registers."""
        if isinstance(other, (int, float, VirtualRegister)) and other is not self:
            raise TypeError(_UNKNOWN)
        return other is self

    def _refuse(self, other: Any) -> bool:
        raise TypeError(_UNKNOWN)

    __lt__ = __le__ = __gt__ = __ge__ = _refuse

    def __neg__(self) -> VirtualRegister:
        """Negative."""
        return VirtualRegister(-as_index(self))


#: What Python's warnings keep of those that were shown: each line is told once.
_warned: Dict[Any, Any] = {}


def check_asker(frame: FrameType, what: str) -> None:
    """A kernel asks for the value. Since NKI 0.7 there is none while it is traced: TypeError there, before a warning on its line."""
    if frame.f_code.co_filename.startswith(_RECORDER):
        return  # an argument that the instruction itself holds
    text = f"NKI 0.7 does not take a register in {what}: loop with nl.fori_loop or nl.while_loop, whose bounds and conditions it can be"
    if versions.is_at_least("0.7"):
        raise TypeError(text)
    warn(text, frame)


def warn(text: str, frame: FrameType) -> None:
    """On the line that a frame is at."""
    warnings.warn_explicit(text, NkiCheckWarning, frame.f_code.co_filename, frame.f_lineno, registry=_warned)


def _warn_of_arithmetic(frame: FrameType) -> None:
    """Source: nki/migration/index.rst of 0.6, "fori_loop": no arithmetic on a variable that is a register."""
    if not frame.f_code.co_filename.startswith(_RECORDER) and versions.is_at_least("0.6"):
        text = "the NKI compiler does not take arithmetic on the variable of a loop that is a register"
        warn(f"{text}: give nl.fori_loop bounds that are integers or NkiScalars, and it is an NkiScalar", frame)


def _operator(compute: Callable[[int, int], int]) -> Callable[[VirtualRegister, Any], Any]:
    def operate(self: VirtualRegister, other: Any) -> Any:
        if not isinstance(other, (int, VirtualRegister)):
            return NotImplemented
        if self.counts or getattr(other, "counts", False):
            _warn_of_arithmetic(sys._getframe(1))
        return VirtualRegister(compute(as_index(self), as_index(other)))

    return operate


_OPERATORS: dict = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "lshift": lambda a, b: a << b,
    "rshift": lambda a, b: a >> b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
}

for _name, _compute in _OPERATORS.items():
    setattr(VirtualRegister, f"__{_name}__", _operator(_compute))
    setattr(VirtualRegister, f"__r{_name}__", _operator(lambda a, b, compute=_compute: compute(b, a)))
