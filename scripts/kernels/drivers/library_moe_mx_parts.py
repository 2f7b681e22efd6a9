"""aws-neuron/nki-library: the projections of its MX experts, which are made to be called alone, and their loads."""

from __future__ import annotations

import importlib
from typing import Any

import mx
import numpy as np
from harness import driver, part_of, through
from references import wide

TKG = "src/nkilib_src/nkilib/core/moe/moe_tkg"
BF16 = 2e-2
ROUNDED_TO_FP8 = 7e-2  # half a step of float8_e4m3fn, 2**-4, and bfloat16 before it


# -- in kernels -------------------------------------------------------------------------------------------------------


def _spread(scales: Any) -> Any:
    """Scales [16, ...] in HBM at the starts of the quadrants of a tile [128, ...]."""
    import nki.isa as nisa
    import nki.language as nl

    tile = nl.ndarray((128, *scales.shape[1:]), dtype=scales.dtype, buffer=nl.sbuf)
    for quadrant in range(4):
        nisa.dma_copy(tile[32 * quadrant : 32 * quadrant + 4], scales[4 * quadrant : 4 * quadrant + 4])
    return tile


def _stored(tile: Any, scales: bool = False) -> Any:
    """A tile in HBM, packed elements as their bits, of a tile of scales [128, ...] those that are some [16, ...]."""
    import nki.isa as nisa
    import nki.language as nl

    tile = tile.view(nl.uint32) if tile.dtype == nl.float8_e4m3fn_x4 else tile
    out = nl.ndarray((16 if scales else tile.shape[0], *tile.shape[1:]), dtype=tile.dtype, buffer=nl.shared_hbm)
    for quadrant in range(4) if scales else ():
        nisa.dma_copy(out[4 * quadrant : 4 * quadrant + 4], tile[32 * quadrant : 32 * quadrant + 4])
    if not scales:
        nisa.dma_copy(out, tile)
    return out


def _loaded(array: Any) -> Any:
    """An array of HBM in SBUF."""
    import nki.isa as nisa
    import nki.language as nl

    tile = nl.ndarray(array.shape, dtype=array.dtype, buffer=nl.sbuf)
    nisa.dma_copy(tile, array)
    return tile


def _packed(array: Any) -> Any:
    """Bits as the fours that they are."""
    import nki.language as nl

    return array.view(nl.float8_e4m3fn_x4)


# -- drivers ----------------------------------------------------------------------------------------------------------


@driver(f"{TKG}/gate_up_projection_mx.py", "load_gate_up_weight_scale_bias", target="trn3")
def load_gate_up(module: Any, random: np.random.Generator) -> Any:
    import nki
    import nki.language as nl

    view = importlib.import_module("nkilib.core.utils.tensor_view").TensorView
    case = mx.experts(random, 2, 1024, 1536)

    @nki.jit
    def kernel(weight: Any, scale: Any, bias: Any) -> Any:
        weight = view(weight).reinterpret_cast(nl.float8_e4m3fn_x4)
        got = module.load_gate_up_weight_scale_bias(weight, view(scale), bias, 1, 1, 1024, 2, 1024, 512)
        return _stored(got[0]), _stored(got[1], scales=True), _stored(got[2])

    wanted = [case.gate_up.data[1, :, 1, :, 512:], case.gate_up.scales[1, :, 1, :, 512:], case.gate_up_bias[1, :, 1, 1:]]
    return kernel(case.gate_up.data, case.gate_up.scales, case.gate_up_bias), wanted


@driver(f"{TKG}/down_projection_mx.py", "load_broadcast_down_weight_scale_bias", target="trn3")
def load_down(module: Any, random: np.random.Generator) -> Any:
    import nki
    import nki.language as nl

    view = importlib.import_module("nkilib.core.utils.tensor_view").TensorView
    case = mx.experts(random, 2, 1024, 1536)

    @nki.jit
    def kernel(weight: Any, scale: Any, bias: Any) -> Any:
        weight = view(weight).reinterpret_cast(nl.float8_e4m3fn_x4)
        ways = (True, False)  # the bias is spread by the Tensor Engine or by shuffles
        got = [module.load_broadcast_down_weight_scale_bias(weight, view(scale), bias, 1, 1024, 128, 2, 1, 64, nl.bfloat16, way) for way in ways]
        return [*(part for one in got for part in (_stored(one[0]), _stored(one[1], scales=True), _stored(one[2])))]

    wanted = [case.down.data[1, :, 1:], case.down.scales[1, :, 1:], np.broadcast_to(case.down_bias[1], (64, 1024))]
    return kernel(case.down.data, case.down.scales, case.down_bias), wanted * 2


@driver(f"{TKG}/gate_up_projection_mx.py", "gate_up_projection_mx_shard_I", target="trn3", tolerance=ROUNDED_TO_FP8)
def gate_up_projection(module: Any, random: np.random.Generator) -> Any:
    import ml_dtypes
    import nki

    tokens, hidden, intermediate, limit = 32, 1024, 1024, 1.5
    case = mx.experts(random, 1, hidden, intermediate)
    x = mx.packed(random, (128, hidden // 512, tokens), 0, 1.0)

    @nki.jit
    def kernel(x: Any, x_scale: Any, weight: Any, scale: Any, bias: Any) -> Any:
        sides = [(_loaded(_packed(weight[0, :, side])), _spread(scale[0, :, side]), _loaded(bias[0, :, side])) for side in (0, 1)]
        (gate, gate_scale, gate_bias), (up, up_scale, up_bias) = sides
        data, scales = module.gate_up_projection_mx_shard_I(
            _loaded(_packed(x)), _spread(x_scale), gate, up, gate_scale, up_scale, gate_bias, up_bias, limit, None, limit, -limit, silu
        )
        return _stored(data), _stored(scales, scales=True)

    silu = importlib.import_module("nkilib.core.utils.common_types").ActFnType.SiLU
    with through(module, "_clamp_tensor", "_matmul_mx_accumulate"):
        data, scales = map(np.asarray, kernel(x.data, x.scales, case.gate_up.data, case.gate_up.scales, case.gate_up_bias))
    codes = wide(np.ascontiguousarray(data).view(ml_dtypes.float8_e4m3fn)).reshape(*data.shape, 4)
    got = codes * np.repeat(2.0 ** (wide(scales) - 127), 8, axis=0)[..., None]  # [128, I/512, T, 4]
    dense = x.values.transpose(2, 3, 1, 0).reshape(tokens, hidden)
    return got.transpose(2, 1, 3, 0).reshape(tokens, intermediate), mx.inner(dense, case, 0, limit)


part_of("gate_up_projection_mx_shard_I", f"{TKG}/gate_up_projection_mx.py", "_clamp_tensor", "_matmul_mx_accumulate")


@driver(f"{TKG}/down_projection_mx.py", "down_projection_mx", target="trn3", tolerance=BF16)
def down_projection(module: Any, random: np.random.Generator) -> Any:
    import nki
    import nki.language as nl

    tokens, hidden, intermediate = 64, 1024, 1024
    case = mx.experts(random, 1, hidden, intermediate)
    act = mx.packed(random, (128, intermediate // 512, tokens), 0, 1.0)
    affinities = random.uniform(0, 1, (tokens, 1)).astype(np.float32)

    @nki.jit
    def kernel(act: Any, act_scale: Any, weight: Any, scale: Any, bias: Any, affinities: Any) -> Any:
        out = nl.ndarray((tokens, hidden), dtype=nl.bfloat16, buffer=nl.shared_hbm)
        module.down_projection_mx(
            _loaded(_packed(act)),
            _spread(act_scale),
            _loaded(_packed(weight[0])),
            _spread(scale[0]),
            _loaded(bias.broadcast(0, tokens)),
            _loaded(affinities),
            0,
            nl.ndarray((tokens, 1, hidden), dtype=nl.bfloat16, buffer=nl.sbuf),
            out,
            is_first_expert=True,
            is_last_expert=True,
        )
        return out

    dense = act.values.transpose(2, 1, 3, 0).reshape(tokens, intermediate)
    got = kernel(act.data, act.scales, case.down.data, case.down.scales, case.down_bias, affinities)
    return got, wide(affinities) * (dense @ case.dense_down[0] + wide(case.down_bias)[0])
