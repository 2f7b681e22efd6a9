"""Doubles a matrix, slowly. Profile it (Shift+Alt+P), then mend its hottest line."""

import numpy as np

import nki
import nki.isa as nisa
import nki.language as nl

# Each tile is this wide. Narrow tiles mean many small DMAs, and the Sync engine starts them one by one.
# Mend it: write 2048 here, and watch the hints below while you type.
COLUMNS = 64


@nki.jit
def double(x):
    """Return 2 * x, for x of shape [rows, columns], rows a multiple of 128."""
    rows, columns = x.shape
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    for i in nl.affine_range(rows // 128):
        for j in nl.affine_range(columns // COLUMNS):
            tile = nl.ndarray((128, COLUMNS), dtype=x.dtype, buffer=nl.sbuf)
            nisa.dma_copy(dst=tile, src=x[nl.ds(i * 128, 128), nl.ds(j * COLUMNS, COLUMNS)])
            doubled = nl.ndarray((128, COLUMNS), dtype=x.dtype, buffer=nl.sbuf)
            nisa.tensor_scalar(dst=doubled, data=tile, op0=nl.multiply, operand0=2.0)
            nisa.dma_copy(dst=out[nl.ds(i * 128, 128), nl.ds(j * COLUMNS, COLUMNS)], src=doubled)
    return out


if __name__ == "__main__":
    x = np.ones((256, 2048), dtype=np.float32)
    assert np.array_equal(double(x), 2 * x)
