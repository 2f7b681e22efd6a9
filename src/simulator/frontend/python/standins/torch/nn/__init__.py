"""`torch.nn`: its functions, modules, and the layers that models around kernels are made of. No gradients."""

from __future__ import annotations

from typing import Any

from numpy._missing import missing as _missing

from . import functional
from ._layers import GELU, Embedding, Identity, LayerNorm, Linear, Parameter, ReLU, RMSNorm, Sigmoid, SiLU, Softmax
from ._module import Module, ModuleList, Sequential

__all__ = [
    "GELU",
    "Embedding",
    "Identity",
    "LayerNorm",
    "Linear",
    "Module",
    "ModuleList",
    "Parameter",
    "RMSNorm",
    "ReLU",
    "Sequential",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "functional",
]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise _missing(f"torch.nn.{name}")
