"""Elementwise exponential of any 2D shape, in the legacy dialect, with nki.benchmark's latency table.

The rows are covered in steps of 128 and `mask=` leaves out those beyond the last. `nki.benchmark` prints the table that
users of the device know, with simulated times, and saves the profile under the trace's name.
"""

import neuronxcc.nki.language as nl
from neuronxcc import nki
from neuronxcc.nki.typing import tensor


@nki.benchmark(save_neff_name="file.neff", save_trace_name="profile.ntff")
def exp_any_shape(x):
    """Return exp(x) for x of [rows, columns]."""
    rows, columns = x.shape
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    column = nl.arange(columns)[None, :]
    for block in nl.affine_range((rows + nl.tile_size.pmax - 1) // nl.tile_size.pmax):
        row = block * nl.tile_size.pmax + nl.arange(nl.tile_size.pmax)[:, None]
        tile = nl.load(x[row, column], mask=(row < rows))
        nl.store(out[row, column], value=nl.exp(tile), mask=(row < rows))
    return out


if __name__ == "__main__":
    exp_any_shape(tensor[[250, 512], nl.float32])
