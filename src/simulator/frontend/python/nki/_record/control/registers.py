"""Registers and the loops they drive: `nisa.register_*`, `nl.dynamic_range`, `nl.fori_loop`, `nl.while_loop`.

A register's value is computed as the kernel runs, so what it decides (trip counts, addresses) is recorded as it happened; each
instruction carries the value it used, and rows of the sequencers tell the timing that it was dynamic.
Source: aws-neuron-sdk nki/api/nki/isa/__init__.py, nki/api/nki/language/__init__.py; nki/deep-dives/nki-dynamic-loops.rst.
"""

from __future__ import annotations

import sys
from operator import index as as_index
from types import FrameType
from typing import Any, Callable, Iterator, Optional

from ..calls import calls
from ..program import locations, loops
from ..tensors.tensor import Tensor, runtime_value
from ..vocabulary import versions
from ..vocabulary.context import context
from ..vocabulary.dtypes import INT64
from ..vocabulary.errors import NkiValidationError
from ..vocabulary.register import VirtualRegister, warn
from ..vocabulary.scalar import NkiScalar
from ..vocabulary.table import ROWS
from . import scalars


def register_alloc(x: Any = None) -> VirtualRegister:
    """A new register: without a value, or with an integer, a register's value or a one-element tensor's."""
    register = VirtualRegister()
    if isinstance(x, Tensor):
        _load(register, x, sys._getframe(1))
    elif x is not None:
        _move(register, x, sys._getframe(1))
    return register


def register_move(dst: VirtualRegister, src: Any) -> None:
    """Puts an integer or another register's value into a register."""
    _move(_written(dst), src, sys._getframe(1))


def register_load(dst: VirtualRegister, src: Tensor) -> None:
    """Reads a tensor of one element, in HBM or SBUF, into a register."""
    if not isinstance(src, Tensor):
        raise TypeError(f"register_load: src takes a tensor of one element, not {type(src).__name__}; register_move takes numbers")
    _load(_written(dst), src, sys._getframe(1))


def register_store(dst: Tensor, src: VirtualRegister) -> None:
    """Writes a register's value to a tensor of one element, in HBM or SBUF."""
    if not isinstance(dst, Tensor):
        raise TypeError(f"register_store: dst takes a tensor of one element, not {type(dst).__name__}")
    if dst.size != 1:
        raise NkiValidationError(f"register_store: dst has shape {dst.shape}; a register is one element")
    _record("register_store", sys._getframe(1), dst=dst, value=as_index(_register(src, "src")))


def _register(value: Any, parameter: str) -> VirtualRegister:
    if not isinstance(value, VirtualRegister):
        advice = ": nisa.scalar_store writes it" if isinstance(value, NkiScalar) else ""
        raise TypeError(f"{parameter} takes a register from nisa.register_alloc, not {type(value).__name__}{advice}")
    return value


def _written(dst: Any) -> VirtualRegister:
    register = _register(dst, "dst")
    if register.counts and not versions.is_at_least("0.7"):
        raise NkiValidationError("dst is the variable of a loop, which only the loop writes: use a register of your own")
    if register.counts:
        warn("writing the variable of a loop has no effect: only the loop does; use a register of your own", sys._getframe(2))
        return VirtualRegister()
    return register


def _move(register: VirtualRegister, value: Any, frame: FrameType) -> None:
    if not isinstance(value, VirtualRegister) and not hasattr(value, "__index__"):
        raise TypeError(f"a register takes an integer or another register, not {type(value).__name__}")
    register._value = as_index(value)
    _record("register_move", frame, value=register._value)


def _load(register: VirtualRegister, source: Tensor, frame: FrameType) -> None:
    value = runtime_value(source)
    _record("register_load", frame, src=source, value=value)
    register._value = value


def _record(name: str, frame: Optional[FrameType], **arguments: Any) -> None:
    assert frame is not None
    calls.record(ROWS[f"nki.isa.{name}"], frame, arguments)


# -- loops ------------------------------------------------------------------------------------------------------------


def dynamic_range(start: Any, stop: Any = None, step: int = 1) -> Iterator[VirtualRegister]:
    """`range` that the machine runs: bounds are integers or registers, `step` a positive integer. Yields registers."""
    versions.check("nki.language.dynamic_range")
    first, last = (0, start) if stop is None else (start, stop)
    _check_loop("dynamic_range")
    _check_step(step)
    for bound in (first, last):
        if not hasattr(bound, "__index__"):
            raise TypeError(f"dynamic_range takes integers and registers as bounds, not {type(bound).__name__}")
    return _iterations(range(as_index(first), as_index(last), step))


def _check_loop(name: str) -> None:
    """Source: nki/deep-dives/nki-dynamic-loops.rst "Interaction with no_reorder"."""
    if context.ordered_blocks:
        raise NkiValidationError(f"nl.{name} cannot be inside 'with nl.no_reorder()': put the block into the loop's body")


def _check_step(step: Any) -> None:
    assert not isinstance(step, VirtualRegister), "step must be an integer known when the kernel is compiled, not a register"
    if not isinstance(step, int) or step < 1:
        raise NkiValidationError(f"step must be a positive integer, not {step!r}")


def _iterations(values: range) -> Iterator[VirtualRegister]:
    row = ROWS["nki.language.dynamic_range"]
    for value in values:
        calls.record(row, sys._getframe(1), {})
        yield VirtualRegister(value, counts=True)


def fori_loop(lower: Any, upper: Any, body_fun: Callable[[Any], Any], step: int = 1) -> None:
    """Calls `body_fun(i)` for every i from `lower` to `upper` (integers, scalars or registers).

    i is an `NkiScalar`, or a register where a bound is one.
    """
    versions.check("nki.language.fori_loop")
    _check_loop("fori_loop")
    _check_step(step)
    counts_in_register = isinstance(lower, VirtualRegister) or isinstance(upper, VirtualRegister)
    iterations = range(_bound(lower), _bound(upper), step)
    trip = loops.Trip()
    for iteration in iterations:
        _branch()
        value = VirtualRegister(iteration, counts=True) if counts_in_register else NkiScalar(iteration)
        with trip.iteration():
            returned = locations.call_body("fori_loop", iteration, body_fun, value)
        if returned is not None:
            raise TypeError(f"fori_loop: the body returns nothing, not {type(returned).__name__}: what goes on lies in SBUF or HBM")
    trip.ends(sys._getframe(1))


def _bound(value: Any) -> int:
    if isinstance(value, NkiScalar):
        if value.dtype is INT64:
            raise TypeError("fori_loop: the machine has no branch that compares 64 bits: give it an NkiScalar of int32 as a bound")
        return value._value
    if not hasattr(value, "__index__"):
        raise TypeError(f"fori_loop takes integers, NkiScalars and registers as bounds, not {type(value).__name__}")
    return as_index(value)


def while_loop(init: VirtualRegister, body_fun: Callable[[VirtualRegister], VirtualRegister]) -> None:
    """Calls `condition = body_fun(condition)` while the condition, a register, is not 0."""
    versions.check("nki.language.while_loop")
    _check_loop("while_loop")
    condition = _register(init, "init")
    trip = loops.Trip()
    while as_index(condition) != 0:
        _branch()
        copied = VirtualRegister(as_index(condition))  # the body gets it by value
        iteration = trip.count
        with trip.iteration():
            condition = locations.call_body("while_loop", iteration, body_fun, copied)
        if not isinstance(condition, VirtualRegister):
            raise TypeError(f"while_loop: the body returns the register with the next condition, not {type(condition).__name__}")
    trip.ends(sys._getframe(1))


def _branch() -> None:
    calls.record(ROWS["nki.language.dynamic_range"], sys._getframe(2), {})


def isa_names() -> dict:
    """What `nki.isa` has of these."""
    found = (VirtualRegister, register_alloc, register_load, register_move, register_store, *scalars.isa_names())
    return {value.__name__: value for value in found}
