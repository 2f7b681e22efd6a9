"""Errors that kernels meet. They propagate from the call, so that the traceback ends on the user's line."""

from __future__ import annotations

from typing import Optional, Tuple


class NkiValidationError(Exception):
    """A hardware or language rule was broken: memory, shape, dtype, engine, generation."""

    #: Where a collective names ranks that the kernel does not run on: how many there are up to the last one that it names.
    ranks_named = 0


class NkiUnsupportedError(NkiValidationError, NotImplementedError):
    """NKI documents it; this version of NKI Scope does not simulate it."""


class NkiCheckWarning(UserWarning):
    """What NKI Scope's checks say of a kernel that ran."""


class LimitReached(BaseException):
    """The kernel recorded more instructions than the run allows. Not an Exception: a kernel's `except Exception` must not hold it."""


class HostError(Exception):
    """The host could not do what was asked. `kind` as the host names it; `location` is (file, line) in the user's code if known."""

    def __init__(self, kind: str, message: str, frame: Optional[int] = None) -> None:
        """`frame`: row of the recorded program, when the host knows it."""
        super().__init__(message)
        self.kind = kind
        self.frame = frame
        self.location: Optional[Tuple[str, int]] = None


class HostIndexError(HostError):
    """An index that the kernel computed lies outside what it indexes. Users get `as_index_error`."""


def as_index_error(error: HostIndexError) -> IndexError:
    """Python's own IndexError, with NumPy's message; `told` is the error that says where and how."""
    summary, _, detail = str(error).partition("; ")
    made = IndexError(summary)
    made.told = error  # type: ignore[attr-defined] - for our reports
    if hasattr(made, "add_note"):
        made.add_note(detail)
    return made


# as users import them: tracebacks print the module
for _error in (NkiValidationError, NkiUnsupportedError, NkiCheckWarning):
    _error.__module__ = "nki"
