"""Blocks of a tensor that numbers in SBUF choose: a register is loaded with each number, and the machine computes the address."""

import numpy as np

import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def chosen_blocks(blocks, numbers):
    """Return the exponentials of the chosen blocks: blocks [n, 128, 512], numbers [1, k], result [k, 128, 512]."""
    count = numbers.shape[1]
    out = nl.ndarray((count, 128, 512), dtype=blocks.dtype, buffer=nl.shared_hbm)
    chosen = nl.ndarray(numbers.shape, dtype=numbers.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=chosen, src=numbers)
    for k in range(count):
        tile = nl.ndarray((128, 512), dtype=blocks.dtype, buffer=nl.sbuf)
        number = chosen[0:1, k : k + 1]
        nisa.dma_copy(dst=tile, src=blocks.ap(pattern=[[512, 128], [1, 512]], scalar_offset=number, indirect_dim=0))
        nisa.activation(dst=tile, op=nl.exp, data=tile)
        nisa.dma_copy(dst=out[k], src=tile)
    return out


if __name__ == "__main__":
    blocks = np.random.RandomState(0).rand(16, 128, 512).astype(np.float32)
    numbers = np.array([[3, 11, 7, 0, 14, 2]], dtype=np.int32)
    assert np.allclose(chosen_blocks(blocks, numbers), np.exp(blocks[numbers[0]]), rtol=1e-5)
    print("chosen_blocks: agrees with NumPy")
