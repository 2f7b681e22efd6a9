"""RMSNorm in the legacy dialect: returned tiles, a reduction along the free axis, one weight row for all blocks."""

import numpy as np

import neuronxcc.nki as nki
import neuronxcc.nki.language as nl


@nki.jit
def rmsnorm(x, weight):
    """Return x / sqrt(mean(x * x)) * weight, row by row.

    Args:
        x: [rows, columns].
        weight: [columns].
    """
    rows, columns = x.shape
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    row = nl.arange(128)[:, None]
    column = nl.arange(columns)[None, :]
    weight_row = nl.load(weight.reshape((1, columns))[nl.arange(1)[:, None], column])
    for block in nl.affine_range((rows + 127) // 128):
        inside = block * 128 + row < rows
        tile = nl.load(x[block * 128 + row, column], mask=inside)
        mean_square = nl.sum(nl.square(tile), axis=[1]) / columns
        normed = nl.multiply(tile, nl.rsqrt(mean_square))
        normed[...] = nl.multiply(normed, weight_row.broadcast_to((128, columns)), mask=inside)
        nl.store(out[block * 128 + row, column], value=normed, mask=inside)
    return out


if __name__ == "__main__":
    rng = np.random.RandomState(0)
    x = rng.rand(300, 512).astype(np.float32)
    weight = rng.rand(512).astype(np.float32)
    reference = x / np.sqrt(np.mean(x * x, axis=1, keepdims=True)) * weight
    assert np.allclose(rmsnorm(x, weight), reference, rtol=1e-4)
    print("rmsnorm: agrees with NumPy")
