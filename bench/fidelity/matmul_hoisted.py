"""Matrix multiplication that loads each left block once and each right column block once per row block."""

import nki
import nki.isa as nisa
import nki.language as nl

TILE_K, TILE_M, TILE_N = 128, 128, 512


def load_tiles(source, tiles, column, width):
    """Load `tiles` tiles of TILE_K rows at one column block."""
    loaded = []
    for k in range(tiles):
        tile = nl.ndarray((TILE_K, width), dtype=source.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=source[nl.ds(k * TILE_K, TILE_K), nl.ds(column * width, width)])
        loaded.append(tile)
    return loaded


@nki.jit
def matmul_hoisted(lhs_t, rhs):
    """Return lhs_t.T @ rhs for lhs_t of [K, M] and rhs of [K, N]."""
    k_size, m_size = lhs_t.shape
    n_size = rhs.shape[1]
    tiles = k_size // TILE_K
    out = nl.ndarray((m_size, n_size), dtype=nl.float32, buffer=nl.shared_hbm)
    for m in nl.affine_range(m_size // TILE_M):
        left = load_tiles(lhs_t, tiles, m, TILE_M)
        for n in nl.affine_range(n_size // TILE_N):
            right = load_tiles(rhs, tiles, n, TILE_N)
            acc = nl.ndarray((TILE_M, TILE_N), dtype=nl.float32, buffer=nl.psum)
            for k in range(tiles):
                nisa.nc_matmul(dst=acc, stationary=left[k], moving=right[k])
            result = nl.ndarray((TILE_M, TILE_N), dtype=nl.float32, buffer=nl.sbuf)
            nisa.tensor_copy(dst=result, src=acc)
            nisa.dma_copy(dst=out[nl.ds(m * TILE_M, TILE_M), nl.ds(n * TILE_N, TILE_N)], src=result)
    return out
