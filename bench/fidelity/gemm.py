"""A tiled matrix multiplication and the same with groups of output tiles that share what they load."""

import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
from neuronxcc import nki

TILE, WIDE = 128, 512


@nki.jit
def gemm_tiled(lhs_t, rhs):
    """Return lhs_t.T @ rhs; every product of tiles loads both."""
    out = nl.ndarray((lhs_t.shape[1], rhs.shape[1]), dtype=lhs_t.dtype, buffer=nl.shared_hbm)
    for m in nl.affine_range(out.shape[0] // TILE):
        for n in nl.affine_range(out.shape[1] // WIDE):
            total = nl.zeros((TILE, WIDE), nl.float32, buffer=nl.psum)
            for k in nl.affine_range(lhs_t.shape[0] // TILE):
                rows = slice(k * TILE, (k + 1) * TILE)
                left = nl.load(lhs_t[rows, m * TILE : (m + 1) * TILE])
                right = nl.load(rhs[rows, n * WIDE : (n + 1) * WIDE])
                total += nl.matmul(left, right, transpose_x=True)
            nl.store(
                out[m * TILE : (m + 1) * TILE, n * WIDE : (n + 1) * WIDE],
                value=nl.copy(total, dtype=out.dtype),
            )
    return out


@nki.jit
def gemm_grouped(lhs_t, rhs, group_m, group_n, left_at_once):
    """Return lhs_t.T @ rhs; group_m x group_n output tiles at a time, left tiles loaded `left_at_once` by one DMA."""
    out = nl.ndarray((lhs_t.shape[1], rhs.shape[1]), dtype=lhs_t.dtype, buffer=nl.shared_hbm)
    for m in nl.affine_range(out.shape[0] // TILE // group_m):
        for n in nl.affine_range(out.shape[1] // WIDE // group_n):
            totals = [
                [nl.zeros((TILE, WIDE), nl.float32, buffer=nl.psum) for _ in range(group_n)] for _ in range(group_m)
            ]
            for k in nl.affine_range(lhs_t.shape[0] // TILE):
                rows = slice(k * TILE, (k + 1) * TILE)
                rights = [nl.load(rhs[rows, nl.ds((n * group_n + j) * WIDE, WIDE)]) for j in range(group_n)]
                for i in range(group_m):
                    if i % left_at_once == 0:
                        lefts = nl.load(lhs_t[rows, nl.ds((m * group_m + i) * TILE, left_at_once * TILE)])
                    left = lefts[:, nl.ds(i % left_at_once * TILE, TILE)]
                    for j in range(group_n):
                        totals[i][j] += nisa.nc_matmul(left, rights[j])
            for i in range(group_m):
                for j in range(group_n):
                    nl.store(
                        out[nl.ds((m * group_m + i) * TILE, TILE), nl.ds((n * group_n + j) * WIDE, WIDE)],
                        value=nisa.tensor_copy(totals[i][j], dtype=out.dtype),
                    )
    return out
