"""Four ranks, each of which works for another time before each of three collectives."""

import numpy as np

import nki
import nki.collectives as ncc
import nki.isa as nisa
import nki.language as nl
from nki_scope import on_ranks

RANKS = 4


@nki.jit
def work(x, rounds, ranks):
    """Activate x, [128, 512], so many times; add it up over the ranks, send it on to the next rank, add it up again."""
    everyone = ncc.ReplicaGroup([list(range(ranks))])
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    for step in range(3):
        for _ in range(rounds):
            nisa.activation(dst=tile, op=nl.exp, data=tile)
        given = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.private_hbm)
        got = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.private_hbm)
        nisa.dma_copy(dst=given, src=tile)
        if step == 1:
            ncc.collective_permute([given], [got], [(rank, (rank + 1) % ranks) for rank in range(ranks)])
        else:
            ncc.all_reduce([given], [got], everyone, nl.add)
        nisa.dma_copy(dst=tile, src=got)
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out


if __name__ == "__main__":
    x = np.zeros((128, 512), np.float32)
    on_ranks(work, [{"x": x, "rounds": 4 + 6 * (rank * 3 % RANKS), "ranks": RANKS} for rank in range(RANKS)])
