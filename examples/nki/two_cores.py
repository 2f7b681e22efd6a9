"""Both cores of a logical NeuronCore: each adds up half of every row, they tell each other, and each scales its half by the whole sum."""

import numpy as np

import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def share_of_row(x):
    """Return x divided by the sums of its rows, [128, columns], columns a multiple of the number of cores."""
    rows, columns = x.shape
    cores, core = nl.num_programs(0), nl.program_id(0)
    own = nl.ds(core * (columns // cores), columns // cores)
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    sums = nl.ndarray((rows, cores), dtype=nl.float32, buffer=nl.shared_hbm)

    tile = nl.ndarray((rows, columns // cores), dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x[:, own])
    part = nl.ndarray((rows, 1), dtype=nl.float32, buffer=nl.sbuf)
    nisa.tensor_reduce(dst=part, op=nl.add, data=tile, axis=1)
    nisa.dma_copy(dst=sums[:, nl.ds(core, 1)], src=part)

    if cores > 1:
        nisa.core_barrier(sums, (0, 1))  # the other core has stored its sums, too
    parts = nl.ndarray((rows, cores), dtype=nl.float32, buffer=nl.sbuf)
    nisa.dma_copy(dst=parts, src=sums)
    scale = nl.ndarray((rows, 1), dtype=nl.float32, buffer=nl.sbuf)
    nisa.tensor_reduce(dst=scale, op=nl.add, data=parts, axis=1)
    nisa.reciprocal(dst=scale, data=scale)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=scale)
    nisa.dma_copy(dst=out[:, own], src=tile)
    return out


if __name__ == "__main__":
    # NeuronCore-v2 has no logical cores
    cores = 1 if nisa.get_nc_version() == nisa.nc_version.gen2 else 2
    x = np.random.RandomState(0).rand(128, 4096).astype(np.float32)
    assert np.allclose(share_of_row[cores](x), x / np.sum(x, axis=1, keepdims=True), rtol=1e-5)
    print("share_of_row: agrees with NumPy on", cores, "core" if cores == 1 else "cores")
