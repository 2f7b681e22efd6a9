"""aws-neuron/nki-samples, `contributed/neuron-team-kernels`: the Neuron team's kernels as they stood in their compiler."""

from __future__ import annotations

from typing import Any

import numpy as np
from experts import blocks_of
from harness import driver, part_of, refused
from references import convolution, mixture_of_experts, rms_norm, wide

TEAM = "contributed/neuron-team-kernels"
BF16, FP8 = 2e-2, 5e-2


def _jit(function: Any) -> Any:
    import neuronxcc.nki as nki

    return nki.jit(function)


@driver(f"{TEAM}/cumsum.py", "cumsum", tolerance=1e-4)
def cumulative_sum(module: Any, random: np.random.Generator) -> Any:
    x = random.standard_normal((256, 512)).astype(np.float32)
    out = np.zeros_like(x)
    _jit(module.cumsum)(x, out, axis=-1)
    return out, np.cumsum(wide(x), axis=-1)


@driver(f"{TEAM}/transpose.py", "tiled_dve_transpose_10")
def dve_transpose_10(module: Any, random: np.random.Generator) -> Any:
    x = random.standard_normal((96, 160)).astype(np.float32)
    return module.tiled_dve_transpose_10(x, (1, 0)), x.T


@driver(f"{TEAM}/transpose.py", "tiled_dve_transpose_210")
def dve_transpose_210(module: Any, random: np.random.Generator) -> Any:
    x = random.standard_normal((8, 32, 96)).astype(np.float32)
    return module.tiled_dve_transpose_210(x), x.transpose(2, 1, 0)


@driver(f"{TEAM}/conv.py", "conv2d", tolerance=1e-4)
def conv_2d(module: Any, random: np.random.Generator) -> Any:
    x, w = random.standard_normal((2, 3, 12, 12)).astype(np.float32), random.standard_normal((8, 3, 3, 3)).astype(np.float32)
    out = np.zeros((8, 12, 12, 2), np.float32)
    layout = {"in_perm": [3, 0, 1, 2], "kern_perm": [0, 1, 2, 3], "out_perm": [1, 2, 3, 0]}
    module.conv2d(x.transpose(1, 2, 3, 0).copy(), w, out, padding=[[1, 1], [1, 1]], **layout)
    return out, convolution(x, w, 1).transpose(1, 2, 3, 0)


# -- RMS norm and quantization ----------------------------------------------------------------------------------------


def _quantized(random: np.random.Generator) -> Any:
    import ml_dtypes

    hidden, gamma = (random.standard_normal(shape).astype(ml_dtypes.bfloat16) for shape in ((1, 256, 512), (1, 512)))
    return hidden, gamma, np.zeros((1, 256, 516), ml_dtypes.float8_e4m3)


def _dequantized(out: Any) -> Any:
    scale = np.ascontiguousarray(np.asarray(out)[..., -4:]).view(np.float32)
    return wide(np.asarray(out)[..., :-4]) * wide(scale)


@driver(f"{TEAM}/rmsnorm_quant.py", "compatible_rmsnorm_quant", tolerance=FP8)
def rmsnorm_quant_returned(module: Any, random: np.random.Generator) -> Any:
    hidden, gamma, _ = _quantized(random)
    return _dequantized(module.compatible_rmsnorm_quant(hidden, gamma, 0.0, "RMSNormQuant")), rms_norm(hidden, gamma, 1e-6)


@driver(f"{TEAM}/rmsnorm_quant.py", "rmsnorm_quant", tolerance=FP8)
def rmsnorm_quant_in_place(module: Any, random: np.random.Generator) -> Any:
    hidden, gamma, out = _quantized(random)
    module.rmsnorm_quant(hidden, gamma, 0.0, out, "RMSNormQuant")
    return _dequantized(out), rms_norm(hidden, gamma, 1e-6)


@driver(f"{TEAM}/rmsnorm_quant.py", "shard_rmsnorm_quant", tolerance=FP8)
def rmsnorm_quant_over_two(module: Any, random: np.random.Generator) -> Any:
    hidden, gamma, out = _quantized(random)
    module.shard_rmsnorm_quant[2](hidden, gamma, 0.0, out, "QuantOnly")
    return _dequantized(out), wide(hidden)


part_of("rmsnorm_quant", f"{TEAM}/rmsnorm_quant.py", "rmsnorm_group", "quantize_group")


# -- experts ----------------------------------------------------------------------------------------------------------


@driver(f"{TEAM}/blockwise_mm.py", "blockwise_mm_baseline_allocated", tolerance=BF16)
def blockwise_experts(module: Any, random: np.random.Generator) -> Any:
    case = blocks_of(random, tokens=200, hidden=4096, intermediate=128, experts=2, block=128)
    out = module.blockwise_mm_baseline_allocated(
        case.hidden, case.affinities.reshape(-1, 1), case.gate_up, case.down, 128, case.positions, case.experts
    )
    wanted = mixture_of_experts(case.hidden, case.affinities, case.gate_up, case.down)
    return np.asarray(out)[:-1], wanted[:-1]


# -- what cannot run --------------------------------------------------------------------------------------------------

_INSIDE = "needs {}, which is private to AWS's compiler and not published"
refused(_INSIDE.format("private_api.do_while"), f"{TEAM}/blockwise_mm.py", "blockwise_mm_baseline_while")
refused(_INSIDE.format("private_api.row_tiled_mm_kernel"), f"{TEAM}/hw_ubench.py", "row_tiled_matmul_isa_kernel")
refused(_INSIDE.format("private_api.column_tiled_mm_kernel"), f"{TEAM}/hw_ubench.py", "column_tiled_matmul_isa_kernel")
refused(_INSIDE.format("private_api.sendrecv and core_barrier"), f"{TEAM}/attention_token_gen.py", "attention_token_gen_kernel")
refused(_INSIDE.format("_private_kernels.qkv and RoPE"), f"{TEAM}/attention_token_gen.py", "llama3_attention_block_token_gen_kernel")
for _file in ("flash_attn_core", "varlen_attention_kernel"):
    refused("needs the compiler's experimental scalars: range() over a value in SBUF", f"{TEAM}/flash_paged_attn_varlen/{_file}.py")
