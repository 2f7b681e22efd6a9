"""A small scipy for kernel scripts in NKI Scope's bundled interpreter: a few functions of `scipy.special` and `scipy.linalg`."""

from __future__ import annotations

from typing import Any

from numpy._missing import missing as _missing

from . import linalg, special

__all__ = ["linalg", "special"]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise _missing(f"scipy.{name}")
