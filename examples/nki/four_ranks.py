"""Four ranks multiply a part of a long inner dimension each, and add up their products with an all-reduce."""

import numpy as np

import nki
import nki.collectives as ncc
import nki.isa as nisa
import nki.language as nl
from nki_scope import on_ranks

RANKS = 4


@nki.jit
def matmul_of_parts(lhsT, rhs, ranks):
    """Return the sum over ranks of lhsT.T @ rhs, [M, N]. lhsT [K, M] and rhs [K, N]: this rank's part of K, at most 128; M at most 128."""
    (K, M), N = lhsT.shape, rhs.shape[1]
    left = nl.ndarray((K, M), dtype=lhsT.dtype, buffer=nl.sbuf)
    right = nl.ndarray((K, N), dtype=rhs.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=left, src=lhsT)
    nisa.dma_copy(dst=right, src=rhs)
    product = nl.ndarray((M, N), dtype=nl.float32, buffer=nl.psum)
    nisa.nc_matmul(dst=product, stationary=left, moving=right)
    copied = nl.ndarray((M, N), dtype=nl.float32, buffer=nl.sbuf)
    nisa.tensor_copy(dst=copied, src=product)

    part = nl.ndarray((M, N), dtype=nl.float32, buffer=nl.private_hbm)
    total = nl.ndarray((M, N), dtype=nl.float32, buffer=nl.private_hbm)
    out = nl.ndarray((M, N), dtype=nl.float32, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=part, src=copied)
    ncc.all_reduce([part], [total], ncc.ReplicaGroup([list(range(ranks))]), nl.add)
    nisa.dma_copy(dst=out, src=total)
    return out


if __name__ == "__main__":
    random = np.random.RandomState(0)
    lhsT = random.randn(RANKS * 128, 128).astype(np.float32)
    rhs = random.randn(RANKS * 128, 512).astype(np.float32)
    parts = [slice(rank * 128, rank * 128 + 128) for rank in range(RANKS)]
    results = on_ranks(matmul_of_parts, [{"lhsT": lhsT[part], "rhs": rhs[part], "ranks": RANKS} for part in parts])
    for result in results:
        assert np.allclose(result, lhsT.T @ rhs, rtol=1e-4, atol=1e-3)
    print("matmul_of_parts: agrees with NumPy at each of", RANKS, "ranks")
