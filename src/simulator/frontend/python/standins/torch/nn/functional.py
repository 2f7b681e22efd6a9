"""The functions of `torch.nn.functional` that kernels are checked against."""

from __future__ import annotations

import math
from typing import Any

import numpy as _np
from numpy import _linear, _reduce, _shape
from numpy._missing import missing
from numpy._ufuncs import UFUNCS


def softmax(input: Any, dim: Any = -1, dtype: Any = None, **_: Any) -> Any:
    """exp(x - max) over its sum along `dim`."""
    return input.softmax(-1 if dim is None else dim, dtype)


def relu(input: Any) -> Any:
    """max(x, 0)."""
    return UFUNCS["maximum"](input, 0)


def sigmoid(input: Any) -> Any:
    """1 / (1 + exp(-x))."""
    return UFUNCS["sigmoid"](input)


def silu(input: Any) -> Any:
    """x · sigmoid(x)."""
    return input * UFUNCS["sigmoid"](input)


def gelu(input: Any, approximate: str = "none") -> Any:
    """x · Φ(x), or its tanh approximation."""
    if approximate == "tanh":
        inner = math.sqrt(2 / math.pi) * (input + 0.044715 * input * input * input)
        return 0.5 * input * (1 + UFUNCS["tanh"](inner))
    return 0.5 * input * (1 + UFUNCS["erf"](input / math.sqrt(2)))


def layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Zero mean, unit variance over the last dimensions."""
    axes = tuple(range(input.ndim - len(normalized_shape), input.ndim))
    mean = _reduce.reduce("mean", input, axes, True)
    variance = _reduce.reduce("var", input, axes, True, ddof=0)
    result = (input - mean) * UFUNCS["rsqrt"](variance + eps)
    result = result if weight is None else result * weight
    return result if bias is None else result + bias


def rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: Any = None) -> Any:
    """x over its root mean square over the last dimensions."""
    axes = tuple(range(input.ndim - len(normalized_shape), input.ndim))
    small = _np.finfo(input.dtype).eps if eps is None else eps
    result = input * UFUNCS["rsqrt"](_reduce.reduce("mean", input * input, axes, True) + float(small))
    return result if weight is None else result * weight


def normalize(input: Any, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, **_: Any) -> Any:
    """x over its Euclidean norm along `dim`, or over `eps` where that is larger."""
    if p != 2:
        raise missing(f"torch.nn.functional.normalize(p={p!r})")
    return input / _euclidean(input, dim, eps, True)


def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Any:
    """The product of two vectors along `dim`, over their Euclidean norms or `eps`."""
    products = _reduce.reduce("sum", x1 * x2, dim, False)
    return products / (_euclidean(x1, dim, eps, False) * _euclidean(x2, dim, eps, False))


def _euclidean(input: Any, dim: Any, eps: float, keepdim: bool) -> Any:
    return UFUNCS["maximum"](_linear.norm(input, None, dim, keepdim), eps)


def softplus(input: Any) -> Any:
    """log(1 + exp(x))."""
    return UFUNCS["maximum"](input, 0) + UFUNCS["log1p"](UFUNCS["exp"](-UFUNCS["absolute"](input)))


def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """x · weightᵀ + bias."""
    result = input @ _shape.transpose(weight)
    return result if bias is None else result + bias


def pad(input: Any, pad: Any, mode: str = "constant", value: Any = 0) -> Any:
    """A border of one number; widths from the last dimension backwards."""
    if mode != "constant":
        raise missing(f"torch.nn.functional.pad(mode={mode!r})")
    pairs = [(pad[i], pad[i + 1]) for i in range(0, len(pad), 2)]
    widths = [(0, 0)] * (input.ndim - len(pairs)) + list(reversed(pairs))
    return _shape.pad(input, widths, constant_values=0 if value is None else value)


def avg_pool2d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, **_: Any) -> Any:
    """Means of windows that do not overlap and cover the input."""
    return _reduce.reduce("mean", _windows("avg_pool2d", input, kernel_size, stride, padding), (-3, -1))


def max_pool2d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, **_: Any) -> Any:
    """Largest of windows that do not overlap and cover the input."""
    return _reduce.reduce("max", _windows("max_pool2d", input, kernel_size, stride, padding), (-3, -1))


def _windows(name: str, input: Any, kernel_size: Any, stride: Any, padding: Any) -> Any:
    height, width = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    step = (height, width) if stride is None else (stride, stride) if isinstance(stride, int) else tuple(stride)
    if step != (height, width) or padding not in (0, (0, 0)):
        raise missing(f"torch.nn.functional.{name} with overlapping windows or padding")
    rows, columns = input.shape[-2] // height, input.shape[-1] // width
    cut = input[..., : rows * height, : columns * width]
    return _shape.reshape(cut, tuple(input.shape[:-2]) + (rows, height, columns, width))


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise missing(f"torch.nn.functional.{name}")
