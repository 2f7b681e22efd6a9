"""Transpose a matrix in blocks of 128 x 128 on TensorE."""

import numpy as np

import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def transpose_2d(x):
    """Return x.T for x of [rows, columns], both multiples of 128."""
    rows, columns = x.shape
    block = nl.tile_size.pmax
    out = nl.ndarray((columns, rows), dtype=x.dtype, buffer=nl.shared_hbm)
    for i in range(rows // block):
        row_block = nl.ndarray((block, columns), dtype=x.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=row_block, src=x[nl.ds(i * block, block), :])
        for j in range(columns // block):
            turned = nl.ndarray((block, block), dtype=x.dtype, buffer=nl.psum)
            nisa.nc_transpose(dst=turned, data=row_block[:, nl.ds(j * block, block)])
            result = nl.ndarray((block, block), dtype=x.dtype, buffer=nl.sbuf)
            nisa.tensor_copy(dst=result, src=turned)
            nisa.dma_copy(dst=out[nl.ds(j * block, block), nl.ds(i * block, block)], src=result)
    return out


if __name__ == "__main__":
    x = np.arange(256 * 384, dtype=np.float32).reshape(256, 384)
    assert np.array_equal(transpose_2d(x), x.T)
    print("transpose_2d: equal to NumPy")
