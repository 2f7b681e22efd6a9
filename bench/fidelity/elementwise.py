"""Elementwise kernels over big arrays of float32: SiLU, a step of AdamW, rotary embedding."""

import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
from neuronxcc import nki

TILE, WIDE, LOADED = 128, 512, 1024


def tile(width=WIDE):
    """A float32 tile in SBUF."""
    return nl.ndarray((nl.par_dim(TILE), width), dtype=nl.float32, buffer=nl.sbuf)


@nki.jit
def silu(x):
    """Return x / (1 + exp(-x)) for x of [128, blocks, columns]."""
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    for block in nl.affine_range(x.shape[1]):
        for start in nl.affine_range(x.shape[2] // LOADED):
            columns = nl.ds(start * LOADED, LOADED)
            loaded = nl.load(x[:, block, columns])
            result = tile(LOADED)
            for half in nl.affine_range(LOADED // WIDE):
                part = nl.ds(half * WIDE, WIDE)
                power = nisa.activation(op=nl.exp, data=loaded[:, part], scale=-1.0)
                inverse = nisa.reciprocal(nisa.tensor_scalar(power, op0=nl.add, operand0=1.0))
                result[:, part] = nl.multiply(loaded[:, part], inverse)
            nl.store(out[:, block, columns], value=result)
    return out


def adamw_tile(theta, g, m, v):
    """The new theta of one tile."""
    decayed = nl.subtract(theta, nisa.tensor_scalar(theta, op0=nl.multiply, operand0=1e-5))
    mean = nl.add(
        nisa.tensor_scalar(m, op0=nl.multiply, operand0=0.9), nisa.tensor_scalar(g, op0=nl.multiply, operand0=0.1)
    )
    step = nisa.tensor_scalar(mean, op0=nl.multiply, operand0=0.01)
    square = nl.multiply(nisa.tensor_scalar(g, op0=nl.multiply, operand0=0.001), g)
    spread = nl.add(nisa.tensor_scalar(v, op0=nl.multiply, operand0=0.999), square)
    root = nisa.tensor_scalar(nisa.activation(op=nl.sqrt, data=spread, scale=1000.0), op0=nl.add, operand0=1e-8)
    return nl.subtract(decayed, nl.multiply(step, nisa.reciprocal(root)))


@nki.jit
def adamw(theta, g, m, v):
    """Return theta after one step of AdamW; all of [rows, columns], the last block of rows may be short."""
    rows, columns = theta.shape
    out = nl.ndarray(theta.shape, dtype=theta.dtype, buffer=nl.shared_hbm)
    for block in nl.affine_range((rows + TILE - 1) // TILE):
        height = min(TILE, rows - block * TILE)
        for start in nl.affine_range(columns // LOADED):
            place = (nl.ds(block * TILE, height), nl.ds(start * LOADED, LOADED))
            loaded = [nl.load(source[place]) for source in (theta, g, m, v)]
            result = nl.ndarray((nl.par_dim(height), LOADED), dtype=theta.dtype, buffer=nl.sbuf)
            for half in nl.affine_range(LOADED // WIDE):
                part = nl.ds(half * WIDE, WIDE)
                result[:, part] = adamw_tile(*[source[:, part] for source in loaded])
            nl.store(out[place], value=result)
    return out


def rotate(upper, lower, cos, sin):
    """Both halves of a rotated tile."""
    copied = nl.copy(lower)
    products = [nisa.tensor_tensor(a, b, nl.multiply) for b in (cos, sin) for a in (upper, copied)]
    first = nisa.tensor_tensor(products[0], products[3], nl.subtract)
    return first, nisa.tensor_tensor(products[1], products[2], nl.add)


@nki.jit
def rope(x, cos, sin):
    """Rotary embedding of x of [128, length] with cos and sin of [64, length]."""
    size, length = x.shape
    half = size // 2
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    for start in range(length // WIDE):
        columns = nl.ds(start * WIDE, WIDE)
        loaded = nl.load(x[:, columns])
        turns = [nl.load(source[:, columns]) for source in (cos, sin)]
        result = tile()
        result[0:half, :], result[half:size, :] = rotate(loaded[0:half, :], loaded[half:size, :], *turns)
        nl.store(out[:, columns], value=result)
    return out
