"""The error for everything that the small NumPy, torch and jax of the bundled interpreter lack."""

from __future__ import annotations


class MissingError(NotImplementedError, AttributeError):
    """A call that only the real library has. An AttributeError too, so that `hasattr` and `getattr(…, default)` work."""


def missing(call: str) -> MissingError:
    """An error that names the call and says how to run with the real library."""
    return MissingError(
        f"{call} is not among the small stand-ins for NumPy, torch and jax in NKI Scope's bundled interpreter; to use the real library, "
        "set nkiScope.pythonPath to a Python that has it (on the command line: --python PATH)"
    )
