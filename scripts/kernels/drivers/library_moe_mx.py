"""aws-neuron/nki-library: mixtures of experts whose weights are microscaled (MX)."""

from __future__ import annotations

import importlib
from typing import Any

import mx
import numpy as np
from harness import driver, part_of, through
from references import wide

TKG = "src/nkilib_src/nkilib/core/moe/moe_tkg"
FP8 = 5e-2  # kernels round to bfloat16 before they quantize, and so now and then to the next fp8
#: Functions of `gate_up_projection_mx.py` and `down_projection_mx.py`.
GATE_UP = ("gate_up_projection_mx_shard_I", "load_gate_up_weight_scale_bias")
DOWN = ("down_projection_mx", "load_broadcast_down_weight_scale_bias")


def _hidden(random: np.random.Generator, *shape: int) -> Any:
    import ml_dtypes

    return random.standard_normal(shape).astype(ml_dtypes.bfloat16)


# -- few tokens, every expert -----------------------------------------------------------------------------------------


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

    scales, biases = (case.gate_up.scales, case.down.scales), (case.gate_up_bias, case.down_bias)
    with through(module, *how["parts"]):
        got = (kernel[cores] if cores else kernel)(x, case.gate_up.data, case.down.data, affinities, scales, biases)
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
    return _all_experts(module, random, 64, 1024, 1024, 2, parts=("_all_expert_mx_static", *_ALWAYS))


@driver(_EXPERTS, "_all_expert_moe_tkg_mx", target="trn3", tolerance=FP8, case="static, two cores share I, fp4")
def static_experts_over_two(module: Any, random: np.random.Generator) -> Any:
    parts = ("_all_expert_mx_static", *_ALWAYS)
    return _all_experts(module, random, 256, 1024, 1536, 2, cores=2, four_bits=True, limit=1.0, parts=parts)


@driver(_EXPERTS, "_all_expert_moe_tkg_mx", target="trn3", tolerance=FP8, case="static, two cores share T")
def static_tokens_over_two(module: Any, random: np.random.Generator) -> Any:
    return _all_experts(module, random, 64, 512, 512, 3, cores=2, parts=("_all_expert_mx_static", *_ALWAYS))


@driver(_EXPERTS, "_all_expert_moe_tkg_mx", target="trn3", tolerance=FP8, case="dynamic")
def dynamic_experts(module: Any, random: np.random.Generator) -> Any:
    parts = ("_all_expert_mx_dynamic", *_ALWAYS, *_IN_BLOCKS)
    return _all_experts(module, random, 128, 512, 1024, 1, cores=2, block_size=32, share=0.6, parts=parts)


part_of("_all_expert_moe_tkg_mx", _EXPERTS, "_all_expert_mx_static", "_all_expert_mx_dynamic", *_ALWAYS[:3], *_IN_BLOCKS)


# -- the same from outside ---------------------------------------------------------------------------------------------


def _token_generation(module: Any, random: np.random.Generator, tokens: int, experts: int, rank: int, ranks: int, **how: Any) -> Any:
    """`moe_tkg` on two cores with the affinities of the experts of all ranks, of which it takes its own."""
    import nki
    import nki.language as nl

    view = importlib.import_module("nkilib.core.utils.tensor_view").TensorView
    types = importlib.import_module("nkilib.core.utils.common_types")
    case = mx.experts(random, experts, 512, 1024)
    x = _hidden(random, tokens, 512)
    own = slice(rank * experts, (rank + 1) * experts)
    affinities = (random.uniform(0.1, 1, (tokens, ranks * experts)) * (random.random((tokens, ranks * experts)) < 0.6)).astype(x.dtype)

    @nki.jit
    def kernel(x: Any, gate_up: Any, down: Any, affinities: Any, chosen: Any, rank: Any, scales: Any, biases: Any) -> Any:
        return module.moe_tkg(
            x,
            view(gate_up).reinterpret_cast(nl.float8_e4m3fn_x4),
            view(down).reinterpret_cast(nl.float8_e4m3fn_x4),
            affinities,
            chosen,
            True,
            rank,
            *biases,
            *scales,
            expert_affinities_scaling_mode=types.ExpertAffinityScaleMode.POST_SCALE,
            **how,
        )

    scales, biases = (case.gate_up.scales, case.down.scales), (case.gate_up_bias, case.down_bias)
    chosen, number = np.zeros((tokens, 1), np.int32), np.array([[rank]], np.uint32)
    got = kernel[2](x, case.gate_up.data, case.down.data, affinities, chosen, number, scales, biases)
    compared = wide(affinities)[:, own].any(axis=1)
    return np.asarray(got)[compared], mx.mixture(x, affinities[:, own], case)[compared]


@driver(f"{TKG}/moe_tkg.py", "moe_tkg", target="trn3", tolerance=FP8, case="MX, static")
def token_generation(module: Any, random: np.random.Generator) -> Any:
    return _token_generation(module, random, 64, 2, rank=1, ranks=2)


@driver(f"{TKG}/moe_tkg.py", "moe_tkg", target="trn3", tolerance=FP8, case="MX, dynamic")
def token_generation_in_blocks(module: Any, random: np.random.Generator) -> Any:
    # of one rank: as published the second core's half of the affinities begins where it should when there is one expert in all
    return _token_generation(module, random, 128, 1, rank=0, ranks=1, is_all_expert_dynamic=True, block_size=32)
