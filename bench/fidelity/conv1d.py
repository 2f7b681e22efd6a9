"""A depthwise convolution along one axis: for every output a product with the window and a sum over it."""

import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
import numpy as np

TILE = 128
PAD = 1


@nki.jit
def conv1d(image, taps):
    """Return the convolution of image [batch, channels, 1, width], padded by one, with taps [channels, 1, 1, window]."""
    batch, channels, _, width = image.shape
    window = taps.shape[3]
    out = nl.ndarray((batch, channels, width), dtype=image.dtype, buffer=nl.shared_hbm)
    blocks = channels // TILE
    padded = nl.zeros((batch, blocks, nl.par_dim(TILE), width + 2 * PAD), dtype=image.dtype)
    weights = nl.ndarray((blocks, nl.par_dim(TILE), window), dtype=image.dtype)
    sums = nl.zeros((batch, blocks, nl.par_dim(TILE), width), dtype=image.dtype)
    for n in nl.affine_range(batch):
        for block in nl.affine_range(blocks):
            padded[n, block, :, nl.ds(PAD, width)] = nl.load(image[n, nl.ds(block * TILE, TILE), 0, :])
    for block in nl.affine_range(blocks):
        weights[block] = nl.load(taps[nl.ds(block * TILE, TILE), 0, 0, :])
    for n in nl.affine_range(batch):
        for block in nl.affine_range(blocks):
            for at in nl.affine_range(width):
                product = nisa.tensor_tensor(padded[n, block, :, nl.ds(at, window)], weights[block], np.multiply)
                sums[n, block, :, nl.ds(at, 1)] = nisa.tensor_reduce(np.add, product, axis=[1])
    for n in nl.affine_range(batch):
        for block in nl.affine_range(blocks):
            nl.store(out[n, nl.ds(block * TILE, TILE), :], sums[n, block])
    return out
