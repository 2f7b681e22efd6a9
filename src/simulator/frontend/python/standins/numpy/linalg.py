"""Linear algebra: the norm, and clear errors for the rest."""

from __future__ import annotations

from typing import Any

from ._linear import matmul, norm
from ._missing import missing

__all__ = ["matmul", "norm"]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise missing(f"numpy.linalg.{name}")
