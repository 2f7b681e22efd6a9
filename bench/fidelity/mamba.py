"""The selective scan of Mamba in three loop orders: states outside channels, channels outside states, sequence in tiles."""

import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
import numpy as np

TILE, STEP = 128, 512


def scan_term(delta, u, a, b_row, c_row, initial, length):
    """One state's part of the output for a tile of channels, and the scan it comes from."""
    decay = nisa.activation(op=nl.exp, data=delta, scale=a)
    fed = nisa.tensor_tensor(delta, u, op=nl.multiply)
    fed = nisa.tensor_tensor(fed, b_row.broadcast_to((TILE, length)), op=nl.multiply)
    scan = nisa.tensor_tensor_scan(decay, fed, initial=initial, op0=np.multiply, op1=np.add)
    return nisa.tensor_tensor(scan, c_row.broadcast_to((TILE, length)), op=nl.multiply), scan


@nki.jit
def states_outside(delta, u, a, b, c):
    """For every state, all channels: loads delta and u again for each state."""
    batch, channels, length = delta.shape
    out = nl.ndarray(delta.shape, dtype=delta.dtype, buffer=nl.shared_hbm)
    for i in nl.affine_range(batch):
        sums = nl.zeros((channels // TILE, nl.par_dim(TILE), length), dtype=delta.dtype)
        for state in nl.affine_range(a.shape[1]):
            for tile in nl.affine_range(channels // TILE):
                rows = slice(tile * TILE, (tile + 1) * TILE)
                delta_tile = nl.load(delta[i, rows, 0:length])
                a_column = nl.load(a[rows, state : state + 1])
                u_tile = nl.load(u[i, rows, 0:length])
                b_row = nl.load(b[i, state : state + 1, 0:length])
                c_row = nl.load(c[i, state : state + 1, 0:length])
                term, _ = scan_term(delta_tile, u_tile, a_column, b_row, c_row, 0, length)
                sums[tile, 0:TILE, 0:length] += term
        for tile in nl.affine_range(channels // TILE):
            nl.store(out[i, tile * TILE : (tile + 1) * TILE, 0:length], sums[tile, 0:TILE, 0:length])
    return out


@nki.jit
def channels_outside(delta, u, a, b, c):
    """For every tile of channels all states, over the whole sequence."""
    batch, channels, length = delta.shape
    out = nl.ndarray(delta.shape, dtype=delta.dtype, buffer=nl.shared_hbm)
    for i in nl.affine_range(batch):
        for tile in nl.affine_range(channels // TILE):
            rows = slice(tile * TILE, (tile + 1) * TILE)
            sums = nl.zeros((nl.par_dim(TILE), length), dtype=delta.dtype)
            delta_tile = nl.load(delta[i, rows, 0:length])
            u_tile = nl.load(u[i, rows, 0:length])
            for state in nl.affine_range(a.shape[1]):
                a_column = nl.load(a[rows, state : state + 1])
                b_row = nl.load(b[i, state : state + 1, 0:length])
                c_row = nl.load(c[i, state : state + 1, 0:length])
                term, _ = scan_term(delta_tile, u_tile, a_column, b_row, c_row, 0, length)
                sums[0:TILE, 0:length] += term
            nl.store(out[i, rows, 0:length], sums[0:TILE, 0:length])
    return out


@nki.jit
def sequence_tiled(delta, u, a, b, c):
    """For every tile of channels all states, 512 steps of the sequence at a time."""
    batch, channels, length = delta.shape
    out = nl.ndarray(delta.shape, dtype=delta.dtype, buffer=nl.shared_hbm)
    for i in nl.affine_range(batch):
        for tile in nl.affine_range(channels // TILE):
            rows = slice(tile * TILE, (tile + 1) * TILE)
            sums = nl.zeros((nl.par_dim(TILE), length), dtype=delta.dtype)
            delta_tile = nl.load(delta[i, rows, 0:length])
            u_tile = nl.load(u[i, rows, 0:length])
            for state in nl.affine_range(a.shape[1]):
                a_column = nl.load(a[rows, state : state + 1])
                initial = nl.zeros((TILE, 1), dtype=delta.dtype)
                for step in nl.static_range(length // STEP):
                    part = slice(step * STEP, (step + 1) * STEP)
                    b_row = nl.load(b[i, state : state + 1, part])
                    c_row = nl.load(c[i, state : state + 1, part])
                    term, scan = scan_term(
                        delta_tile[0:TILE, part], u_tile[0:TILE, part], a_column, b_row, c_row, initial, STEP
                    )
                    initial[...] = scan[0:TILE, STEP - 1 : STEP]
                    sums[0:TILE, part] += term
            nl.store(out[i, rows, 0:length], sums[0:TILE, 0:length])
    return out
