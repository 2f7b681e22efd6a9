"""A small torch_neuronx for kernel scripts in NKI Scope's bundled interpreter: the decorator that makes kernels of functions.

What is missing raises an error that names it.
"""

from __future__ import annotations

from typing import Any

from numpy._missing import missing as _missing

from neuronxcc.nki import jit as nki_jit

__all__ = ["nki_jit"]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise _missing(f"torch_neuronx.{name}")
