"""A transformer block: ordinary torch code with an NKI kernel in it. The whole script is one run, with a bar for each kernel call."""

import numpy as np
import torch
from torch import nn

import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def rmsnorm(x, gain):
    """Return each row of x, [rows, columns], over its root mean square, times gain, [1, columns]; rows a multiple of 128."""
    rows, columns = x.shape
    pmax = nl.tile_size.pmax
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    gains = nl.ndarray((pmax, columns), dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=gains, src=gain.broadcast_to((pmax, columns)))
    for i in range(rows // pmax):
        tile = nl.ndarray((pmax, columns), dtype=x.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=x[nl.ds(i * pmax, pmax), :])

        squares = nl.ndarray((pmax, columns), dtype=nl.float32, buffer=nl.sbuf)
        total = nl.ndarray((pmax, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.activation_reduce(dst=squares, op=nl.square, data=tile, reduce_op=nl.add, reduce_res=total)
        scale = nl.ndarray((pmax, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.activation(dst=scale, op=nl.rsqrt, data=total, scale=1 / columns)

        result = nl.ndarray((pmax, columns), dtype=x.dtype, buffer=nl.sbuf)
        nisa.scalar_tensor_tensor(dst=result, data=tile, op0=nl.multiply, operand0=scale, op1=nl.multiply, operand1=gains)
        nisa.dma_copy(dst=out[nl.ds(i * pmax, pmax), :], src=result)
    return out


class RMSNorm(nn.Module):
    """The kernel as a module."""

    def __init__(self, gain):
        """Normalize rows of as many columns as gain has."""
        self.gain = gain

    def forward(self, x):
        """Return x normalized by row."""
        return rmsnorm(x, self.gain)


class Attention(nn.Module):
    """One head, without a mask. Its products are torch's: NKI Scope estimates them by declared rules."""

    def __init__(self, query, key, value):
        """Take the weights, [columns, columns] each."""
        self.query, self.key, self.value = query, key, value

    def forward(self, x):
        """Return the attention of the rows of x to one another."""
        scores = (x @ self.query) @ (x @ self.key).T / x.shape[1] ** 0.5
        return torch.softmax(scores, dim=1) @ (x @ self.value)


class FeedForward(nn.Module):
    """Two products with a rectifier between them."""

    def __init__(self, up, down):
        """Take the weights, [columns, hidden] and [hidden, columns]."""
        self.up, self.down = up, down

    def forward(self, x):
        """Return clamp(x @ up, min=0) @ down."""
        return torch.clamp(x @ self.up, min=0) @ self.down


class Block(nn.Module):
    """Attention and a feed-forward part, each behind a norm and beside a sum."""

    def __init__(self, weights):
        """Take the weights by name."""
        self.first_norm = RMSNorm(weights["gain"])
        self.attention = Attention(weights["query"], weights["key"], weights["value"])
        self.second_norm = RMSNorm(weights["gain"])
        self.feed_forward = FeedForward(weights["up"], weights["down"])

    def forward(self, x):
        """Return what the block makes of the rows of x."""
        x = x + self.attention(self.first_norm(x))
        return x + self.feed_forward(self.second_norm(x))


def reference(x, w):
    """Return the same in NumPy."""

    def norm(rows):
        return rows / np.sqrt(np.mean(rows * rows, axis=1, keepdims=True)) * w["gain"]

    n = norm(x)
    scores = (n @ w["query"]) @ (n @ w["key"]).T / x.shape[1] ** 0.5
    e = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    x = x + e / np.sum(e, axis=1, keepdims=True) @ (n @ w["value"])
    return x + np.maximum(norm(x) @ w["up"], 0) @ w["down"]


if __name__ == "__main__":
    random = np.random.RandomState(0)
    rows, columns, hidden = 256, 512, 1024
    shapes = {
        "query": (columns, columns),
        "key": (columns, columns),
        "value": (columns, columns),
        "up": (columns, hidden),
        "down": (hidden, columns),
    }
    w = {name: (random.randn(*shape) / shape[0] ** 0.5).astype(np.float32) for name, shape in shapes.items()}
    w["gain"] = random.rand(1, columns).astype(np.float32)
    x = random.randn(rows, columns).astype(np.float32)
    block = Block({name: torch.from_numpy(values) for name, values in w.items()})
    result = block(torch.from_numpy(x)).numpy()
    assert np.allclose(result, reference(x, w), rtol=1e-3, atol=1e-3)
    print("transformer_block: agrees with NumPy")
