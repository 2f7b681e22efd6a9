"""Attention of one tile, in the variants whose times on Trn2 are published.

Our own kernels, after the published description of measured ones: nki_attention_ in my_attention.py and its variants _v0, _v2_bf16, _v3_dmaT,
_v4_kchunk, _v5_hwdge and _v6_hwdge_bf16, of which hardware/calibration-2.json has some (rows lab-v*), and nki_mha_ in mha_v6_loop.py.
"""

import nki
import nki.isa as nisa
import nki.language as nl

#: Keys of a chunk of `in_chunks_of_keys`.
CHUNK = 32


def load(tensor, engine=None, rows=None):
    """A tile with the tensor, or with its rows; by hardware descriptors if the engine that triggers is named."""
    source = tensor if rows is None else tensor[rows[0] : rows[1]]
    tile = nl.ndarray(source.shape, dtype=tensor.dtype, buffer=nl.sbuf)
    if engine is None:
        nisa.dma_copy(dst=tile, src=source)
    else:
        nisa.dma_copy(dst=tile, src=source, dge_mode=nisa.dge_mode.hwdge, engine=engine)
    return tile


def turned_by_tensor_engine(tile):
    """Its transpose, in PSUM."""
    rows, columns = tile.shape
    turned = nl.ndarray((columns, rows), dtype=tile.dtype, buffer=nl.psum)
    nisa.nc_transpose(dst=turned, data=tile)
    return turned


def out_of_psum(tile, scale=None):
    """A copy in SBUF: by VectorE, or scaled by ScalarE."""
    copy = nl.ndarray(tile.shape, dtype=tile.dtype, buffer=nl.sbuf)
    if scale is None:
        nisa.tensor_copy(dst=copy, src=tile, engine=nisa.engine.vector)
    else:
        nisa.activation(dst=copy, op=nl.copy, data=tile, scale=scale)
    return copy


def product(stationary, moving):
    """stationary.T @ moving in PSUM."""
    result = nl.ndarray((stationary.shape[1], moving.shape[1]), dtype=nl.float32, buffer=nl.psum)
    nisa.nc_matmul(dst=result, stationary=stationary, moving=moving)
    return result


def weights_of(scores, dtype, scale=1.0):
    """exp(scale * (scores - their row's largest)), and the sums of its rows. The scores are scaled already unless a scale is given."""
    length = scores.shape[0]
    bias = nl.ndarray((length, 1), dtype=nl.float32, buffer=nl.sbuf)
    nisa.tensor_reduce(dst=bias, op=nl.maximum, data=scores, axis=1, negate=True)
    if scale != 1.0:
        most, bias = bias, nl.ndarray((length, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.tensor_scalar(dst=bias, data=most, op0=nl.multiply, operand0=scale)
    weights = nl.ndarray(scores.shape, dtype=dtype, buffer=nl.sbuf)
    total = nl.ndarray((length, 1), dtype=nl.float32, buffer=nl.sbuf)
    nisa.activation_reduce(dst=weights, op=nl.exp, data=scores, bias=bias, scale=scale, reduce_op=nl.add, reduce_res=total)
    return weights, total


def share_of(total):
    """1 / total."""
    share = nl.ndarray(total.shape, dtype=nl.float32, buffer=nl.sbuf)
    nisa.reciprocal(dst=share, data=total)
    return share


def normalised(sums, share, dtype):
    """sums * share, in SBUF."""
    result = nl.ndarray(sums.shape, dtype=dtype, buffer=nl.sbuf)
    nisa.tensor_scalar(dst=result, data=sums, op0=nl.multiply, operand0=share)
    return result


def in_bfloat16(tile):
    """A copy in bf16, by VectorE."""
    copy = nl.ndarray(tile.shape, dtype=nl.bfloat16, buffer=nl.sbuf)
    nisa.tensor_copy(dst=copy, src=tile, engine=nisa.engine.vector)
    return copy


def turned_and_scaled(q_tile, k_tile):
    """Transposes of both; the one of q is scaled by ScalarE."""
    q_psum, k_psum = turned_by_tensor_engine(q_tile), turned_by_tensor_engine(k_tile)
    return out_of_psum(q_psum, q_tile.shape[1] ** -0.5), out_of_psum(k_psum)


def attention(q_tile, k_tile, v_tile, dtype=nl.float32):
    """The result in SBUF. dtype: of the weights and of the values that they are multiplied with."""
    q_turned, k_turned = turned_and_scaled(q_tile, k_tile)
    scores = product(q_turned, k_turned)
    values = v_tile if dtype == v_tile.dtype else in_bfloat16(v_tile)
    weights, total = weights_of(scores, dtype)
    turned = out_of_psum(turned_by_tensor_engine(weights))
    share = share_of(total)
    return normalised(product(turned, values), share, v_tile.dtype)


def store(result, out, by_hardware):
    """The result is written to HBM."""
    if by_hardware:
        nisa.dma_copy(dst=out, src=result, dge_mode=nisa.dge_mode.hwdge, engine=nisa.engine.sync)
    else:
        nisa.dma_copy(dst=out, src=result)


def run(q, k, v, by_hardware=False, dtype=nl.float32):
    """The whole kernel: loads, attention, store."""
    out = nl.ndarray(q.shape, dtype=q.dtype, buffer=nl.shared_hbm)
    engines = [nisa.engine.sync, nisa.engine.scalar, nisa.engine.sync] if by_hardware else [None] * 3
    tiles = [load(tensor, engine) for tensor, engine in zip([q, k, v], engines)]
    store(attention(tiles[0], tiles[1], tiles[2], dtype), out, by_hardware)
    return out


@nki.jit
def all_by_vector(q, k, v):
    """v0. Copies, sums and scaling of the maxima are VectorE's. q, k, v [length, width] fp32, both at most 128."""
    out = nl.ndarray(q.shape, dtype=q.dtype, buffer=nl.shared_hbm)
    scale = q.shape[1] ** -0.5
    q_tile, k_tile, v_tile = load(q), load(k), load(v)
    q_psum, k_psum = turned_by_tensor_engine(q_tile), turned_by_tensor_engine(k_tile)
    scores = product(out_of_psum(q_psum), out_of_psum(k_psum))
    length = scores.shape[0]
    most = nl.ndarray((length, 1), dtype=nl.float32, buffer=nl.sbuf)
    nisa.tensor_reduce(dst=most, op=nl.maximum, data=scores, axis=1)
    bias = nl.ndarray((length, 1), dtype=nl.float32, buffer=nl.sbuf)
    nisa.tensor_scalar(dst=bias, data=most, op0=nl.multiply, operand0=-scale)
    weights = nl.ndarray(scores.shape, dtype=nl.float32, buffer=nl.sbuf)
    nisa.activation(dst=weights, op=nl.exp, data=scores, bias=bias, scale=scale)
    total = nl.ndarray((length, 1), dtype=nl.float32, buffer=nl.sbuf)
    nisa.tensor_reduce(dst=total, op=nl.add, data=weights, axis=1)
    sums = product(out_of_psum(turned_by_tensor_engine(weights)), v_tile)
    store(normalised(sums, share_of(total), out.dtype), out, False)
    return out


@nki.jit
def shared_with_scalar(q, k, v):
    """v1. ScalarE scales q and sums the weights."""
    return run(q, k, v)


@nki.jit
def weights_in_bfloat16(q, k, v):
    """v2. As v1, the second product in bf16."""
    return run(q, k, v, dtype=nl.bfloat16)


@nki.jit
def turned_by_dma(q, k, v):
    """v3. As v1, q and k are transposed while they are loaded."""
    out = nl.ndarray(q.shape, dtype=q.dtype, buffer=nl.shared_hbm)
    turned = []
    for tensor in (q, k):
        tile = nl.ndarray((tensor.shape[1], tensor.shape[0]), dtype=tensor.dtype, buffer=nl.sbuf)
        nisa.dma_transpose(dst=tile, src=tensor)
        turned.append(tile)
    values = load(v)
    weights, total = weights_of(product(turned[0], turned[1]), nl.float32, q.shape[1] ** -0.5)
    weights_turned = out_of_psum(turned_by_tensor_engine(weights))
    share = share_of(total)
    store(normalised(product(weights_turned, values), share, out.dtype), out, False)
    return out


@nki.jit
def in_chunks_of_keys(q, k, v):
    """v4. As v1, the second product in chunks of 32 keys, each of which is loaded when it is needed."""
    length, width = q.shape
    out = nl.ndarray(q.shape, dtype=q.dtype, buffer=nl.shared_hbm)
    q_turned, k_turned = turned_and_scaled(load(q), load(k))
    weights, total = weights_of(product(q_turned, k_turned), nl.float32)
    sums = nl.ndarray((length, width), dtype=nl.float32, buffer=nl.psum)
    for begin in range(0, length, CHUNK):
        values = load(v, rows=(begin, begin + CHUNK))
        turned = out_of_psum(turned_by_tensor_engine(weights[:, begin : begin + CHUNK]))
        nisa.nc_matmul(dst=sums, stationary=turned, moving=values)
    store(normalised(sums, share_of(total), out.dtype), out, False)
    return out


@nki.jit
def by_hardware_descriptors(q, k, v):
    """v5. As v1, all descriptors are made by hardware."""
    return run(q, k, v, by_hardware=True)


@nki.jit
def by_hardware_in_bfloat16(q, k, v):
    """v6. As v2, all descriptors are made by hardware."""
    return run(q, k, v, by_hardware=True, dtype=nl.bfloat16)


@nki.jit
def heads_by_hardware(q, k, v):
    """v6 once per head: q, k, v [length, heads, width]."""
    length, heads, width = q.shape
    out = nl.ndarray(q.shape, dtype=q.dtype, buffer=nl.shared_hbm)
    rows = [[heads * width, length], [1, width]]
    for head in range(heads):
        tiles = []
        for tensor, engine in ((q, nisa.engine.sync), (k, nisa.engine.scalar), (v, nisa.engine.sync)):
            tile = nl.ndarray((length, width), dtype=q.dtype, buffer=nl.sbuf)
            nisa.dma_copy(dst=tile, src=tensor.ap(pattern=rows, offset=head * width), dge_mode=nisa.dge_mode.hwdge, engine=engine)
            tiles.append(tile)
        result = attention(tiles[0], tiles[1], tiles[2], nl.bfloat16)
        nisa.dma_copy(dst=out.ap(pattern=rows, offset=head * width), src=result, dge_mode=nisa.dge_mode.hwdge, engine=nisa.engine.sync)
    return out
