"""Exponential of one tile: one load, one activation, one store."""

import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def exp_tile(x):
    """Return exp(x) for x of [rows, columns] that fits one tile."""
    loaded = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    result = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=loaded, src=x)
    nisa.activation(dst=result, op=nl.exp, data=loaded)
    nisa.dma_copy(dst=out, src=result)
    return out
