"""`torch.nn.init`: fills of weights, from this package's own random numbers."""

from __future__ import annotations

import math
from typing import Any, Tuple

import torch
from numpy._missing import missing


def zeros_(tensor: Any) -> Any:
    """Zeros."""
    return tensor.zero_()


def ones_(tensor: Any) -> Any:
    """Ones."""
    return tensor.fill_(1)


def constant_(tensor: Any, val: float) -> Any:
    """One number everywhere."""
    return tensor.fill_(val)


def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Any:
    """Uniform numbers of [a, b)."""
    return tensor.copy_(a + (b - a) * torch.rand_like(tensor))


def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Any:
    """Normal numbers."""
    return tensor.copy_(mean + std * torch.randn_like(tensor))


def xavier_uniform_(tensor: Any, gain: float = 1.0, generator: Any = None) -> Any:
    """Uniform numbers whose variance is 2 · gain² over the sum of inputs and outputs."""
    bound = gain * math.sqrt(6 / sum(_fans(tensor)))
    return uniform_(tensor, -bound, bound)


def xavier_normal_(tensor: Any, gain: float = 1.0, generator: Any = None) -> Any:
    """Normal numbers of the same variance."""
    return normal_(tensor, 0, gain * math.sqrt(2 / sum(_fans(tensor))))


def kaiming_uniform_(tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None) -> Any:
    """Uniform numbers whose variance is gain² over the inputs (or outputs: `fan_out`)."""
    bound = math.sqrt(3) * _kaiming("kaiming_uniform_", tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound)


def kaiming_normal_(tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None) -> Any:
    """Normal numbers of the same variance."""
    return normal_(tensor, 0, _kaiming("kaiming_normal_", tensor, a, mode, nonlinearity))


def _fans(tensor: Any) -> Tuple[int, int]:
    """Inputs and outputs of one element of the result: the second dimension and the first, by the positions of a filter."""
    if tensor.ndim < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


#: Variance that a function leaves of its input's, inverted: torch's `calculate_gain`, squared. `leaky_relu` depends on its slope.
_GAIN_SQUARED = {"linear": 1.0, "conv2d": 1.0, "sigmoid": 1.0, "tanh": 25 / 9, "relu": 2.0, "selu": 9 / 16}


def _kaiming(name: str, tensor: Any, slope: float, mode: str, nonlinearity: str) -> float:
    squared = 2 / (1 + slope * slope) if nonlinearity == "leaky_relu" else _GAIN_SQUARED.get(nonlinearity)
    if squared is None:
        raise missing(f"torch.nn.init.{name}(nonlinearity={nonlinearity!r})")
    return math.sqrt(squared / _fans(tensor)[mode == "fan_out"])


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise missing(f"torch.nn.init.{name}")
