"""One layer, gelu(x @ w + bias): in one kernel, or in two that pass the product through HBM."""

import sys

import neuronxcc.nki.language as nl
import numpy as np
from neuronxcc import nki

TILE, WIDE = 128, 512


def biased_product(x_t, w, bias, m, n, dtype):
    """Tile (m, n) of x_t.T @ w + bias, in SBUF."""
    total = nl.zeros((TILE, WIDE), nl.float32, buffer=nl.psum)
    for k in nl.affine_range(x_t.shape[0] // TILE):
        rows = slice(k * TILE, (k + 1) * TILE)
        left = nl.load(x_t[rows, m * TILE : (m + 1) * TILE])
        right = nl.load(w[rows, n * WIDE : (n + 1) * WIDE])
        total += nl.matmul(left, right, transpose_x=True)
    copied = nl.copy(total, dtype=dtype)
    shift = nl.load(bias[0:1, n * WIDE : (n + 1) * WIDE])
    return copied + shift.broadcast_to((TILE, WIDE))


@nki.jit
def linear(x_t, w, bias):
    """Return x_t.T @ w + bias."""
    out = nl.ndarray((x_t.shape[1], w.shape[1]), dtype=x_t.dtype, buffer=nl.shared_hbm)
    for m in nl.affine_range(out.shape[0] // TILE):
        for n in nl.affine_range(out.shape[1] // WIDE):
            tile = biased_product(x_t, w, bias, m, n, out.dtype)
            nl.store(out[m * TILE : (m + 1) * TILE, n * WIDE : (n + 1) * WIDE], value=tile)
    return out


@nki.jit
def gelu(y):
    """Return gelu(y)."""
    out = nl.ndarray(y.shape, dtype=y.dtype, buffer=nl.shared_hbm)
    for m in nl.affine_range(y.shape[0] // TILE):
        for n in nl.affine_range(y.shape[1] // WIDE):
            place = (slice(m * TILE, (m + 1) * TILE), slice(n * WIDE, (n + 1) * WIDE))
            nl.store(out[place], value=nl.gelu(nl.load(y[place])))
    return out


@nki.jit
def mlp_fused(x_t, w, bias):
    """Return gelu(x_t.T @ w + bias)."""
    out = nl.ndarray((x_t.shape[1], w.shape[1]), dtype=x_t.dtype, buffer=nl.shared_hbm)
    for m in nl.affine_range(out.shape[0] // TILE):
        for n in nl.affine_range(out.shape[1] // WIDE):
            tile = nl.gelu(biased_product(x_t, w, bias, m, n, out.dtype))
            nl.store(out[m * TILE : (m + 1) * TILE, n * WIDE : (n + 1) * WIDE], value=tile)
    return out


if __name__ == "__main__":
    m_size, k_size, n_size = (int(argument) for argument in sys.argv[1:4])
    dtype = nl.bfloat16 if sys.argv[4] == "bf16" else np.float32
    product = linear(np.zeros((k_size, m_size), dtype), np.zeros((k_size, n_size), dtype), np.zeros((1, n_size), dtype))
    gelu(product)
