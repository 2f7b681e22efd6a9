"""Errors of kernels in the user's own interpreter, without the frames of this package.

These frames are not needed: our errors name the problem, and the user's errors were raised in the user's lines.
"""

from __future__ import annotations

from types import TracebackType
from typing import Optional

from ..program import locations


def trim(error: BaseException) -> BaseException:
    """The error without our frames in its traceback, and without exceptions of our own look-ups as its context."""
    error.__traceback__ = _trimmed(error.__traceback__)
    while error.__context__ is not None and _is_ours(error.__context__.__traceback__):
        error.__context__ = error.__context__.__context__
    return error


def _trimmed(trace: Optional[TracebackType]) -> Optional[TracebackType]:
    if trace is None:
        return None
    rest = _trimmed(trace.tb_next)
    if locations.is_own_file(trace.tb_frame.f_code.co_filename):
        return rest
    trace.tb_next = rest
    return trace


def _is_ours(trace: Optional[TracebackType]) -> bool:
    """True when an exception was raised by our own code."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and locations.is_own_file(trace.tb_frame.f_code.co_filename)
