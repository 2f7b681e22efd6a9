"""aws-neuron/nki-library: kernels of `core` (and some of `experimental`) that run on one device."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import numpy as np
from harness import driver, part_of, refused
from references import attention, causal, layer_norm, rms_norm, rotate_half, softmax, wide

CORE = "src/nkilib_src/nkilib/core"
EXPERIMENTAL = "src/nkilib_src/nkilib/experimental"
BF16, FP8 = 2e-2, 5e-2


def _swapped(x: Any) -> Any:
    return np.swapaxes(x, -1, -2)


def _normal(random: np.random.Generator, *shape: int, scale: float = 1.0) -> Any:
    return (random.standard_normal(shape) * scale).astype(np.float32)


def _jit(function: Any) -> Any:
    import nki

    return nki.jit(function)


@driver(f"{CORE}/cumsum/cumsum.py", "cumsum", tolerance=1e-5)
def cumsum(module: Any, random: np.random.Generator) -> Any:
    x = _normal(random, 130, 700)
    return module.cumsum(x), np.cumsum(wide(x), axis=-1)


@driver(f"{CORE}/max/cascaded_max.py", "cascaded_max")
def cascaded_max(module: Any, random: np.random.Generator) -> Any:
    x = _normal(random, 1, 2, 4096)
    return module.cascaded_max[2](x), [x.max(-1, keepdims=True), x.argmax(-1)[..., None]]


@driver(f"{CORE}/embeddings/rope.py", "RoPE", tolerance=1e-5)
def rope(module: Any, random: np.random.Generator) -> Any:
    x, cos, sin = _normal(random, 64, 1, 2, 128), _normal(random, 32, 1, 128), _normal(random, 32, 1, 128)
    first, second = wide(x)[:32], wide(x)[32:]
    c, s = wide(cos)[:, :, None], wide(sin)[:, :, None]
    return module.RoPE(x, cos, sin), np.concatenate([first * c - second * s, second * c + first * s])


@driver(f"{CORE}/embeddings/rope_hf.py", "rope_hf", tolerance=1e-5)
def rope_hf(module: Any, random: np.random.Generator) -> Any:
    q, k = _normal(random, 1, 4, 128, 64), _normal(random, 1, 1, 128, 64)
    cos, sin = _normal(random, 128, 64), _normal(random, 128, 64)
    got = module.rope_hf(q, k, np.zeros_like(q), np.zeros_like(k), cos, sin)
    return got, [rotate_half(q, cos, sin), rotate_half(k, cos, sin)]


@driver(f"{CORE}/subkernels/find_nonzero_indices.py", "find_nonzero_indices")
def find_nonzero(module: Any, random: np.random.Generator) -> Any:
    x = (random.random((256, 16)) < 0.1).astype(np.float32)
    wanted = np.full((16, 256), -1)
    for column in range(16):
        found = np.flatnonzero(x[:, column])
        wanted[column, : len(found)] = found
    return module.find_nonzero_indices[2](x), [wanted, (x != 0).sum(axis=0)]


@driver(f"{CORE}/subkernels/indexed_flatten.py", "indexed_flatten")
def indexed_flatten(module: Any, random: np.random.Generator) -> Any:
    x, length = random.integers(0, 99, (4, 512)).astype(np.int32), 2048
    offsets = np.array([16, 0, 48, 32], np.int32)
    wanted = np.full((length // 32, 32), -1)
    for row, start in enumerate(offsets):
        wanted[start : start + 16] = x[row].reshape(16, 32)
    return module.indexed_flatten[2](x, 32, length, offsets), wanted.reshape(-1)


@driver(f"{CORE}/rmsnorm/rmsnorm_quant.py", "rmsnorm_quant_kernel", tolerance=FP8)
def rmsnorm_quant(module: Any, random: np.random.Generator) -> Any:
    import ml_dtypes

    hidden, gamma = _normal(random, 1, 256, 512).astype(ml_dtypes.bfloat16), _normal(random, 1, 512).astype(ml_dtypes.bfloat16)
    out = np.asarray(module.rmsnorm_quant_kernel(hidden, gamma, module.RmsNormQuantKernelArgs(lower_bound=0.0)))
    scale = np.ascontiguousarray(out[..., 512:]).view(np.float32)
    return wide(out[..., :512]) * wide(scale), rms_norm(hidden, gamma, 1e-6)


# -- attention --------------------------------------------------------------------------------------------------------


def _attention_cte(module: Any, random: np.random.Generator, **options: Any) -> Any:
    import ml_dtypes

    q, v = (_normal(random, 1, 256, 128).astype(ml_dtypes.bfloat16) for _ in range(2))
    k = _normal(random, 1, 128, 256).astype(ml_dtypes.bfloat16)
    window = options.get("sliding_window") or 0
    is_causal = options.get("causal_mask", True)
    scale = 1.0 if window else 128**-0.5
    q = q if not window else (wide(q) * 128**-0.5).astype(ml_dtypes.bfloat16)
    return module.attention_cte(q, k, v, scale=scale, **options), attention(q, _swapped(k), v, scale, is_causal, window)


@driver(f"{CORE}/attention/attention_cte.py", "attention_cte", tolerance=BF16, case="causal")
def attention_causal(module: Any, random: np.random.Generator) -> Any:
    return _attention_cte(module, random)


@driver(f"{CORE}/attention/attention_cte.py", "attention_cte", tolerance=BF16, case="not causal")
def attention_whole(module: Any, random: np.random.Generator) -> Any:
    return _attention_cte(module, random, causal_mask=False)


@driver(f"{CORE}/attention/attention_cte.py", "attention_cte", tolerance=BF16, case="sliding window")
def attention_window(module: Any, random: np.random.Generator) -> Any:
    return _attention_cte(module, random, sliding_window=64)


@driver(f"{CORE}/attention/attention_bwd.py", "attention_bwd", tolerance=BF16)
def attention_backward(module: Any, random: np.random.Generator) -> Any:
    length, d = 512, 64
    q, k, v, dy = (random.uniform(-1, 1, (1, 1, d, length)).astype(np.float32) for _ in range(4))
    scale = d**-0.5
    scores = causal(wide(_swapped(q)) @ wide(k) * scale)
    y = softmax(scores)
    out = _swapped(y @ wide(_swapped(v))).astype(np.float32)
    log_sum = np.log(np.exp(scores).sum(axis=-1)).reshape(1, 1, length // 128, 128).transpose(0, 1, 3, 2).astype(np.float32)
    got = module.attention_bwd(q, k, v, out, dy, log_sum, use_causal_mask=True, mixed_precision=True)
    dp = wide(_swapped(dy)) @ wide(v)
    ds = y * (dp - (dp * y).sum(axis=-1, keepdims=True)) * scale
    return list(got)[:3], [_swapped(ds @ wide(_swapped(k))), wide(q) @ ds, wide(dy) @ y]


@driver(f"{EXPERIMENTAL}/transformer/attention_block_tkg.py", "attention_block_tkg", tolerance=BF16)
def attention_block(module: Any, random: np.random.Generator) -> Any:
    import ml_dtypes

    batch, hidden, d, heads, context = 2, 512, 128, 2, 256
    x, gamma = (_normal(random, *shape).astype(ml_dtypes.bfloat16) for shape in ((batch, 1, hidden), (1, hidden)))
    w_qkv = _normal(random, hidden, d * (heads + 2), scale=0.05).astype(ml_dtypes.bfloat16)
    w_out = _normal(random, heads * d, hidden, scale=0.05).astype(ml_dtypes.bfloat16)
    k_cache, v_cache = (_normal(random, batch, context, d).astype(ml_dtypes.bfloat16) for _ in range(2))
    mask = np.ones((context, batch, heads, 1), np.uint8)
    arguments = dict.fromkeys(list(inspect.signature(module.attention_block_tkg).parameters)[:40])
    none = module.QuantizationType.NONE
    arguments.update(X=x, rmsnorm_X_enabled=True, rmsnorm_X_eps=1e-6, rmsnorm_X_gamma=gamma, W_qkv=w_qkv, W_out=w_out)
    arguments.update(quantization_type_qkv=none, quantization_type_out=none, K_cache=k_cache, V_cache=v_cache, attention_mask=mask)
    arguments.update(rmsnorm_QK_pre_rope_eps=1e-6, rmsnorm_QK_post_rope_eps=1e-6, K_cache_transposed=False)
    for name in ("rmsnorm_QK_pre_rope_enabled", "rope_contiguous_layout", "rmsnorm_QK_post_rope_enabled"):
        arguments[name] = False
    arguments.update(update_cache=False, transposed_out=False, out_in_sb=False)
    got = _jit(module.attention_block_tkg)[2](**arguments)
    qkv = rms_norm(x[:, 0], gamma, 1e-6) @ wide(w_qkv)
    q, k, v = qkv[:, : heads * d].reshape(batch, heads, d), qkv[:, -2 * d : -d], qkv[:, -d:]
    keys, values = wide(k_cache), wide(v_cache)
    keys[:, -1], values[:, -1] = k, v  # the new token is the last of the context
    out = attention(q, keys, values, d**-0.5).reshape(batch, heads * d) @ wide(w_out)
    return got, [out, k.T[..., None], v[:, None, None]]


# -- projections ------------------------------------------------------------------------------------------------------


@driver(f"{CORE}/qkv/qkv.py", "qkv", tolerance=BF16, case="many tokens")
def qkv_many(module: Any, random: np.random.Generator) -> Any:
    import ml_dtypes

    x, w = _normal(random, 1, 256, 512).astype(ml_dtypes.bfloat16), _normal(random, 512, 384, scale=0.05).astype(ml_dtypes.bfloat16)
    return module.qkv[2](x, w), wide(x) @ wide(w)


@driver(f"{CORE}/qkv/qkv.py", "qkv", tolerance=BF16, case="few tokens, RMS norm")
def qkv_few(module: Any, random: np.random.Generator) -> Any:
    import ml_dtypes

    x, w = _normal(random, 4, 1, 512).astype(ml_dtypes.bfloat16), _normal(random, 512, 384, scale=0.05).astype(ml_dtypes.bfloat16)
    gamma = _normal(random, 1, 512).astype(ml_dtypes.bfloat16)
    got = module.qkv[2](x, w, fused_norm_type=module.NormType.RMS_NORM, gamma_norm_weights=gamma)
    return got, rms_norm(x, gamma, 1e-6) @ wide(w)


@driver(f"{CORE}/output_projection/output_projection_tkg.py", "output_projection_tkg", tolerance=BF16)
def output_projection_few(module: Any, random: np.random.Generator) -> Any:
    import ml_dtypes

    scores, w = _normal(random, 64, 4, 4, 1).astype(ml_dtypes.bfloat16), _normal(random, 256, 512).astype(ml_dtypes.bfloat16)
    bias = _normal(random, 1, 512).astype(ml_dtypes.bfloat16)
    rows = wide(scores).transpose(1, 3, 2, 0).reshape(4, 256)
    return module.output_projection_tkg[2](scores, w, bias), rows @ wide(w) + wide(bias)


@driver(
    f"{CORE}/output_projection/output_projection_cte/output_projection_cte.py", "output_projection_cte", tolerance=BF16
)
def output_projection_many(module: Any, random: np.random.Generator) -> Any:
    import ml_dtypes

    scores, w = _normal(random, 1, 2, 128, 512).astype(ml_dtypes.bfloat16), _normal(random, 256, 512).astype(ml_dtypes.bfloat16)
    rows = wide(scores).transpose(0, 3, 1, 2).reshape(1, 512, 256)
    return module.output_projection_cte[2](scores, w), rows @ wide(w)


# -- norms of token generation, which are called by other kernels: driven through a kernel of our own ------------------


def _norm_kernel(function: Any, hidden: Any, weights: Any) -> Any:
    import nki
    import nki.language as nl

    @nki.jit
    def norm(x: Any, gamma: Any, *others: Any) -> Any:
        out = nl.ndarray((128, x.shape[0] * x.shape[1], x.shape[2] // 128), dtype=x.dtype, buffer=nl.shared_hbm)
        on_chip = nl.ndarray(out.shape, dtype=x.dtype, buffer=nl.sbuf)
        result = function(x, gamma, on_chip, *others)
        nki.isa.dma_copy(dst=out, src=on_chip if result is None else result)
        return out

    return norm(hidden, *weights)


def _by_partitions(x: Any) -> Any:
    return x.reshape(x.shape[0] * x.shape[1], 128, -1).transpose(1, 0, 2)


@driver(f"{CORE}/subkernels/rmsnorm_tkg.py", "rmsnorm_tkg", tolerance=BF16)
def rmsnorm_few(module: Any, random: np.random.Generator) -> Any:
    x, gamma = _normal(random, 4, 1, 512), _normal(random, 1, 512)
    return _norm_kernel(module.rmsnorm_tkg, x, [gamma]), _by_partitions(rms_norm(x, gamma, 1e-6))


@driver(f"{CORE}/subkernels/layernorm_tkg.py", "layernorm_tkg", tolerance=BF16)
def layernorm_few(module: Any, random: np.random.Generator) -> Any:
    x, gamma, beta = _normal(random, 4, 1, 512), _normal(random, 1, 512), _normal(random, 1, 512)
    return _norm_kernel(module.layernorm_tkg, x, [gamma, beta]), _by_partitions(layer_norm(x, gamma, beta, 1e-6))


# -- choosing ---------------------------------------------------------------------------------------------------------


@driver(f"{CORE}/topk/rotational_topk.py", "topk")
def topk(module: Any, random: np.random.Generator) -> Any:
    x = random.permutation(2 * 2048).reshape(2, 1, 2048).astype(np.float32)
    order = np.argsort(-x, axis=-1)[..., :16]
    return module.topk[2](x, 16), [np.take_along_axis(x, order, -1), order]


part_of("topk", f"{CORE}/topk/rotational_topk.py", "rotational_topk")


def _router_topk(module: Any, random: np.random.Generator, **options: Any) -> Any:
    tokens, hidden, experts, k = 64, 256, 32, 4
    types = importlib.import_module("nkilib.core.utils.common_types")
    x, w = _normal(random, hidden, tokens), _normal(random, hidden, experts, scale=0.1)
    out = [np.zeros((tokens, experts), np.float32), np.zeros((tokens, experts), np.float32), np.zeros((tokens, k), np.uint32)]
    _jit(module.router_topk)(x, w, None, *out, types.RouterActFnType.SOFTMAX, k, 0, 0, **options)
    logits = wide(x).T @ wide(w)
    order = np.argsort(-logits, axis=-1)[:, :k]
    return out, logits, order


@driver(f"{CORE}/router_topk/router_topk.py", "router_topk", tolerance=1e-5, case="softmax of all experts")
def router_topk_before(module: Any, random: np.random.Generator) -> Any:
    out, logits, order = _router_topk(module, random)
    return out, [logits, softmax(logits), order]


@driver(f"{CORE}/router_topk/router_topk.py", "router_topk", tolerance=1e-5, case="softmax of the chosen")
def router_topk_after(module: Any, random: np.random.Generator) -> Any:
    out, logits, order = _router_topk(module, random, router_pre_norm=False)
    chosen = np.zeros_like(logits)
    np.put_along_axis(chosen, order, softmax(np.take_along_axis(logits, order, -1)), -1)
    return out, [logits, chosen, order]


refused(
    "the published file is not Python: text stands behind the end of a docstring (IndentationError)", f"{CORE}/mlp/mlp.py", "mlp"
)


# -- experimental -----------------------------------------------------------------------------------------------------


@driver(f"{EXPERIMENTAL}/loss/cross_entropy.py", "cross_entropy_forward", tolerance=1e-4)
def cross_entropy_forward(module: Any, random: np.random.Generator) -> Any:
    import nki.language as nl

    logits, targets = _normal(random, 64, 4096), random.integers(0, 4096, 64).astype(np.int32)
    got = module.cross_entropy_forward[2](logits, targets, positions_per_batch=32, chunk_size=2048, dtype=nl.float32)
    log_sum = np.log(np.exp(wide(logits)).sum(axis=-1))
    return got, [log_sum - wide(logits)[np.arange(64), targets], log_sum]


@driver(f"{EXPERIMENTAL}/loss/cross_entropy.py", "cross_entropy_backward", tolerance=1e-4)
def cross_entropy_backward(module: Any, random: np.random.Generator) -> Any:
    import nki.language as nl

    logits, targets = _normal(random, 64, 4096), random.integers(0, 4096, 64).astype(np.int32)
    log_sum = np.log(np.exp(wide(logits)).sum(axis=-1)).astype(np.float32)
    wanted = softmax(logits)
    wanted[np.arange(64), targets] -= 1
    options = {"positions_per_batch": 32, "chunk_size": 2048, "dtype": nl.float32, "inplace": False}
    return module.cross_entropy_backward[2](logits, targets, log_sum, **options), wanted / 64


@driver(f"{EXPERIMENTAL}/conv/conv1d.py", "conv1d", tolerance=1e-4)
def conv1d(module: Any, random: np.random.Generator) -> Any:
    x, w, bias = _normal(random, 1, 32, 128), _normal(random, 3, 32, 64), _normal(random, 64)
    padded = np.pad(wide(x), ((0, 0), (0, 0), (1, 1)))
    wanted = sum(np.einsum("bcl,co->bol", padded[:, :, tap : tap + 128], wide(w[tap])) for tap in range(3))
    return module.conv1d(x, w, bias, padding=(1, 1)), wanted + wide(bias)[:, None]


@driver(f"{EXPERIMENTAL}/conv/depthwise_conv1d.py", "depthwise_conv1d_implicit_gemm", tolerance=1e-4)
def depthwise_conv1d(module: Any, random: np.random.Generator) -> Any:
    x, w = _normal(random, 1, 8, 1, 64), _normal(random, 8, 1, 1, 5)
    wanted = sum(wide(x)[..., tap : tap + 60] * wide(w)[None, :, 0, :, tap : tap + 1] for tap in range(5))
    return module.depthwise_conv1d_implicit_gemm[2](x, w, feature_group_count=8), wanted


@driver(f"{EXPERIMENTAL}/dynamic_shapes/dynamic_elementwise_add.py", "dynamic_elementwise_add")
def dynamic_add(module: Any, random: np.random.Generator) -> Any:
    import ml_dtypes

    a, b = (_normal(random, 512, 512).astype(ml_dtypes.bfloat16) for _ in range(2))
    got = np.asarray(module.dynamic_elementwise_add(a, b, np.array([[3]], np.int32)))
    return got[:384], (a + b)[:384]


@driver(f"{EXPERIMENTAL}/benchmark/find_nonzero_indices_with_count.py", "find_nonzero_indices_with_count")
def find_nonzero_with_count(module: Any, random: np.random.Generator) -> Any:
    x = (random.random((1, 256)) < 0.2).astype(np.float32)
    found = np.flatnonzero(x)
    wanted = np.full((1, 257), -1)
    wanted[0, : len(found)], wanted[0, 256] = found, len(found)
    return module.find_nonzero_indices_with_count(x), wanted


@driver(f"{EXPERIMENTAL}/mxfp_subkernels/mxfp_load_utils.py", "mxfp_load_performance_wrapper", target="trn3", tolerance=FP8)
def load_and_quantize(module: Any, random: np.random.Generator) -> Any:
    import ml_dtypes

    x = _normal(random, 128, 1024).astype(ml_dtypes.bfloat16)
    data, scales = map(np.asarray, module.mxfp_load_performance_wrapper(x))
    rows = np.array([group // 4 * 32 + group % 4 for group in np.arange(128) // 8])  # of eight partitions each, at each quadrant's start
    values = np.ascontiguousarray(data).view(ml_dtypes.float8_e4m3fn).reshape(128, -1, 4)
    exponents = scales[rows].astype(np.float64) - 127
    wanted = wide(x).reshape(128, 2, 128, 4).transpose(2, 1, 0, 3).reshape(128, -1, 4)
    return wide(values) * 2.0 ** exponents[..., None], wanted
