"""Products of float32 matrices whose left side is transposed on TensorE first, alone and with RMS norms around them."""

import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
from neuronxcc import nki

TILE, WIDE, LOADED = 128, 512, 1024
EPSILON = 1e-6


def turned(block, tiles):
    """[128, tiles * 128] as `tiles` transposed tiles."""
    result = nl.ndarray((nl.par_dim(block.shape[1] // tiles), tiles, TILE), dtype=nl.float32, buffer=nl.sbuf)
    for t in range(tiles):
        width = block.shape[1] // tiles
        result[:, t, :] = nl.copy(nisa.nc_transpose(block[:, nl.ds(t * width, width)]))
    return result


def product(left, right, tiles, column):
    """Sum over `tiles` of the products with 512 columns of the right side, in SBUF."""
    total = nl.zeros((TILE, WIDE), nl.float32, buffer=nl.psum)
    for t in nl.affine_range(tiles):
        total += nisa.nc_matmul(left(t), right(t)[:, nl.ds(column, WIDE)])
    return nl.copy(total)


@nki.jit
def matmul(x, w):
    """Return x @ w for x of [blocks, 128, tiles, 128] and w of [tiles, 128, columns]; 1024 columns stay in SBUF."""
    blocks, _, tiles, _ = x.shape
    out = nl.ndarray((blocks, TILE, w.shape[2]), dtype=x.dtype, buffer=nl.shared_hbm)
    for start in nl.affine_range(w.shape[2] // LOADED):
        columns = nl.ds(start * LOADED, LOADED)
        rights = [nl.load(w[t, :, columns]) for t in range(tiles)]
        for block in nl.affine_range(blocks):
            lefts = []
            for group in range(tiles // 8):
                loaded = nl.load(x[block, :, nl.ds(group * 8, 8), :])
                lefts.append(turned(loaded.reshape((TILE, 8 * TILE)), 8))
            result = nl.ndarray((nl.par_dim(TILE), LOADED), dtype=x.dtype, buffer=nl.sbuf)
            for half in nl.affine_range(LOADED // WIDE):
                part = nl.ds(half * WIDE, WIDE)
                result[:, part] = product(
                    lambda t, lefts=lefts: lefts[t // 8][:, t % 8, :], lambda t: rights[t], tiles, half * WIDE
                )
            nl.store(out[block, :, columns], value=result)
    return out


@nki.jit
def batched(x, w):
    """Return x[b] @ w[b] for x of [batch, rows, 64] and w of [batch, 64, columns]."""
    batch, rows, depth = x.shape
    out = nl.ndarray((batch, rows, w.shape[2]), dtype=x.dtype, buffer=nl.shared_hbm)
    for b in nl.affine_range(batch):
        for start in nl.affine_range(w.shape[2] // LOADED):
            right = nl.load(w[b, :, nl.ds(start * LOADED, LOADED)])
            for group in nl.affine_range(rows // LOADED):
                left = nl.ndarray((nl.par_dim(depth), LOADED), dtype=x.dtype, buffer=nl.sbuf)
                for t in nl.affine_range(LOADED // TILE):
                    loaded = nl.load(x[b, nl.ds(group * LOADED + t * TILE, TILE), :])
                    left[:, nl.ds(t * TILE, TILE)] = nl.copy(nisa.nc_transpose(loaded))
                for t in nl.affine_range(LOADED // TILE):
                    result = nl.ndarray((nl.par_dim(TILE), LOADED), dtype=x.dtype, buffer=nl.sbuf)
                    for half in nl.affine_range(LOADED // WIDE):
                        part = nl.ds(half * WIDE, WIDE)
                        result[:, part] = nl.copy(nisa.nc_matmul(left[:, nl.ds(t * TILE, TILE)], right[:, part]))
                    nl.store(
                        out[b, nl.ds(group * LOADED + t * TILE, TILE), nl.ds(start * LOADED, LOADED)], value=result
                    )
    return out


def mean_square(block, size):
    """Mean of the squares of 1024 columns, half by half."""
    sums = nl.ndarray((nl.par_dim(TILE), 2), dtype=nl.float32, buffer=nl.sbuf)
    for half in nl.affine_range(2):
        square = nisa.activation(op=nl.square, data=block[:, nl.ds(half * WIDE, WIDE)])
        scaled = nisa.tensor_scalar(square, op0=nl.multiply, operand0=1.0 / size)
        sums[:, half] = nisa.tensor_reduce(nl.add, data=scaled, axis=[1])
    return nisa.tensor_reduce(nl.add, data=sums, axis=[1])


@nki.jit
def rmsnorm_matmul(x, w):
    """Return rms_norm(x) @ w for x of [blocks, 128, 1024] and w of [8, 128, columns]; 8 blocks at a time."""
    blocks = x.shape[0]
    out = nl.ndarray((blocks, TILE, w.shape[2]), dtype=x.dtype, buffer=nl.shared_hbm)
    for group in nl.affine_range(blocks // 8):
        lefts = []
        for block in range(8):
            inverse = nisa.activation(op=nl.rsqrt, data=mean_square(nl.load(x[group * 8 + block]), LOADED))
            again = nl.load(x[group * 8 + block])
            tiles = []
            for half in nl.affine_range(2):
                scaled = nisa.tensor_scalar(again[:, nl.ds(half * WIDE, WIDE)], op0=nl.multiply, operand0=inverse)
                tiles.append(turned(scaled, WIDE // TILE))
            lefts.append(tiles)
        for start in nl.affine_range(w.shape[2] // LOADED):
            rights = [nl.load(w[t, :, nl.ds(start * LOADED, LOADED)]) for t in range(8)]
            for block in nl.affine_range(8):
                result = nl.ndarray((nl.par_dim(TILE), LOADED), dtype=x.dtype, buffer=nl.sbuf)
                for half in nl.affine_range(2):
                    result[:, nl.ds(half * WIDE, WIDE)] = product(
                        lambda t, tiles=lefts[block]: tiles[t // 4][:, t % 4, :], lambda t: rights[t], 8, half * WIDE
                    )
                nl.store(out[group * 8 + block, :, nl.ds(start * LOADED, LOADED)], value=result)
    return out


@nki.jit
def matmul_add_rmsnorm(x, w, z, g):
    """Return rms_norm(x @ w + z) * g for x of [M, K], w of [K, N], z of [M, N], g of [1, N]; w is loaded for each row."""
    rows, columns = z.shape
    out = nl.ndarray((rows, columns), dtype=x.dtype, buffer=nl.shared_hbm)
    weights = nl.load(g)
    for block in nl.affine_range(rows // TILE):
        place = nl.ds(block * TILE, TILE)
        total = nl.ndarray((nl.par_dim(TILE), columns), dtype=x.dtype, buffer=nl.sbuf)
        left = nl.load(x[place, :])
        for start in nl.affine_range(columns // WIDE):
            part = nl.ds(start * WIDE, WIDE)
            sums = nl.zeros((TILE, WIDE), nl.float32, buffer=nl.psum)
            for t in nl.affine_range(x.shape[1] // TILE):
                sums += nl.matmul(left[:, nl.ds(t * TILE, TILE)], nl.load(w[nl.ds(t * TILE, TILE), part]))
            total[:, part] = nl.copy(sums)
        added = nl.add(total, nl.load(z[place, :]))
        mean = nl.add(nl.sum(nl.square(added), axis=[1]) / columns, EPSILON)
        normal = nl.multiply(added, nl.rsqrt(mean))
        nl.store(out[place, :], value=nl.multiply(normal, weights.broadcast_to((TILE, columns))))
    return out
