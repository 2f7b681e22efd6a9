"""Doubles a matrix, slowly. Profile it, then mend it."""

import numpy as np

import nki
import nki.isa as nisa
import nki.language as nl

# Narrow tiles are many small DMAs, each of which
# has a fixed cost. Mend it: write 2048 here, and
# watch the times below change while you type.
COLUMNS = 32


@nki.jit
def double(x):
    """Return 2 * x, for x of shape [128, columns]."""
    shape, dtype = (128, COLUMNS), x.dtype
    out = nl.ndarray(x.shape, dtype, buffer=nl.shared_hbm)
    for i in nl.affine_range(x.shape[1] // COLUMNS):
        part = nl.ds(i * COLUMNS, COLUMNS)
        tile = nl.ndarray(shape, dtype, buffer=nl.sbuf)
        nisa.dma_copy(tile, x[:, part])
        twice = nl.ndarray(shape, dtype, buffer=nl.sbuf)
        nisa.tensor_scalar(twice, tile, nl.multiply, 2.0)
        nisa.dma_copy(out[:, part], twice)
    return out


if __name__ == "__main__":
    x = np.ones((128, 4096), dtype=np.float32)
    assert np.array_equal(double(x), 2 * x)
