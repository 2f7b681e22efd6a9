"""A small torch_xla for kernel scripts in NKI Scope's bundled interpreter: devices that make no difference.

What is missing raises an error that names it.
"""

from __future__ import annotations

from typing import Any

import torch as _torch
from numpy._missing import missing as _missing

__version__ = "2.0.0+nki.scope"


def device(index: Any = None) -> Any:
    """The device of the simulator."""
    return _torch.device("xla", index)


def sync(wait: bool = False) -> None:
    """Nothing is compiled here, so there is nothing to wait for."""


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise _missing(f"torch_xla.{name}")


__all__ = ["device", "sync"]
