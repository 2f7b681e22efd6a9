"""
A convolution in two dimensions as a sum of products on TensorE, one for each tap and block of channels, with bias and max
pooling: two answers to a course assignment whose times on Trn2 are published. Their weights are turned on TensorE first.
"""

import nki
import nki.isa as nisa
import nki.language as nl

TILE = 128
BANK = 512


def sbuf(shape, dtype):
    """A tile in SBUF."""
    return nl.ndarray(shape, dtype=dtype, buffer=nl.sbuf)


def block(index):
    """The 128 channels of a block."""
    return nl.ds(index * TILE, TILE)


def turned(tap):
    """A tap of [out, in] as [in, out]."""
    psum = nl.ndarray((TILE, TILE), dtype=tap.dtype, buffer=nl.psum)
    copied = sbuf((TILE, TILE), tap.dtype)
    nisa.nc_transpose(dst=psum, data=tap)
    nisa.tensor_copy(dst=copied, src=psum)
    return copied


@nki.jit
def convolution_by_rows(image, taps, bias, pool):
    """Return the convolution of image [batch, in, height, width] with taps [out, in, size, size], a row of pixels a product."""
    batch, channels_in, _, width = image.shape
    channels_out, _, size, _ = taps.shape
    blocks_in, blocks_out = channels_in // TILE, channels_out // TILE
    rows, columns = image.shape[2] - size + 1, width - size + 1
    out = nl.ndarray((batch, channels_out, rows // pool, columns // pool), dtype=image.dtype, buffer=nl.shared_hbm)
    weights = sbuf((TILE, TILE, blocks_out, blocks_in, size, size), taps.dtype)
    for o in range(blocks_out):
        for c in range(blocks_in):
            nisa.dma_copy(dst=weights[:, :, o, c, :, :], src=taps[block(o), block(c), :, :])
            for i in range(size):
                for j in range(size):
                    nisa.tensor_copy(dst=weights[:, :, o, c, i, j], src=turned(weights[:, :, o, c, i, j]))
    for b in range(batch):
        for o in range(blocks_out):
            for row in range(rows // pool):
                summed = sbuf((TILE, pool, columns), image.dtype)
                for p in range(pool):
                    psum = nl.ndarray((TILE, columns), dtype=nl.float32, buffer=nl.psum)
                    for c in range(blocks_in):
                        for i in range(size):
                            pixels = sbuf((TILE, width), image.dtype)
                            nisa.dma_copy(dst=pixels, src=image[b, block(c), row * pool + p + i, :])
                            for j in range(size):
                                nisa.nc_matmul(
                                    dst=psum, stationary=weights[:, :, o, c, i, j], moving=pixels[:, nl.ds(j, columns)]
                                )
                    nisa.tensor_copy(dst=summed[:, p, :], src=psum)
                largest = sbuf((TILE, columns // pool), image.dtype)
                squares = summed.reshape((TILE, pool, columns // pool, pool))
                nisa.tensor_reduce(dst=largest, op=nl.maximum, data=squares, axis=(1, 3))
                shift = sbuf((TILE, 1), bias.dtype)
                nisa.dma_copy(dst=shift, src=bias.reshape((channels_out, 1))[block(o), :])
                result = sbuf((TILE, columns // pool), image.dtype)
                nisa.tensor_scalar(dst=result, data=largest, op0=nl.add, operand0=in_float32(shift))
                nisa.dma_copy(dst=out[b, block(o), row, :], src=result)
    return out


@nki.jit
def convolution_by_tiles(image, taps, bias, pool):
    """The same, as many pairs of rows a product as a PSUM bank holds; each row of pixels is loaded once for every tap above it."""
    batch, channels_in, _, width = image.shape
    channels_out, _, size, _ = taps.shape
    blocks_in, blocks_out = channels_in // TILE, channels_out // TILE
    rows, columns = image.shape[2] - size + 1, width - size + 1
    pairs = min(BANK // (2 * width), rows // 2)
    out = nl.ndarray((batch, channels_out, rows // pool, columns // pool), dtype=image.dtype, buffer=nl.shared_hbm)
    weights = all_turned(taps, blocks_in)
    shifts = sbuf((TILE, blocks_out), bias.dtype)
    for o in range(blocks_out):
        nisa.dma_copy(dst=shifts[:, nl.ds(o, 1)], src=bias.reshape((channels_out, 1))[block(o), :])
    for b in range(batch):
        for start in range(0, rows, 2 * pairs):
            pixels = [sbuf((TILE, size, pairs, 2, width), image.dtype) for _ in range(blocks_in)]
            for row in range(2 * pairs):
                for c in range(blocks_in):
                    above = image[b, block(c), nl.ds(start + row, size), :]
                    nisa.dma_copy(dst=pixels[c][:, :, row // 2, row % 2, :], src=above)
            for o in range(blocks_out):
                psum = nl.ndarray((TILE, pairs, 2, columns), dtype=nl.float32, buffer=nl.psum)
                for i in range(size):
                    for j in range(size):
                        for c in range(blocks_in):
                            moving = pixels[c][:, i, :, :, nl.ds(j, columns)]
                            nisa.nc_matmul(dst=psum, stationary=weights[o][c][i][j], moving=moving)
                result = sbuf((TILE, pairs, 2, columns), image.dtype)
                nisa.tensor_copy(dst=result, src=psum)
                nisa.tensor_scalar(dst=result, data=result, op0=nl.add, operand0=in_float32(shifts[:, nl.ds(o, 1)]))
                lines = nl.ds(start // pool, 2 * pairs // pool)
                nisa.dma_copy(dst=out[b, block(o), lines, :], src=pooled(result, pool))
    return out


def in_float32(column):
    """The column as tensor_scalar takes it."""
    if column.dtype == nl.float32:
        return column
    wide = sbuf((TILE, 1), nl.float32)
    nisa.tensor_copy(dst=wide, src=column)
    return wide


def all_turned(taps, blocks_in):
    """The taps of each block of outputs and inputs as tiles of their own, [out][in][row][column]."""
    channels_out, channels_in, size, _ = taps.shape
    weights = []
    for o in range(channels_out // TILE):
        loaded = sbuf((TILE, channels_in, size, size), taps.dtype)
        nisa.dma_copy(dst=loaded, src=taps[block(o), :, :, :])
        weights.append(
            [
                [[turned(loaded[:, block(c), i, j]) for j in range(size)] for i in range(size)]
                for c in range(blocks_in)
            ]
        )
    return weights


def pooled(tile, pool):
    """The largest of each square of pixels of [128, pairs, 2, columns]."""
    _, pairs, _, columns = tile.shape
    if pool == 1:
        return tile.reshape((TILE, 2 * pairs, columns))
    down = sbuf((TILE, pairs, columns), tile.dtype)
    nisa.tensor_reduce(dst=down, op=nl.maximum, data=tile, axis=2)
    across = sbuf((TILE, pairs, columns // pool), tile.dtype)
    nisa.tensor_reduce(dst=across, op=nl.maximum, data=down.reshape((TILE, pairs, columns // pool, pool)), axis=3)
    return across
