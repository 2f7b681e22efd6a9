"""aws-neuron/nki-library: mixtures of experts whose weights are microscaled (MX)."""

from __future__ import annotations

import importlib
from typing import Any, Dict

import mx
import numpy as np
from harness import driver, part_of
from references import wide

TKG = "src/nkilib_src/nkilib/core/moe/moe_tkg"
BF16 = 2e-2
ROUNDED_TO_FP8 = 7e-2  # half a step of float8_e4m3fn, 2**-4, and bfloat16 before it
FP8 = 5e-2  # kernels round to bfloat16 before they quantize, and so now and then to the next fp8
#: Functions of `gate_up_projection_mx.py` and `down_projection_mx.py`.
GATE_UP = ("gate_up_projection_mx_shard_I", "load_gate_up_weight_scale_bias")
DOWN = ("down_projection_mx", "load_broadcast_down_weight_scale_bias")


def _hidden(random: np.random.Generator, *shape: int) -> Any:
    import ml_dtypes

    return random.standard_normal(shape).astype(ml_dtypes.bfloat16)


# -- few tokens, every expert -----------------------------------------------------------------------------------------


def _watched(module: Any, names: Any) -> Dict[str, int]:
    """How often `module` will have called each of these functions, which it finds among its globals."""
    calls = dict.fromkeys(names, 0)

    def watch(name: str, function: Any) -> Any:
        def counted(*arguments: Any, **named: Any) -> Any:
            calls[name] += 1
            return function(*arguments, **named)

        return counted

    for name in names:
        setattr(module, name, watch(name, getattr(module, name)))
    return calls


def _all_experts(
    module: Any, random: np.random.Generator, tokens: int, hidden: int, intermediate: int, experts: int, **how: Any
) -> Any:
    """All experts on all tokens [T, H]; with `block_size` in blocks whose number the machine finds out, which leaves tokens of no
    expert alone. Compared: the others."""
    import nki
    import nki.language as nl

    parameters = importlib.import_module("nkilib.core.mlp.mlp_parameters")
    view = importlib.import_module("nkilib.core.utils.tensor_view").TensorView
    types = importlib.import_module("nkilib.core.utils.common_types")
    cores, four_bits, limit, block_size = (how.get(name) for name in ("cores", "four_bits", "limit", "block_size"))
    case = mx.experts(random, experts, hidden, intermediate, bool(four_bits))
    x = _hidden(random, tokens, hidden)
    affinities = random.uniform(0.1, 1, (tokens, experts)) * (random.random((tokens, experts)) < how.get("share", 0.7))
    affinities = affinities.astype(x.dtype)
    dtype = nl.float4_e2m1fn_x4 if four_bits else nl.float8_e4m3fn_x4

    @nki.jit
    def kernel(x: Any, gate_up: Any, down: Any, affinities: Any, scales: Any, biases: Any) -> Any:
        weights = view(gate_up).reinterpret_cast(dtype)
        weighed = parameters.MLPExpertParameters(
            expert_affinities=affinities if block_size else _in_sbuf(affinities),
            expert_index=None,
            expert_affinities_eager=None,
            expert_affinities_scaling_mode=types.ExpertAffinityScaleMode.POST_SCALE,
        )
        mlp = parameters.MLPParameters(
            hidden_tensor=x,
            gate_proj_weights_tensor=weights,
            up_proj_weights_tensor=weights,
            down_proj_weights_tensor=view(down).reinterpret_cast(dtype),
            activation_fn=types.ActFnType.SiLU,
            gate_proj_bias_tensor=biases[0],
            up_proj_bias_tensor=biases[0],
            down_proj_bias_tensor=biases[1],
            quantization_type=types.QuantizationType.MX,
            gate_w_scale=scales[0],
            up_w_scale=scales[0],
            down_w_scale=scales[1],
            expert_params=weighed,
            gate_clamp_upper_limit=limit,
            up_clamp_upper_limit=limit,
            up_clamp_lower_limit=limit and -limit,
        )
        output = nl.ndarray((tokens, hidden), dtype=x.dtype, buffer=nl.shared_hbm)
        return module._all_expert_moe_tkg_mx(mlp, output, is_all_expert_dynamic=bool(block_size), block_size=block_size)

    calls = _watched(module, how["through"])
    scales, biases = (case.gate_up.scales, case.down.scales), (case.gate_up_bias, case.down_bias)
    got = (kernel[cores] if cores else kernel)(x, case.gate_up.data, case.down.data, affinities, scales, biases)
    assert all(calls.values()), f"not called: {[name for name, count in calls.items() if not count]}"
    compared = wide(affinities).any(axis=1)
    return np.asarray(got)[compared], mx.mixture(x, affinities, case, limit)[compared]


def _in_sbuf(affinities: Any) -> Any:
    """Tokens [T, E] as they are, more than 128 as [128, T/128, E]."""
    import nki.isa as nisa
    import nki.language as nl

    tokens, experts = affinities.shape
    if tokens > 128:
        affinities = affinities.reshape((tokens // 128, 128, experts)).permute((1, 0, 2))
    tile = nl.ndarray(affinities.shape, dtype=affinities.dtype, buffer=nl.sbuf)
    nisa.dma_copy(tile, affinities)
    return tile


#: Run by both ways.
_ALWAYS = ("_load_expert", "_compute_expert_mlp", "_layout_adapter_qmx_hbm", *GATE_UP, *DOWN)
_IN_BLOCKS = (
    "_compute_block",
    "_find_expert_routed_tokens",
    "_get_block_token_position_to_id",
    "_init_dynamic_block_indices_hbm",
    "_load_block_expert_affinities",
)
_EXPERTS = f"{TKG}/all_expert_mx_impl.py"


@driver(_EXPERTS, "_all_expert_moe_tkg_mx", target="trn3", tolerance=FP8, case="static")
def static_experts(module: Any, random: np.random.Generator) -> Any:
    return _all_experts(module, random, 64, 1024, 1024, 2, through=("_all_expert_mx_static", *_ALWAYS))


@driver(_EXPERTS, "_all_expert_moe_tkg_mx", target="trn3", tolerance=FP8, case="static, two cores share I, fp4")
def static_experts_over_two(module: Any, random: np.random.Generator) -> Any:
    through = ("_all_expert_mx_static", *_ALWAYS)
    return _all_experts(module, random, 256, 1024, 1536, 2, cores=2, four_bits=True, limit=1.0, through=through)


@driver(_EXPERTS, "_all_expert_moe_tkg_mx", target="trn3", tolerance=FP8, case="static, two cores share T")
def static_tokens_over_two(module: Any, random: np.random.Generator) -> Any:
    return _all_experts(module, random, 64, 512, 512, 3, cores=2, through=("_all_expert_mx_static", *_ALWAYS))


@driver(_EXPERTS, "_all_expert_moe_tkg_mx", target="trn3", tolerance=FP8, case="dynamic")
def dynamic_experts(module: Any, random: np.random.Generator) -> Any:
    through = ("_all_expert_mx_dynamic", *_ALWAYS, *_IN_BLOCKS)
    return _all_experts(module, random, 128, 512, 1024, 1, cores=2, block_size=32, share=0.6, through=through)


part_of("_all_expert_moe_tkg_mx", _EXPERTS, "_all_expert_mx_static", "_all_expert_mx_dynamic", *_ALWAYS[:3], *_IN_BLOCKS)


# -- the parts that are made to be called alone -----------------------------------------------------------------------


def _spread(scales: Any) -> Any:
    """In a kernel: scales [16, ...] in HBM at the starts of the quadrants of a tile [128, ...]."""
    import nki.isa as nisa
    import nki.language as nl

    tile = nl.ndarray((128, *scales.shape[1:]), dtype=scales.dtype, buffer=nl.sbuf)
    for quadrant in range(4):
        nisa.dma_copy(tile[32 * quadrant : 32 * quadrant + 4], scales[4 * quadrant : 4 * quadrant + 4])
    return tile


def _stored(tile: Any, scales: bool = False) -> Any:
    """In a kernel: a tile in HBM, packed elements as their bits, of a tile of scales [128, ...] those that are some [16, ...]."""
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
    """In a kernel: an array of HBM in SBUF."""
    import nki.isa as nisa
    import nki.language as nl

    tile = nl.ndarray(array.shape, dtype=array.dtype, buffer=nl.sbuf)
    nisa.dma_copy(tile, array)
    return tile


def _packed(array: Any) -> Any:
    """In a kernel: bits as the fours that they are."""
    import nki.language as nl

    return array.view(nl.float8_e4m3fn_x4)


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
    calls = _watched(module, ("_clamp_tensor", "_matmul_mx_accumulate"))
    data, scales = map(np.asarray, kernel(x.data, x.scales, case.gate_up.data, case.gate_up.scales, case.gate_up_bias))
    assert all(calls.values()), f"not called: {[name for name, count in calls.items() if not count]}"
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
