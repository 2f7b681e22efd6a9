"""Matrix multiplication blocked in all three dimensions: a block of sums stays in SBUF while blocks of K pass by."""

import nki
import nki.isa as nisa
import nki.language as nl

TILE, TILE_N = 128, 512
TILES_M, TILES_N, TILES_K = 16, 2, 8
BLOCK_M, BLOCK_N = TILE * TILES_M, TILE_N * TILES_N


def sbuf(rows, columns, dtype):
    """An SBUF tile."""
    return nl.ndarray((rows, columns), dtype=dtype, buffer=nl.sbuf)


def load_rows(source, k, start, width):
    """Load TILES_K tiles of TILE rows from column `start`, `width` columns each."""
    tiles = []
    for step in range(TILES_K):
        tile = sbuf(TILE, width, source.dtype)
        nisa.dma_copy(dst=tile, src=source[nl.ds((TILES_K * k + step) * TILE, TILE), nl.ds(start, width)])
        tiles.append(tile)
    return tiles


def add_block(sums, left, right):
    """Add the products of one block of K to TILES_M x TILES_N sums."""
    for n in range(TILES_N):
        for m in range(TILES_M):
            product = nl.ndarray((TILE, TILE_N), dtype=nl.float32, buffer=nl.psum)
            for step in range(TILES_K):
                nisa.nc_matmul(
                    dst=product,
                    stationary=left[step][:, nl.ds(m * TILE, TILE)],
                    moving=right[step][:, nl.ds(n * TILE_N, TILE_N)],
                )
            nisa.tensor_tensor(dst=sums[m][n], data1=sums[m][n], data2=product, op=nl.add)


def zeros(dtype):
    """TILES_M x TILES_N tiles of zeros."""
    rows = [[sbuf(TILE, TILE_N, dtype) for _ in range(TILES_N)] for _ in range(TILES_M)]
    for row in rows:
        for tile in row:
            nisa.memset(dst=tile, value=0.0)
    return rows


def store_block(out, sums, m, n):
    """Pack the sums of each row of tiles and store them."""
    for row in range(TILES_M):
        packed = sbuf(TILE, BLOCK_N, nl.float32)
        for column in range(TILES_N):
            nisa.tensor_copy(dst=packed[:, nl.ds(column * TILE_N, TILE_N)], src=sums[row][column])
        nisa.dma_copy(dst=out[nl.ds((TILES_M * m + row) * TILE, TILE), nl.ds(BLOCK_N * n, BLOCK_N)], src=packed)


@nki.jit
def matmul_blocked(lhs_t, rhs):
    """Return lhs_t.T @ rhs for lhs_t of [K, M] and rhs of [K, N], multiples of the blocks."""
    k_size, m_size = lhs_t.shape
    n_size = rhs.shape[1]
    out = nl.ndarray((m_size, n_size), dtype=nl.float32, buffer=nl.shared_hbm)
    for n in nl.affine_range(n_size // BLOCK_N):
        sums = [zeros(lhs_t.dtype) for _ in range(m_size // BLOCK_M)]
        for k in nl.sequential_range(k_size // (TILE * TILES_K)):
            right = load_rows(rhs, k, BLOCK_N * n, BLOCK_N)
            for m in range(m_size // BLOCK_M):
                add_block(sums[m], load_rows(lhs_t, k, BLOCK_M * m, BLOCK_M), right)
        for m in range(m_size // BLOCK_M):
            store_block(out, sums[m], m, n)
    return out
