/** The smallest kernel that loads, computes and stores: a file of tests adds the calls it needs. */
export const DOUBLE_KERNEL = `import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np


@nki.jit
def double(a):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=a)
    nisa.tensor_tensor(dst=tile, data1=tile, data2=tile, op=nl.add)
    nisa.dma_copy(dst=out, src=tile)
    return out
`;
