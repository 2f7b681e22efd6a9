"""Matrix multiplication that loads both tiles of every product."""

import nki
import nki.isa as nisa
import nki.language as nl

TILE, TILE_N = 128, 512


def load(source, k, column, width):
    """The tile of TILE rows at row block `k` and column block `column`."""
    tile = nl.ndarray((TILE, width), dtype=source.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=source[nl.ds(k * TILE, TILE), nl.ds(column * width, width)])
    return tile


def store(out, m, n, product):
    """Writes one result out of PSUM."""
    result = nl.ndarray((TILE, TILE_N), dtype=nl.float32, buffer=nl.sbuf)
    nisa.tensor_copy(dst=result, src=product)
    nisa.dma_copy(dst=out[nl.ds(m * TILE, TILE), nl.ds(n * TILE_N, TILE_N)], src=result)


@nki.jit
def matmul_tiled(lhs_t, rhs):
    """Return lhs_t.T @ rhs for lhs_t of [K, M] and rhs of [K, N]."""
    out = nl.ndarray((lhs_t.shape[1], rhs.shape[1]), dtype=nl.float32, buffer=nl.shared_hbm)
    for m in nl.affine_range(out.shape[0] // TILE):
        for n in nl.affine_range(out.shape[1] // TILE_N):
            product = nl.ndarray((TILE, TILE_N), dtype=nl.float32, buffer=nl.psum)
            for k in nl.affine_range(lhs_t.shape[0] // TILE):
                nisa.nc_matmul(dst=product, stationary=load(lhs_t, k, m, TILE), moving=load(rhs, k, n, TILE_N))
            store(out, m, n, product)
    return out
