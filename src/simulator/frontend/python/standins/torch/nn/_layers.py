"""The layers of `torch.nn` that models around kernels are made of: their weights are drawn as torch draws them, from this package's own
random numbers. What depends on training, such as Dropout, is not among them."""

from __future__ import annotations

import math
from typing import Any

import torch

from . import functional
from ._module import Module


class Linear(Module):
    """x · weightᵀ + bias."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None) -> None:
        """Uniform weights below 1 / √in_features."""
        self.in_features, self.out_features = in_features, out_features
        bound = 1 / math.sqrt(in_features)
        self.weight = _uniform((out_features, in_features), bound, dtype)
        self.bias = _uniform((out_features,), bound, dtype) if bias else None

    def forward(self, input: Any) -> Any:
        """Of the last dimension."""
        return functional.linear(input, self.weight, self.bias)


class Embedding(Module):
    """A row of the weights for each index."""

    def __init__(self, num_embeddings: int, embedding_dim: int, device: Any = None, dtype: Any = None) -> None:
        """Normally distributed weights."""
        self.weight = torch.randn(num_embeddings, embedding_dim, dtype=dtype)

    def forward(self, input: Any) -> Any:
        """The rows of these numbers."""
        return self.weight[input]


class LayerNorm(Module):
    """Zero mean, unit variance over the last dimensions; then weight and bias."""

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        """The weight is 1, the bias 0."""
        self.normalized_shape, self.eps = _shape(normalized_shape), eps
        self.weight = torch.ones(self.normalized_shape, dtype=dtype) if elementwise_affine else None
        self.bias = torch.zeros(self.normalized_shape, dtype=dtype) if elementwise_affine and bias else None

    def forward(self, input: Any) -> Any:
        """Normalized."""
        return functional.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class RMSNorm(Module):
    """x over its root mean square over the last dimensions; then the weight."""

    def __init__(
        self, normalized_shape: Any, eps: Any = None, elementwise_affine: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        """The weight is 1."""
        self.normalized_shape, self.eps = _shape(normalized_shape), eps
        self.weight = torch.ones(self.normalized_shape, dtype=dtype) if elementwise_affine else None

    def forward(self, input: Any) -> Any:
        """Normalized."""
        return functional.rms_norm(input, self.normalized_shape, self.weight, self.eps)


class Softmax(Module):
    """exp(x - max) over its sum along `dim`."""

    def __init__(self, dim: int) -> None:
        """The dimension whose sums are 1."""
        self.dim = dim

    def forward(self, input: Any) -> Any:
        """Shares of the whole."""
        return functional.softmax(input, self.dim)


class GELU(Module):
    """x · Φ(x), or its tanh approximation."""

    def __init__(self, approximate: str = "none") -> None:
        """`approximate`: "none" or "tanh"."""
        self.approximate = approximate

    def forward(self, input: Any) -> Any:
        """Element by element."""
        return functional.gelu(input, self.approximate)


class ReLU(Module):
    """max(x, 0)."""

    def __init__(self, inplace: bool = False) -> None:
        """`inplace`: the result is the same."""

    def forward(self, input: Any) -> Any:
        """Element by element."""
        return functional.relu(input)


class SiLU(ReLU):
    """x · sigmoid(x)."""

    def forward(self, input: Any) -> Any:
        """Element by element."""
        return functional.silu(input)


class Sigmoid(Module):
    """1 / (1 + exp(-x))."""

    def forward(self, input: Any) -> Any:
        """Element by element."""
        return functional.sigmoid(input)


class Identity(Module):
    """Its input."""

    def __init__(self, *_: Any, **__: Any) -> None:
        """Of any arguments."""

    def forward(self, input: Any) -> Any:
        """As it is."""
        return input


def Parameter(data: Any, requires_grad: bool = True) -> Any:  # noqa: N802 - torch's name
    """The tensor itself: nothing is trained here."""
    return data


def _uniform(shape: Any, bound: float, dtype: Any) -> Any:
    return ((torch.rand(*shape) * 2 - 1) * bound).to(dtype or torch.float32)


def _shape(sizes: Any) -> Any:
    return (sizes,) if isinstance(sizes, int) else tuple(sizes)
