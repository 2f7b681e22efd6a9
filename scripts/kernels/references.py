"""What the kernels should give, in plain NumPy and float64."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

Array = Any


def wide(array: Array) -> Array:
    """As float64."""
    return np.asarray(array).astype(np.float64)


def softmax(scores: Array, axis: int = -1) -> Array:
    """Along an axis."""
    shifted = np.exp(wide(scores) - np.max(wide(scores), axis=axis, keepdims=True))
    return shifted / shifted.sum(axis=axis, keepdims=True)


def causal(scores: Array, window: int = 0) -> Array:
    """Scores [..., q, k] with later keys (and, with a window, earlier ones) at minus infinity."""
    q, k = np.ogrid[0 : scores.shape[-2], 0 : scores.shape[-1]]
    kept = (k <= q) & ((q - k < window) if window else True)
    return np.where(kept, scores, -np.inf)


def attention(q: Array, k: Array, v: Array, scale: float = 1.0, is_causal: bool = False, window: int = 0) -> Array:
    """softmax(scale * q @ k.T) @ v over the last two axes; q [..., Sq, d], k [..., Sk, d], v [..., Sk, d]."""
    scores = scale * wide(q) @ np.swapaxes(wide(k), -1, -2)
    return softmax(causal(scores, window) if is_causal else scores) @ wide(v)


def rms_norm(x: Array, gamma: Optional[Array] = None, epsilon: float = 0.0) -> Array:
    """x / sqrt(mean(x * x) + epsilon) * gamma along the last axis."""
    x = wide(x)
    normed = x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + epsilon)
    return normed if gamma is None else normed * wide(gamma)


def layer_norm(x: Array, gamma: Optional[Array] = None, beta: Optional[Array] = None, epsilon: float = 0.0) -> Array:
    """(x - mean) / sqrt(var + epsilon) * gamma + beta along the last axis."""
    x = wide(x)
    normed = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + epsilon)
    return normed * (1.0 if gamma is None else wide(gamma)) + (0.0 if beta is None else wide(beta))


def silu(x: Array) -> Array:
    """x * sigmoid(x)."""
    return wide(x) / (1.0 + np.exp(-wide(x)))


def average_pool(x: Array, size: int) -> Array:
    """[C, H, W] in windows of size x size."""
    c, h, w = x.shape
    return wide(x).reshape(c, h // size, size, w // size, size).mean(axis=(2, 4))


def selective_scan(delta: Array, u: Array, a: Array, b: Array, c: Array) -> Array:
    """The state-space recurrence of Mamba: delta, u [batch, channels, time], a [channels, state], b, c [batch, state, time]."""
    delta, u, a, b, c = map(wide, (delta, u, a, b, c))
    state = np.zeros((delta.shape[0], *a.shape))
    out = np.zeros(delta.shape)
    for t in range(delta.shape[2]):
        step = delta[:, :, t, None]
        state = np.exp(step * a) * state + step * u[:, :, t, None] * b[:, None, :, t]
        out[:, :, t] = (state * c[:, None, :, t]).sum(axis=-1)
    return out


def rotate_half(x: Array, cos: Array, sin: Array) -> Array:
    """Rotary embedding: the halves of the last axis are the two coordinates."""
    x, half = wide(x), x.shape[-1] // 2
    turned = np.concatenate([-x[..., half:], x[..., :half]], axis=-1)
    return x * wide(cos) + turned * wide(sin)


def upsample_linear_2x(x: Array, axes: Any) -> Array:
    """Twice as many samples along each axis, linear, centres of pixels aligned (align_corners=False)."""
    x = wide(x)
    for axis in axes:
        n = x.shape[axis]
        where = np.clip((np.arange(2 * n) + 0.5) / 2 - 0.5, 0, n - 1)
        low = np.floor(where).astype(int)
        high = np.minimum(low + 1, n - 1)
        share = (where - low).reshape([-1 if at == axis else 1 for at in range(x.ndim)])
        x = np.take(x, low, axis) * (1 - share) + np.take(x, high, axis) * share
    return x


def max_pool(x: Array, window: int) -> Array:
    """[H, W] with stride 1, no padding."""
    x = np.asarray(x)
    h, w = x.shape[0] - window + 1, x.shape[1] - window + 1
    return np.max([x[i : i + h, j : j + w] for i in range(window) for j in range(window)], axis=0)


def adaptive_average_pool(x: Array, out: Any) -> Array:
    """[N, C, H, W] to [N, C, *out], windows as torch cuts them."""
    x, (rows, columns) = wide(x), out
    h, w = x.shape[2:]
    result = np.zeros((*x.shape[:2], rows, columns))
    for i in range(rows):
        for j in range(columns):
            top, bottom = i * h // rows, -(-(i + 1) * h // rows)
            left, right = j * w // columns, -(-(j + 1) * w // columns)
            result[:, :, i, j] = x[:, :, top:bottom, left:right].mean(axis=(2, 3))
    return result


def convolution(x: Array, w: Array, padding: int = 0) -> Array:
    """[N, C, H, W] with [O, C, h, w] to [N, O, ...], stride 1, the same padding on all sides."""
    x, w = np.pad(wide(x), ((0, 0), (0, 0), (padding, padding), (padding, padding))), wide(w)
    rows, columns = x.shape[2] - w.shape[2] + 1, x.shape[3] - w.shape[3] + 1
    taps = np.ndindex(*w.shape[2:])
    return sum(np.einsum("nchw,oc->nohw", x[:, :, i : i + rows, j : j + columns], w[:, :, i, j]) for i, j in taps)


def swiglu(x: Array, gate_up: Array, down: Array) -> Array:
    """(silu(x @ gate) * (x @ up)) @ down: x [T, H], gate_up [H, 2, I], down [I, H]."""
    gate, up = (wide(x) @ wide(gate_up[:, side]) for side in (0, 1))
    return (silu(gate) * up) @ wide(down)


def mixture_of_experts(x: Array, affinities: Array, gate_up: Array, down: Array) -> Array:
    """Each token's experts weighted by its affinities (0: not chosen): x [T, H], affinities [T, E], gate_up [E, H, 2, I], down [E, I, H]."""
    return sum(wide(affinities)[:, [e]] * swiglu(x, gate_up[e], down[e]) for e in range(len(down)))
