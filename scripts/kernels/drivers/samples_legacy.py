"""aws-neuron/nki-samples before it was cut down: the reference kernels, and what the Neuron team contributed."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import driver, part_of
from references import adaptive_average_pool, attention, causal, rms_norm, softmax, wide

REFERENCE = "src/nki_samples/reference"
FP16, BF16, FP8 = 2e-3, 1e-2, 5e-2


def _swapped(x: Any) -> Any:
    return np.swapaxes(x, -1, -2)


# -- attention --------------------------------------------------------------------------------------------------------


def _heads(random: np.random.Generator, heads: int, kv_heads: int, length: int, d: int) -> Any:
    q = random.uniform(-1, 1, (1, heads, d, length)).astype(np.float32)
    k = random.uniform(-1, 1, (1, kv_heads, d, length)).astype(np.float32)
    v = random.uniform(-1, 1, (1, kv_heads, length, d)).astype(np.float32)
    return q, k, v


def _flash_forward(module: Any, random: np.random.Generator, heads: int, kv_heads: int, training: bool, **options: Any) -> Any:
    q, k, v = _heads(random, heads, kv_heads, 512, 64)
    config = module.FlashConfig(seq_tile_size=512, training=training)
    got = module.flash_fwd[1, kv_heads](q, k, v, None, mixed_precision=True, config=config, **options)
    keys, values = (np.repeat(x, heads // kv_heads, axis=1) for x in (_swapped(k), v))
    is_causal, window = options["use_causal_mask"], max(0, options.get("sliding_window", 0))
    out = attention(_swapped(q), keys, values, 64**-0.5, is_causal, window)
    if not training:
        return got, out
    scores = wide(_swapped(q)) @ _swapped(wide(keys)) * 64**-0.5
    masked = causal(scores, window) if is_causal else scores
    log_sum = np.log(np.exp(masked).sum(axis=-1)).reshape(1, heads, 4, 128).transpose(0, 1, 3, 2)
    return got, [out, log_sum]


@driver(f"{REFERENCE}/attention.py", "flash_fwd", tolerance=BF16, case="not causal")
def flash_forward(module: Any, random: np.random.Generator) -> Any:
    return _flash_forward(module, random, 1, 1, False, use_causal_mask=False)


@driver(f"{REFERENCE}/attention.py", "flash_fwd", tolerance=BF16, case="causal, grouped queries, training")
def flash_forward_causal(module: Any, random: np.random.Generator) -> Any:
    return _flash_forward(module, random, 2, 1, True, use_causal_mask=True)


@driver(f"{REFERENCE}/attention.py", "flash_fwd", tolerance=BF16, case="sliding window")
def flash_forward_window(module: Any, random: np.random.Generator) -> Any:
    return _flash_forward(module, random, 1, 1, False, use_causal_mask=True, sliding_window=128)


@driver(f"{REFERENCE}/attention.py", "flash_attn_bwd", tolerance=2 * BF16)
def flash_backward(module: Any, random: np.random.Generator) -> Any:
    length, d = 512, 64
    q, k, v, dy = (random.uniform(-1, 1, (1, 1, d, length)).astype(np.float32) for _ in range(4))
    scale = d**-0.5
    scores = causal(wide(_swapped(q)) @ wide(k) * scale)
    y = softmax(scores)
    out = _swapped(y @ wide(_swapped(v))).astype(np.float32)
    log_sum = np.log(np.exp(scores).sum(axis=-1)).reshape(1, 1, length // 128, 128).transpose(0, 1, 3, 2).astype(np.float32)
    got = module.flash_attn_bwd[1, 1](q, k, v, out, dy, log_sum, None, use_causal_mask=True, mixed_precision=True)
    dp = wide(_swapped(dy)) @ wide(v)
    ds = y * (dp - (dp * y).sum(axis=-1, keepdims=True)) * scale
    return got, [_swapped(ds @ wide(_swapped(k))), wide(q) @ ds, wide(dy) @ y]


_PARTS = (
    "transpose_p_local",
    "dropout_p_local",
    "_flash_attention_core",
    "load_v_tile",
    "load_dy_q",
    "store_dk_dv",
    "load_kv",
    "compute_rowsum",
    "_flash_attn_bwd_core",
)
part_of("flash_fwd or flash_attn_bwd", f"{REFERENCE}/attention.py", *_PARTS)


@driver(f"{REFERENCE}/attention.py", "fused_self_attn_for_SD_small_head_size", tolerance=BF16)
def fused_attention(module: Any, random: np.random.Generator) -> Any:
    q = random.uniform(0, 1, (1, 64, 512)).astype(np.float32)
    k, v = (random.uniform(0, 1, (1, 512, 64)).astype(np.float32) for _ in range(2))
    return module.fused_self_attn_for_SD_small_head_size[1](q, k, v), attention(_swapped(q), k, v, 0.125)


@driver(f"{REFERENCE}/allocated_attention.py", "allocated_fused_self_attn_for_SD_small_head_size", tolerance=BF16)
def allocated_attention(module: Any, random: np.random.Generator) -> Any:
    q, k = (random.uniform(0, 1, (1, 128, 1024)).astype(np.float32) for _ in range(2))
    v = random.uniform(0, 1, (1, 1024, 128)).astype(np.float32)
    got = module.allocated_fused_self_attn_for_SD_small_head_size[1](q, k, v)
    return got, _swapped(attention(_swapped(q), _swapped(k), v, 0.125))


# -- linear -----------------------------------------------------------------------------------------------------------


@driver(f"{REFERENCE}/allocated_fused_linear.py", "allocated_fused_rms_norm_qkv", tolerance=BF16)
def fused_linear(module: Any, random: np.random.Generator) -> Any:
    hidden = random.uniform(0, 1, (1, 256, 512)).astype(np.float16)
    weights = random.uniform(0, 1, (512, 512)).astype(np.float16)
    return module.allocated_fused_rms_norm_qkv(hidden, weights), rms_norm(hidden, epsilon=1e-6) @ wide(weights)


@driver(f"{REFERENCE}/double_row_matmul.py", "quantized_double_row_matmul", tolerance=5e-2)
def double_row_matmul(module: Any, random: np.random.Generator) -> Any:
    import ml_dtypes

    a, b = random.uniform(0, 1, (128, 256)), random.uniform(0, 1, (256, 512))
    scale = np.abs(b).max(axis=0, keepdims=True) / 240
    tiles = (b / scale).reshape(2, 128, 512)  # the kernel takes both rows of tiles side by side
    quantized = np.concatenate([tiles[0], tiles[1]], axis=1).astype(ml_dtypes.float8_e4m3)
    scales = np.broadcast_to(scale, (128, 512)).astype(ml_dtypes.bfloat16)
    return module.quantized_double_row_matmul(a.astype(ml_dtypes.bfloat16), quantized, scales, 1, 1, 2), a @ b


@driver(f"{REFERENCE}/rmsnorm_quant/rmsnorm_quant.py", "rmsnorm_quant_kernel", tolerance=FP8)
def rmsnorm_quant(module: Any, random: np.random.Generator) -> Any:
    import ml_dtypes

    hidden = random.standard_normal((1, 256, 512)).astype(ml_dtypes.bfloat16)
    gamma = random.standard_normal((1, 512)).astype(ml_dtypes.bfloat16)
    out = np.asarray(module.rmsnorm_quant_kernel(hidden, gamma, module.RmsNormQuantKernelArgs(lower_bound=0.0)))
    scale = np.ascontiguousarray(out[..., 512:]).view(np.float32)
    return wide(out[..., :512]) * wide(scale), rms_norm(hidden, gamma, 1e-6)


_QUANT_PARTS = (
    "_rmsnorm_quant_single_core_kernel",
    "_rmsnorm_quant_sharded_kernel",
    "_load_input_tensor_tile",
    "_rms_normalize_tile",
    "_quantize_tile",
    "_store_tensor_tile_and_dequant_scales",
)
part_of("rmsnorm_quant_kernel", f"{REFERENCE}/rmsnorm_quant/rmsnorm_quant.py", *_QUANT_PARTS)
part_of("rmsnorm_quant_kernel", f"{REFERENCE}/rmsnorm_quant/rmsnorm_quant_constants.py")


@driver(f"{REFERENCE}/tutorial.py", "add_kernel_nx8x128x512")
def add_blocks(module: Any, random: np.random.Generator) -> Any:
    a, b = (random.standard_normal((2, 8, 128, 512)).astype(np.float32) for _ in range(2))
    return module.add_kernel_nx8x128x512[2](a, b, a.size), a + b


# -- vision -----------------------------------------------------------------------------------------------------------


@driver(f"{REFERENCE}/vision.py", "select_and_scatter_kernel")
def select_and_scatter(module: Any, random: np.random.Generator) -> Any:
    x = random.standard_normal((2, 64, 8, 8)).astype(np.float32)
    source = random.standard_normal((2, 64, 4, 4)).astype(np.float32)
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
    wanted = np.zeros_like(padded)
    for n, c, i, j in np.ndindex(2, 64, 4, 4):
        window = padded[n, c, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3]
        at = np.unravel_index(window.argmax(), window.shape)
        wanted[n, c, 2 * i + at[0], 2 * j + at[1]] += source[n, c, i, j]
    return module.select_and_scatter_kernel(x, source), wanted[:, :, 1:-1, 1:-1]


@driver(f"{REFERENCE}/vision.py", "resize_nearest_fixed_dma_kernel")
def resize_nearest(module: Any, random: np.random.Generator) -> Any:
    x = random.standard_normal((1, 10, 8, 32)).astype(np.float32)
    rows = np.floor(np.arange(19) * np.float32(10 / 19)).astype(int)
    columns = np.floor(np.arange(15) * np.float32(8 / 15)).astype(int)
    return module.resize_nearest_fixed_dma_kernel[1](x, (1, 19, 15, 32)), x[:, rows][:, :, columns]


@driver(f"{REFERENCE}/vision.py", "adaptive_avg_pool2d_kernel", tolerance=1e-4)
def adaptive_pool(module: Any, random: np.random.Generator) -> Any:
    x = random.standard_normal((1, 64, 13, 13)).astype(np.float32)
    return module.adaptive_avg_pool2d_kernel(x, (6, 4)), adaptive_average_pool(x, (6, 4))
