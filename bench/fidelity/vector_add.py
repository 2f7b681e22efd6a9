"""Vector addition cut two ways, as in a course assignment whose times on Trn2 are published (see ../accuracy.mjs)."""

import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def add_rows(a, b, rows):
    """Return a + b for vectors of n numbers, `rows` of them per tile of one column: n / rows tiles."""
    size = a.shape[0]
    a2, b2 = a.reshape((size, 1)), b.reshape((size, 1))
    out = nl.ndarray((size, 1), dtype=a.dtype, buffer=nl.shared_hbm)
    for m in nl.affine_range(size // rows):
        part = nl.ds(m * rows, rows)
        a_tile = nl.ndarray((rows, 1), dtype=a.dtype, buffer=nl.sbuf)
        b_tile = nl.ndarray((rows, 1), dtype=b.dtype, buffer=nl.sbuf)
        total = nl.ndarray((rows, 1), dtype=a.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=a_tile, src=a2[part, :])
        nisa.dma_copy(dst=b_tile, src=b2[part, :])
        nisa.tensor_tensor(dst=total, data1=a_tile, data2=b_tile, op=nl.add)
        nisa.dma_copy(dst=out[part, :], src=total)
    return out


@nki.jit
def add_columns(a, b, columns):
    """Return a + b, the vector seen as 128 rows and added `columns` columns at a time."""
    size = a.shape[0]
    width = size // 128
    a2, b2 = a.reshape((128, width)), b.reshape((128, width))
    out = nl.ndarray((128, width), dtype=a.dtype, buffer=nl.shared_hbm)
    for m in nl.affine_range(width // columns):
        part = nl.ds(m * columns, columns)
        a_tile = nl.ndarray((128, columns), dtype=a.dtype, buffer=nl.sbuf)
        b_tile = nl.ndarray((128, columns), dtype=b.dtype, buffer=nl.sbuf)
        total = nl.ndarray((128, columns), dtype=a.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=a_tile, src=a2[:, part])
        nisa.dma_copy(dst=b_tile, src=b2[:, part])
        nisa.tensor_tensor(dst=total, data1=a_tile, data2=b_tile, op=nl.add)
        nisa.dma_copy(dst=out[:, part], src=total)
    return out
