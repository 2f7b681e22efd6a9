"""Self-attention of a head of 64 for inference: softmax(q @ k.T / 8) @ v over the whole sequence, in bfloat16 on TensorE."""

import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
import numpy as np

TILE = 128
SCALE = 0.125


def turned(source, tiles):
    """[tiles * TILE, width] as tiles of [width, TILE]."""
    return [nl.load_transpose2d(source[nl.ds(t * TILE, TILE), :], dtype=nl.bfloat16) for t in range(tiles)]


def exponentials(q_tile, k_tiles):
    """exp(scores - their maximum) of 128 queries in bfloat16, and the sums."""
    length = len(k_tiles) * TILE
    scores = nl.ndarray((nl.par_dim(TILE), length), dtype=nl.float32)
    maxima = nl.ndarray((nl.par_dim(TILE), len(k_tiles)), dtype=nl.float32)
    for t, k_tile in enumerate(k_tiles):
        product = nl.zeros((nl.par_dim(TILE), TILE), dtype=nl.float32, buffer=nl.psum)
        product += nisa.nc_matmul(q_tile, k_tile)
        part = nl.ds(t * TILE, TILE)
        scores[:, part] = nl.copy(product)
        maxima[:, nl.ds(t, 1)] = nisa.tensor_reduce(np.max, data=scores[:, part], axis=(1,), negate=True)
    lowest = nisa.tensor_reduce(np.min, data=maxima, axis=(1,))
    powers = nisa.activation(np.exp, data=scores, bias=lowest, scale=1.0)
    return nl.copy(powers, dtype=nl.bfloat16), nisa.tensor_reduce(np.add, data=powers, axis=(1,))


@nki.jit
def self_attention(q, k, v):
    """Return softmax(q @ k.T / 8) @ v for q, k, v of [length, 64]."""
    length, width = q.shape
    tiles = length // TILE
    out = nl.ndarray((length, width), dtype=q.dtype, buffer=nl.shared_hbm)
    v_tiles = [nl.load(v[nl.ds(t * TILE, TILE), :], dtype=nl.bfloat16) for t in range(tiles)]
    q_tiles = [nl.multiply(tile, SCALE, dtype=nl.bfloat16) for tile in turned(q, tiles)]
    k_tiles = turned(k, tiles)
    for block in nl.affine_range(tiles):
        weights, sums = exponentials(q_tiles[block], k_tiles)
        divisor = nl.copy((1.0 / sums).broadcast_to((TILE, width)), dtype=nl.float32)
        weights_turned = nl.ndarray((nl.par_dim(TILE), tiles, TILE), dtype=nl.bfloat16)
        for t in nl.affine_range(tiles):
            weights_turned[:, t, :] = nisa.nc_transpose(weights[:, nl.ds(t * TILE, TILE)])
        product = nl.zeros((nl.par_dim(width), TILE), dtype=nl.float32, buffer=nl.psum)
        for t in nl.affine_range(tiles):
            product += nisa.nc_matmul(v_tiles[t], weights_turned[:, t, :])
        result = nl.copy(product) * nisa.nc_transpose(divisor)
        rows, columns = nl.arange(width)[:, None], nl.arange(TILE)[None, :]
        nl.store(out[block * TILE + columns, rows], value=result)
    return out
