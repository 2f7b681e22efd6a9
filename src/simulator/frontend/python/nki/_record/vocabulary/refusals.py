"""Names that AWS's packages have and NKI Scope refuses: importing them works, using them says why not."""

from __future__ import annotations

from typing import Any, Callable, Dict

from . import table
from .errors import NkiUnsupportedError

#: Documented functions that are always refused, and why. Functions that a generation lacks are rows of the table.
NAMES: Dict[str, str] = {
    "neuronxcc.nki.isa.builtin_custom_op": "runs a library compiled for GpSimd, which only the hardware can",
}


def refuse(name: str) -> Exception:
    """The error for a name of `table.REFUSED`, to be raised."""
    _, module, rest = name.split(".", 2)
    spelled = {"isa": f"nisa.{rest}", "language": f"nl.{rest}"}.get(module, name)
    return NkiUnsupportedError(f"{spelled} is not supported by this version of NKI Scope: {table.REFUSED[name]}")


def refusing(module: str, why: str) -> Callable[[str], Any]:
    """A module's `__getattr__`: every name is a function that refuses."""

    def attribute(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return refused(f"{module}.{name}", why)

    return attribute


def refused(name: str, why: str) -> Callable[..., Any]:
    """A function that raises. `why` continues the sentence that begins with its name."""

    def call(*args: Any, **kwargs: Any) -> Any:
        raise NkiUnsupportedError(f"{name} {why}: it is not supported by this version of NKI Scope")

    call.__name__ = call.__qualname__ = name.rsplit(".", 1)[-1]
    call.__doc__ = f"`{name}` {why}."
    return call
