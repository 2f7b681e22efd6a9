"""Softmax attention over one head of 128, with scores kept on chip or written to HBM between its three phases."""

import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
from neuronxcc import nki

TILE, WIDE = 128, 512


def load_all(q, k, v):
    """The three inputs in SBUF."""
    return nl.load(q), nl.load(k), nl.load(v)


def transposed(source, size):
    """[128, size] as tiles of [128, 128], each transposed."""
    result = nl.ndarray((nl.par_dim(TILE), size // TILE, TILE), dtype=nl.float32, buffer=nl.sbuf)
    for t in nl.affine_range(size // TILE):
        result[:, t, :] = nisa.tensor_copy(nisa.nc_transpose(source[:, nl.ds(t * TILE, TILE)]), dtype=nl.float32)
    return result


def scores_of(q_tiles, k_tiles, block, size):
    """Scores of 128 queries with all keys."""
    scores = nl.ndarray((nl.par_dim(TILE), size), dtype=nl.float32, buffer=nl.sbuf)
    for t in nl.affine_range(size // WIDE):
        product = nl.ndarray((nl.par_dim(TILE), WIDE), dtype=nl.float32, buffer=nl.psum)
        product[...] = nisa.nc_matmul(q_tiles[:, nl.ds(block * TILE, TILE)], k_tiles[:, nl.ds(t * WIDE, WIDE)])
        scores[:, nl.ds(t * WIDE, WIDE)] = nisa.tensor_copy(product, dtype=nl.float32)
    return scores


def exponentials(scores, size):
    """exp(scores - max of the row), and one over its sum."""
    maxima = nl.ndarray((nl.par_dim(TILE), size // WIDE), dtype=nl.float32, buffer=nl.sbuf)
    sums = nl.ndarray((nl.par_dim(TILE), size // WIDE), dtype=nl.float32, buffer=nl.sbuf)
    result = nl.ndarray((nl.par_dim(TILE), size), dtype=nl.float32, buffer=nl.sbuf)
    for t in nl.affine_range(size // WIDE):
        maxima[:, t] = nisa.tensor_reduce(op=nl.max, data=scores[:, nl.ds(t * WIDE, WIDE)], axis=1)
    negative = nisa.tensor_reduce(op=nl.max, data=maxima, axis=1, negate=True)
    for t in nl.affine_range(size // WIDE):
        part = nl.ds(t * WIDE, WIDE)
        result[:, part] = nisa.activation(op=nl.exp, data=scores[:, part], bias=negative, scale=1.0)
        sums[:, t] = nisa.tensor_reduce(op=nl.add, data=result[:, part], axis=1)
    return result, nisa.reciprocal(data=nisa.tensor_reduce(op=nl.add, data=sums, axis=1))


def weighted(weights, v_tiles, size):
    """weights @ v in PSUM, weights transposed tile by tile first."""
    turned = transposed(weights, size)
    total = nl.zeros((TILE, TILE), dtype=nl.float32, buffer=nl.psum)
    for t in nl.affine_range(size // TILE):
        total += nisa.nc_matmul(turned[:, t, :], v_tiles[:, t, :])
    return total


@nki.jit
def attention_fused(q, k, v):
    """Return softmax(q.T @ k) @ v.T of [size, 128] for q, k, v of [128, size]; divided by the sums last."""
    size = q.shape[1]
    out = nl.ndarray((size, TILE), dtype=q.dtype, buffer=nl.shared_hbm)
    q_tiles, k_tiles, v_tiles = load_all(q, k, v)
    v_turned = transposed(v_tiles, size)
    for block in nl.affine_range(size // TILE):
        weights, inverse = exponentials(scores_of(q_tiles, k_tiles, block, size), size)
        total = weighted(weights, v_turned, size)
        scaled = nisa.tensor_scalar(data=total, op0=nl.multiply, operand0=inverse, engine=nisa.vector_engine)
        nl.store(out[nl.ds(block * TILE, TILE), :], value=scaled)
    return out


@nki.jit
def attention_baseline(q, k, v):
    """The same in three phases; scores and weights pass through HBM."""
    size = q.shape[1]
    out = nl.ndarray((size, TILE), dtype=q.dtype, buffer=nl.shared_hbm)
    between = nl.ndarray((size // TILE, TILE, size), dtype=nl.float32, buffer=nl.shared_hbm)
    q_tiles, k_tiles, v_tiles = load_all(q, k, v)
    for block in nl.affine_range(size // TILE):
        nl.store(between[block], scores_of(q_tiles, k_tiles, block, size))
    for block in nl.affine_range(size // TILE):
        weights, inverse = exponentials(nl.load(between[block]), size)
        normal = nl.ndarray((nl.par_dim(TILE), size), dtype=nl.float32, buffer=nl.sbuf)
        for t in nl.affine_range(size // WIDE):
            part = nl.ds(t * WIDE, WIDE)
            normal[:, part] = nisa.tensor_scalar(
                data=weights[:, part], op0=nl.multiply, operand0=inverse, engine=nisa.vector_engine
            )
        nl.store(between[block], normal)
    v_turned = transposed(v_tiles, size)
    for block in nl.affine_range(size // TILE):
        total = weighted(nl.load(between[block]), v_turned, size)
        nl.store(out[nl.ds(block * TILE, TILE), :], value=nisa.tensor_copy(total, dtype=nl.float32))
    return out
