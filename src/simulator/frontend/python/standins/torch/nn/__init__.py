"""`torch.nn`: only its functions."""

from __future__ import annotations

from typing import Any

from numpy._missing import missing as _missing

from . import functional

__all__ = ["functional"]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise _missing(f"torch.nn.{name}")
