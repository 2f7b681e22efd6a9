"""aws-neuron/nki-samples: the tutorials, at HEAD and before the reference kernels left it."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import driver, part_of
from references import attention, average_pool, layer_norm, max_pool, rms_norm, rotate_half, selective_scan, softmax, upsample_linear_2x, wide

TUTORIALS = "src/nki_samples/tutorials"
FP16, BF16, FP8 = 2e-3, 1e-2, 5e-2


@driver(
    f"{TUTORIALS}/tensor_addition/tensor_addition_nki_kernels.py",
    "nki_tensor_add_kernel_",
    also=[f"{TUTORIALS}/tensor_addition/spmd_tensor_addition_nki_kernels.py"],
)
def tensor_add(module: Any, random: np.random.Generator) -> Any:
    a, b = (random.standard_normal((256, 1024)).astype(np.float32) for _ in range(2))
    return module.nki_tensor_add(a, b), a + b


@driver(f"{TUTORIALS}/tensor_addition/spmd_multiple_nc_tensor_addition_nki_kernels.py", "nki_tensor_add_nc2")
def tensor_add_two_cores(module: Any, random: np.random.Generator) -> Any:
    a, b = (random.standard_normal((512, 1024)).astype(np.float32) for _ in range(2))
    return module.nki_tensor_add_nc2(a, b), a + b


@driver(f"{TUTORIALS}/transpose2d/transpose2d_nki_kernels.py", "tensor_transpose2D_kernel_")
def transpose_2d(module: Any, random: np.random.Generator) -> Any:
    a = random.integers(-128, 127, (5, 12)).astype(np.int8)
    return module.tensor_transpose2D_kernel_(a, (3, 4)), a.reshape(5, 3, 4).transpose(0, 2, 1).reshape(5, 12)


@driver(f"{TUTORIALS}/average_pool2d/average_pool2d_nki_kernels.py", "tensor_avgpool_kernel", tolerance=FP16)
def average_pool_2d(module: Any, random: np.random.Generator) -> Any:
    x = random.standard_normal((4, 6, 8)).astype(np.float16)
    return module.tensor_avgpool_kernel(x, 2), average_pool(x, 2)


@driver(f"{TUTORIALS}/fused_mamba/mamba_nki_kernels.py", "mamba_v1", "mamba_v2", "mamba_v3", tolerance=1e-4)
def mamba(module: Any, random: np.random.Generator, kernel: str) -> Any:
    time = 512 if kernel == "mamba_v3" else 64  # the third version cuts time into tiles of 512
    delta, u = (random.uniform(0, 1, (1, 256, time)).astype(np.float32) for _ in range(2))
    a = -random.uniform(0.1, 1, (256, 4)).astype(np.float32)
    b, c = (random.standard_normal((1, 4, time)).astype(np.float32) for _ in range(2))
    return getattr(module, kernel)(delta, u, a, b, c), selective_scan(delta, u, a, b, c)


@driver(f"{TUTORIALS}/matrix_multiplication/matrix_multiplication_nki_kernels.py", "nki_matmul_basic_")
def matmul_basic(module: Any, random: np.random.Generator) -> Any:
    a, b = random.standard_normal((128, 64)).astype(np.float32), random.standard_normal((128, 512)).astype(np.float32)
    return module.nki_matmul_basic_(a, b), wide(a).T @ wide(b)


@driver(
    f"{TUTORIALS}/matrix_multiplication/matrix_multiplication_nki_kernels.py",
    "nki_matmul_tiled_",
    "nki_matmul_hoist_load_",
    "nki_matmul_block_free_dimension_",
    "nki_matmul_fully_optimized_",
)
def matmul(module: Any, random: np.random.Generator, kernel: str) -> Any:
    a, b = random.standard_normal((256, 256)).astype(np.float32), random.standard_normal((256, 1024)).astype(np.float32)
    blocks = {"TILES_IN_BLOCK_M": 2, "TILES_IN_BLOCK_N": 2, "TILES_IN_BLOCK_K": 2} if kernel == "nki_matmul_fully_optimized_" else {}
    return getattr(module, kernel)(a, b, **blocks), wide(a).T @ wide(b)


_ATTENTION = f"{TUTORIALS}/attention_fwd_performance/attention_kernels.py"


@driver(_ATTENTION, "attn_fwd_v1", "attn_fwd_v2", tolerance=1e-4)
def attention_toy(module: Any, random: np.random.Generator, kernel: str) -> Any:
    q, k, v = (random.uniform(-1, 1, (128, 128)).astype(np.float32) for _ in range(3))
    return getattr(module, kernel)(q, k, v), attention(q.T, k.T, v.T)


@driver(
    _ATTENTION,
    *(f"attn_fwd_v{version}" for version in (3, 4, 5, 6, 7, 8, "8a", 9, 10, 11)),
    tolerance=BF16,
)
def attention_tiled(module: Any, random: np.random.Generator, kernel: str) -> Any:
    length = 512 if kernel == "attn_fwd_v3" else 2048  # the third version holds all of q @ k.T in PSUM
    q, k, v = (random.uniform(-1, 1, (128, length)).astype(np.float32) for _ in range(3))
    return getattr(module, kernel)(q, k, v), attention(q.T, k.T, v.T)


@driver(f"{TUTORIALS}/rmsnorm/rmsnorm_nki_kernels.py", "nki_rmsnorm_kernel", tolerance=1e-4)
def rmsnorm(module: Any, random: np.random.Generator) -> Any:
    a, g = random.standard_normal((200, 512)).astype(np.float32), random.standard_normal(512).astype(np.float32)
    return module.nki_rmsnorm_kernel(a, g), rms_norm(a, g)


@driver(f"{TUTORIALS}/softmax/softmax_nki_kernels.py", "nki_softmax_kernel", tolerance=1e-4)
def softmax_rows(module: Any, random: np.random.Generator) -> Any:
    a = random.standard_normal((200, 512)).astype(np.float32)
    return module.nki_softmax_kernel(a), softmax(a)


@driver(f"{TUTORIALS}/layernorm/layernorm_nki_kernel.py", "nki_layernorm_kernel_v1", "nki_layernorm_kernel_v2", tolerance=1e-4)
def layernorm(module: Any, random: np.random.Generator, kernel: str) -> Any:
    x = random.standard_normal((200, 1024)).astype(np.float32)
    gamma, beta = (random.standard_normal(1024).astype(np.float32) for _ in range(2))
    return getattr(module, kernel)(x, 1e-5, gamma, beta), layer_norm(x, gamma, beta, 1e-5)


@driver(f"{TUTORIALS}/rotary/rotary_nki_kernels.py", "nki_apply_rotary_embedding", tolerance=1e-4)
def rotary(module: Any, random: np.random.Generator) -> Any:
    q, k = (random.standard_normal((1, 2, 256, 64)).astype(np.float32) for _ in range(2))
    cos, sin = (random.standard_normal((1, 256, 64)).astype(np.float32) for _ in range(2))
    return module.nki_apply_rotary_embedding[1, 2](q, k, cos, sin), np.stack([rotate_half(q, cos, sin), rotate_half(k, cos, sin)])


part_of("nki_apply_rotary_embedding", f"{TUTORIALS}/rotary/rotary_nki_kernels.py", "_nki_apply_rotary_embedding_core")


@driver(f"{TUTORIALS}/sd_attention/sd_attention_nki_kernels.py", "fused_self_attn_for_SD_small_head_size", tolerance=BF16)
def sd_attention(module: Any, random: np.random.Generator) -> Any:
    q, k, v = (random.uniform(0, 1, (512, 64)).astype(np.float32) for _ in range(3))
    return module.fused_self_attn_for_SD_small_head_size(q, k, v), attention(q, k, v, 0.125)


# -- contributed ------------------------------------------------------------------------------------------------------


@driver("contributed/interpolate_bilinear_fwd.py", "interpolate_bilinear_2x_fwd", tolerance=1e-4)
def bilinear(module: Any, random: np.random.Generator) -> Any:
    x = random.standard_normal((2, 128, 8, 8)).astype(np.float32)
    return module.interpolate_bilinear_2x_fwd(x), upsample_linear_2x(x, (2, 3))


@driver("contributed/interpolate_trilinear_fwd.py", "interpolate_trilinear_2x_fwd", tolerance=1e-4)
def trilinear(module: Any, random: np.random.Generator) -> Any:
    x = random.standard_normal((1, 128, 4, 4, 4)).astype(np.float32)
    return module.interpolate_trilinear_2x_fwd(x), upsample_linear_2x(x, (2, 3, 4))


@driver("contributed/maxpooling.py", "max_pooling_2d_stride_1")
def max_pooling(module: Any, random: np.random.Generator) -> Any:
    x = random.standard_normal((128, 128)).astype(np.float32)
    return module.max_pooling_2d_stride_1(x, 3), max_pool(x, 3)


@driver("contributed/matmul.py", "matmul")
def contributed_matmul(module: Any, random: np.random.Generator) -> Any:
    a, b = random.standard_normal((512, 512)).astype(np.float32), random.standard_normal((512, 512)).astype(np.float32)
    kernel = module.nki.baremetal()(module.matmul)
    return kernel(a, b, TILES_IN_BLOCK_K=2, TILES_IN_BLOCK_M=2, TILES_IN_BLOCK_N=1), wide(a).T @ wide(b)


@driver("contributed/pipelined_attention.py", "flash_fwd", tolerance=BF16)
def pipelined_attention(module: Any, random: np.random.Generator) -> Any:
    """Its file runs it, and compares, when it is imported: 16,384 by 16,384, the one shape that it is for."""
    q, k, v = (wide(each[0]) for each in (module.q, module.k, module.v))
    blocks = (q[:, first : first + 1024].T for first in range(0, q.shape[1], 1024))
    return module.o[0], np.concatenate([softmax(module.softmax_scale * block @ k) @ v for block in blocks])


# -- microscaling -----------------------------------------------------------------------------------------------------

MX = f"{TUTORIALS}/mxfp-matmul/mx_kernels.py"


def _packed(random: np.random.Generator, columns: int) -> Any:
    """128 rows of fp8 in fours, their scales (2 to the power of -2 to 2 for 8 rows each), and what they stand for [128, columns, 4]."""
    import ml_dtypes

    values = random.uniform(-2, 2, (128, columns, 4)).astype(ml_dtypes.float8_e5m2)
    exponents = random.integers(-2, 3, (16, columns))
    scales = np.repeat(2.0**exponents, 8, axis=0)[..., None]
    return values.view(np.uint32).reshape(128, columns), (exponents + 127).astype(np.uint8), wide(values) * scales


@driver(MX, "kernel_offline_quantized_mx_matmul", target="trn3", tolerance=BF16)
def mx_quantized_before(module: Any, random: np.random.Generator) -> Any:
    (a, a_scale, left), (b, b_scale, right) = _packed(random, 128), _packed(random, 512)
    got = module.kernel_offline_quantized_mx_matmul(a, a_scale, b, b_scale, module.nl.float8_e5m2_x4)
    return got, np.einsum("kmi,kni->mn", left, right)


@driver(MX, "kernel_on_device_quantize_matmul_mx", target="trn3", tolerance=FP8)
def mx_quantized_on_device(module: Any, random: np.random.Generator) -> Any:
    import ml_dtypes

    a, a_scale, left = _packed(random, 128)
    b = random.uniform(-2, 2, (128, 2048)).astype(ml_dtypes.bfloat16)
    got = module.kernel_on_device_quantize_matmul_mx(a, a_scale, b, module.nl.float8_e5m2_x4, module.nl.float8_e4m3fn_x4)
    return got, np.einsum("kmi,kni->mn", left, wide(b).reshape(128, 512, 4))


@driver(MX, "kernel_copy_strided_quantize_matmul_mx", target="trn3", tolerance=FP8, case="tensor_copy")
def mx_strided(module: Any, random: np.random.Generator, by_tensor_copy: bool = True) -> Any:
    import ml_dtypes

    a, b = (random.uniform(-2, 2, (512, columns)).astype(ml_dtypes.bfloat16) for columns in (128, 512))
    return module.kernel_copy_strided_quantize_matmul_mx(a, b, module.nl.float8_e4m3fn_x4, by_tensor_copy), wide(a).T @ wide(b)


@driver(MX, "kernel_copy_strided_quantize_matmul_mx", target="trn3", tolerance=FP8, case="dma_copy")
def mx_strided_by_dma(module: Any, random: np.random.Generator) -> Any:
    return mx_strided(module, random, False)
