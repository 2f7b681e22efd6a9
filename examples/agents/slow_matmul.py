"""A tiled matmul that is slow in several ways, for improve.py beside it. The constants are the choices that a person would try by hand."""

import numpy as np

import nki
import nki.isa as nisa
import nki.language as nl

# Whether tiles that were loaded are kept in SBUF for the loops that need them again.
KEEP_LOADED = False
# Tiles of the moving side that one DMA loads: 1, 2 or 4.
TILES_PER_LOAD = 1


@nki.jit
def slow_matmul(lhs_t, rhs):
    """Return lhs_t.T @ rhs. lhs_t: [K, M], rhs: [K, N]; K and M multiples of 128, N of 2048."""
    k_size, m_size = lhs_t.shape
    n_size = rhs.shape[1]
    tile_k = nl.tile_size.pmax
    tile_m = nl.tile_size.gemm_stationary_fmax
    tile_n = nl.tile_size.gemm_moving_fmax
    width = TILES_PER_LOAD * tile_n
    out = nl.ndarray((m_size, n_size), dtype=lhs_t.dtype, buffer=nl.shared_hbm)
    kept_lhs = []

    for n in range(n_size // width):
        kept_rhs = []
        for m in range(m_size // tile_m):
            sums = []
            for _ in range(TILES_PER_LOAD):
                sums.append(nl.ndarray((tile_m, tile_n), dtype=nl.float32, buffer=nl.psum))
            for k in range(k_size // tile_k):
                if KEEP_LOADED and n > 0:
                    stationary = kept_lhs[m * (k_size // tile_k) + k]
                else:
                    stationary = nl.ndarray((tile_k, tile_m), dtype=lhs_t.dtype, buffer=nl.sbuf)
                    nisa.dma_copy(dst=stationary, src=lhs_t[nl.ds(k * tile_k, tile_k), nl.ds(m * tile_m, tile_m)])
                    kept_lhs.append(stationary)
                if KEEP_LOADED and m > 0:
                    moving = kept_rhs[k]
                else:
                    moving = nl.ndarray((tile_k, width), dtype=rhs.dtype, buffer=nl.sbuf)
                    nisa.dma_copy(dst=moving, src=rhs[nl.ds(k * tile_k, tile_k), nl.ds(n * width, width)])
                    kept_rhs.append(moving)
                for tile in range(TILES_PER_LOAD):
                    nisa.nc_matmul(dst=sums[tile], stationary=stationary, moving=moving[:, nl.ds(tile * tile_n, tile_n)])
            for tile in range(TILES_PER_LOAD):
                result = nl.ndarray((tile_m, tile_n), dtype=out.dtype, buffer=nl.sbuf)
                nisa.tensor_copy(dst=result, src=sums[tile])
                nisa.dma_copy(dst=out[nl.ds(m * tile_m, tile_m), nl.ds(n * width + tile * tile_n, tile_n)], src=result)
    return out


if __name__ == "__main__":
    rng = np.random.RandomState(0)
    lhs_t = rng.rand(128, 128).astype(np.float32)
    rhs = rng.rand(128, 2048).astype(np.float32)
    result = slow_matmul(lhs_t, rhs)
    assert np.allclose(result, lhs_t.T @ rhs, rtol=1e-5)
    print("slow_matmul: agrees with NumPy")
