"""Elementwise exponential of any 2D shape: the last block of rows need not be full."""

import numpy as np

import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def exp_2d(x):
    """Return exp(x) for x of [rows, columns], any shape whose rows fit SBUF."""
    rows, columns = x.shape
    pmax = nl.tile_size.pmax
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    for start in range(0, rows, pmax):
        size = min(pmax, rows - start)
        tile = nl.ndarray((size, columns), dtype=x.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=x[start : start + size, :])
        nisa.activation(dst=tile, op=nl.exp, data=tile)
        nisa.dma_copy(dst=out[start : start + size, :], src=tile)
    return out


if __name__ == "__main__":
    x = np.random.RandomState(0).rand(250, 512).astype(np.float32)
    assert np.allclose(exp_2d(x), np.exp(x), rtol=1e-6)
    print("exp_2d: agrees with NumPy")
