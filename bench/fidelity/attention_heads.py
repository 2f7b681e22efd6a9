"""Attention of many heads of one tile each, as a loop over heads and as a loop over chunks of heads.

Our own kernels, after the published description of measured ones: nki_mha_ in mha_v0_loop.py and mha_fast.py, whose figures
hardware/calibration-2.json has (rows lab-m0, lab-fast).
"""

import nki
import nki.isa as nisa
import nki.language as nl

BY_HARDWARE = nisa.dge_mode.hwdge
#: Of a partition that one DMA moves at least, and a bank of PSUM, in fp32 numbers.
CHUNK = 512
BANK = 512


@nki.jit
def head_by_head(q, k, v):
    """q, k, v [length, heads, width] fp32, length and width at most 128: one head after the other, a DMA for each of its tiles."""
    length, heads, width = q.shape
    out = nl.ndarray(q.shape, dtype=q.dtype, buffer=nl.shared_hbm)
    scale = width**-0.5
    for head in range(heads):
        rows = [[heads * width, length], [1, width]]
        tiles = []
        for tensor in (q, k, v):
            tile = nl.ndarray((length, width), dtype=q.dtype, buffer=nl.sbuf)
            nisa.dma_copy(dst=tile, src=tensor.ap(pattern=rows, offset=head * width))
            tiles.append(tile)
        turned_psum = []
        for tile in tiles[:2]:
            turned = nl.ndarray((width, length), dtype=nl.float32, buffer=nl.psum)
            nisa.nc_transpose(dst=turned, data=tile)
            turned_psum.append(turned)
        turned_sbuf = []
        for source in turned_psum:
            turned = nl.ndarray((width, length), dtype=q.dtype, buffer=nl.sbuf)
            nisa.tensor_copy(dst=turned, src=source, engine=nisa.engine.vector)
            turned_sbuf.append(turned)
        scores = nl.ndarray((length, length), dtype=nl.float32, buffer=nl.psum)
        nisa.nc_matmul(dst=scores, stationary=turned_sbuf[0], moving=turned_sbuf[1])
        most = nl.ndarray((length, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.tensor_reduce(dst=most, op=nl.maximum, data=scores, axis=1)
        bias = nl.ndarray((length, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.tensor_scalar(dst=bias, data=most, op0=nl.multiply, operand0=-scale)
        weights = nl.ndarray((length, length), dtype=nl.float32, buffer=nl.sbuf)
        nisa.activation(dst=weights, op=nl.exp, data=scores, scale=scale, bias=bias)
        total = nl.ndarray((length, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.tensor_reduce(dst=total, op=nl.add, data=weights, axis=1)
        weights_psum = nl.ndarray((length, length), dtype=nl.float32, buffer=nl.psum)
        nisa.nc_transpose(dst=weights_psum, data=weights)
        weights_turned = nl.ndarray((length, length), dtype=v.dtype, buffer=nl.sbuf)
        nisa.tensor_copy(dst=weights_turned, src=weights_psum, engine=nisa.engine.vector)
        product = nl.ndarray((length, width), dtype=nl.float32, buffer=nl.psum)
        nisa.nc_matmul(dst=product, stationary=weights_turned, moving=tiles[2])
        share = nl.ndarray((length, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.reciprocal(dst=share, data=total)
        result = nl.ndarray((length, width), dtype=q.dtype, buffer=nl.sbuf)
        nisa.tensor_scalar(dst=result, data=product, op0=nl.multiply, operand0=share)
        nisa.dma_copy(dst=out.ap(pattern=rows, offset=head * width), src=result)
    return out


@nki.jit
def chunk_by_chunk(q, k, v):
    """The same, over all cores of the launch: a DMA moves a chunk of heads, and the heads of a bank of PSUM share their reductions."""
    length, heads, width = q.shape
    out = nl.ndarray(q.shape, dtype=q.dtype, buffer=nl.shared_hbm)
    cores = nl.num_programs(axes=0) if nl.program_ndim() else 1
    own = heads // cores
    first = own * (nl.program_id(axis=0) if nl.program_ndim() else 0)
    chunk = min(own, CHUNK // width)
    group = min(chunk, BANK // max(length, width))
    for begin in range(0, own, chunk):
        rows = [[heads * width, length], [1, chunk * width]]
        offset = (first + begin) * width
        tiles = []
        for tensor, engine in ((q, nisa.engine.sync), (k, nisa.engine.scalar), (v, nisa.engine.sync)):
            tile = nl.ndarray((length, chunk * width), dtype=q.dtype, buffer=nl.sbuf)
            nisa.dma_copy(dst=tile, src=tensor.ap(pattern=rows, offset=offset), dge_mode=BY_HARDWARE, engine=engine)
            tiles.append(tile)
        result = nl.ndarray((length, chunk * width), dtype=q.dtype, buffer=nl.sbuf)
        totals = nl.ndarray((length, chunk), dtype=nl.float32, buffer=nl.sbuf)
        shares = nl.ndarray((length, chunk), dtype=nl.float32, buffer=nl.sbuf)
        for at in range(0, chunk, group):
            _group(tiles, at, group, width, totals, shares, result)
        nisa.dma_copy(dst=out.ap(pattern=rows, offset=offset), src=result, dge_mode=BY_HARDWARE, engine=nisa.engine.sync)
    return out


def _group(tiles, at, group, width, totals, shares, result):
    """Heads at .. at + group of a chunk."""
    q, k, v = tiles
    length = q.shape[0]
    scores = nl.ndarray((length, group, length), dtype=nl.float32, buffer=nl.psum)
    for head in range(group):
        columns = nl.ds((at + head) * width, width)
        both = nl.ndarray((width, 2 * length), dtype=nl.float32, buffer=nl.psum)
        nisa.nc_transpose(dst=both[:, 0:length], data=q[:, columns])
        nisa.nc_transpose(dst=both[:, length : 2 * length], data=k[:, columns])
        q_turned = nl.ndarray((width, length), dtype=q.dtype, buffer=nl.sbuf)
        k_turned = nl.ndarray((width, length), dtype=k.dtype, buffer=nl.sbuf)
        nisa.activation(dst=q_turned, op=nl.copy, data=both[:, 0:length], scale=width**-0.5)
        nisa.tensor_copy(dst=k_turned, src=both[:, length : 2 * length], engine=nisa.engine.vector)
        nisa.nc_matmul(dst=scores[:, head, :], stationary=q_turned, moving=k_turned)
    bias = nl.ndarray((length, group), dtype=nl.float32, buffer=nl.sbuf)
    nisa.tensor_reduce(dst=bias, op=nl.maximum, data=scores, axis=(2,), negate=True)
    products = nl.ndarray((length, group, width), dtype=nl.float32, buffer=nl.psum)
    for head in range(group):
        weights = nl.ndarray((length, length), dtype=nl.float32, buffer=nl.sbuf)
        nisa.activation(
            dst=weights,
            op=nl.exp,
            data=scores[:, head, :],
            bias=bias[:, head : head + 1],
            reduce_op=nl.add,
            reduce_res=totals[:, at + head : at + head + 1],
            reduce_cmd=nisa.reduce_cmd.reset_reduce,
        )
        weights_psum = nl.ndarray((length, length), dtype=nl.float32, buffer=nl.psum)
        nisa.nc_transpose(dst=weights_psum, data=weights)
        weights_turned = nl.ndarray((length, length), dtype=nl.float32, buffer=nl.sbuf)
        nisa.tensor_copy(dst=weights_turned, src=weights_psum, engine=nisa.engine.vector)
        nisa.nc_matmul(dst=products[:, head, :], stationary=weights_turned, moving=v[:, nl.ds((at + head) * width, width)])
    nisa.reciprocal(dst=shares[:, at : at + group], data=totals[:, at : at + group])
    for head in range(group):
        nisa.tensor_scalar(
            dst=result[:, nl.ds((at + head) * width, width)],
            data=products[:, head, :],
            op0=nl.multiply,
            operand0=shares[:, at + head : at + head + 1],
        )
