"""Add two tensors: the smallest kernel with two inputs."""

import numpy as np

import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def tensor_add(a, b):
    """Return a + b.

    Args:
        a: [rows, columns], rows a multiple of 128.
        b: the same shape and dtype.
    """
    rows, columns = a.shape
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    for i in range(rows // nl.tile_size.pmax):
        block = nl.ds(i * nl.tile_size.pmax, nl.tile_size.pmax)
        a_tile = nl.ndarray((nl.tile_size.pmax, columns), dtype=a.dtype, buffer=nl.sbuf)
        b_tile = nl.ndarray((nl.tile_size.pmax, columns), dtype=b.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=a_tile, src=a[block, :])
        nisa.dma_copy(dst=b_tile, src=b[block, :])
        nisa.tensor_tensor(dst=a_tile, data1=a_tile, data2=b_tile, op=nl.add)
        nisa.dma_copy(dst=out[block, :], src=a_tile)
    return out


if __name__ == "__main__":
    rng = np.random.RandomState(0)
    a = rng.rand(512, 1024).astype(np.float32)
    b = rng.rand(512, 1024).astype(np.float32)
    result = tensor_add(a, b)
    assert np.array_equal(result, a + b)
    print("tensor_add: equal to NumPy")
