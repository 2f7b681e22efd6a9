"""A matrix transposed tile by tile on TensorE, as in a course assignment whose times on Trn2 are published."""

import nki
import nki.isa as nisa
import nki.language as nl

TILE = 128


@nki.jit
def transpose_tiles(a):
    """Return a.T for a of [rows, columns], multiples of 128: load, transpose, copy out of PSUM, store."""
    rows, columns = a.shape
    out = nl.ndarray((columns, rows), dtype=a.dtype, buffer=nl.shared_hbm)
    for m in nl.affine_range(rows // TILE):
        for n in nl.affine_range(columns // TILE):
            down, across = nl.ds(m * TILE, TILE), nl.ds(n * TILE, TILE)
            tile = nl.ndarray((TILE, TILE), dtype=a.dtype, buffer=nl.sbuf)
            turned = nl.ndarray((TILE, TILE), dtype=a.dtype, buffer=nl.psum)
            copied = nl.ndarray((TILE, TILE), dtype=a.dtype, buffer=nl.sbuf)
            nisa.dma_copy(dst=tile, src=a[down, across])
            nisa.nc_transpose(dst=turned, data=tile)
            nisa.tensor_copy(dst=copied, src=turned)
            nisa.dma_copy(dst=out[across, down], src=copied)
    return out
