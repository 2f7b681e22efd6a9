"""Tiled matrix multiplication: TensorE accumulates the K tiles in PSUM."""

import numpy as np

import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def matmul_tiled(lhs_t, rhs):
    """Return lhs_t.T @ rhs.

    Args:
        lhs_t: [K, M], the left side already transposed; K and M multiples of 128.
        rhs: [K, N], N a multiple of 512.
    """
    k_size, m_size = lhs_t.shape
    n_size = rhs.shape[1]
    tile_k = nl.tile_size.pmax
    tile_m = nl.tile_size.gemm_stationary_fmax
    tile_n = nl.tile_size.gemm_moving_fmax
    out = nl.ndarray((m_size, n_size), dtype=lhs_t.dtype, buffer=nl.shared_hbm)

    for m in range(m_size // tile_m):
        for n in range(n_size // tile_n):
            acc = nl.ndarray((tile_m, tile_n), dtype=nl.float32, buffer=nl.psum)
            for k in range(k_size // tile_k):
                stationary = nl.ndarray((tile_k, tile_m), dtype=lhs_t.dtype, buffer=nl.sbuf)
                moving = nl.ndarray((tile_k, tile_n), dtype=rhs.dtype, buffer=nl.sbuf)
                nisa.dma_copy(dst=stationary, src=lhs_t[nl.ds(k * tile_k, tile_k), nl.ds(m * tile_m, tile_m)], dge_mode=nisa.dge_mode.hwdge)
                nisa.dma_copy(dst=moving, src=rhs[nl.ds(k * tile_k, tile_k), nl.ds(n * tile_n, tile_n)], dge_mode=nisa.dge_mode.hwdge)
                nisa.nc_matmul(dst=acc, stationary=stationary, moving=moving)
            result = nl.ndarray((tile_m, tile_n), dtype=out.dtype, buffer=nl.sbuf)
            nisa.tensor_copy(dst=result, src=acc)
            nisa.dma_copy(dst=out[nl.ds(m * tile_m, tile_m), nl.ds(n * tile_n, tile_n)], src=result, dge_mode=nisa.dge_mode.hwdge)
    return out


if __name__ == "__main__":
    rng = np.random.RandomState(0)
    lhs_t = rng.rand(256, 256).astype(np.float32)
    rhs = rng.rand(256, 1024).astype(np.float32)
    result = matmul_tiled(lhs_t, rhs)
    assert np.allclose(result, lhs_t.T @ rhs, rtol=1e-5)
    print("matmul_tiled: agrees with NumPy")
