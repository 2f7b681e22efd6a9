"""Microscaled (MX) numbers in plain NumPy: fp8 in fours under shared powers of two, and experts whose weights are such numbers."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Tuple

import numpy as np
from references import silu, wide

#: Partitions that share a scale, elements packed in one, partitions of a tile.
_HEIGHT, _WIDTH, _PARTITIONS = 8, 4, 128
#: Exponent of the largest float8_e4m3fn, 448 = 1.75 * 2**8.
_LARGEST_EXPONENT, _LARGEST = 8, 448.0
#: A scale of one.
_BIAS = 127


class Packed(NamedTuple):
    """Numbers in fours."""

    data: Any  # uint32 (fp8) or uint16 (fp4)
    scales: Any  # uint8, one for 8 along `axis`
    values: Any  # float64, a last axis of 4


class Experts(NamedTuple):
    """Weights as kernels take them (H and I folded into partitions, tiles and fours), and dense in float64."""

    gate_up: Packed  # [E, 128, 2, H/512, I]
    down: Packed  # [E, P, I/512, H]; P = 128, or I/4 when I < 512
    gate_up_bias: Any  # [E, P, 2, I/512, 4] bfloat16
    down_bias: Any  # [E, H] bfloat16
    dense_gate_up: Any  # [E, H, 2, I]
    dense_bias: Any  # [E, 2, I]
    dense_down: Any  # [E, I, H]


def packed(random: np.random.Generator, shape: Tuple[int, ...], axis: int, size: float, four_bits: bool = False) -> Packed:
    """Random numbers of about `size`; `axis`: the one that partitions become."""
    import ml_dtypes

    dtype = ml_dtypes.float4_e2m1fn if four_bits else ml_dtypes.float8_e4m3fn
    codes = random.standard_normal((*shape, _WIDTH)).astype(dtype)
    groups = tuple(extent // _HEIGHT if at == axis else extent for at, extent in enumerate(shape))
    scales = (random.integers(-1, 2, groups) + _BIAS + round(np.log2(size))).astype(np.uint8)
    values = wide(codes) * np.repeat(2.0 ** (wide(scales) - _BIAS), _HEIGHT, axis)[..., None]
    bits = codes.view(np.uint8)
    if four_bits:
        return Packed((bits.astype(np.uint16) << (4 * np.arange(_WIDTH, dtype=np.uint16))).sum(-1, dtype=np.uint16), scales, values)
    return Packed(bits.view(np.uint32)[..., 0], scales, values)


def rounded(x: Any, *axes: int) -> Any:
    """What is left of x after its quantization to float8_e4m3fn with one scale over `axes` (twice that of OCP's example: 2**(floor(log2(max)) - 7))."""
    import ml_dtypes

    largest = np.abs(x).max(axis=axes, keepdims=True)
    scale = 2.0 ** (np.floor(np.log2(np.where(largest > 0, largest, 1))) - _LARGEST_EXPONENT + 1)
    return wide(np.clip(x / scale, -_LARGEST, _LARGEST).astype(ml_dtypes.float8_e4m3fn)) * scale


def experts(random: np.random.Generator, count: int, hidden: int, intermediate: int, four_bits: bool = False) -> Experts:
    """`hidden` is a multiple of 512, `intermediate` too or less than 512 and a multiple of 32."""
    import ml_dtypes

    tiles, partitions = -(-intermediate // 512), min(_PARTITIONS, intermediate // _WIDTH)
    gate_up = packed(random, (count, _PARTITIONS, 2, hidden // 512, intermediate), 1, hidden**-0.5, four_bits)
    down = packed(random, (count, partitions, tiles, hidden), 1, intermediate**-0.5, four_bits)
    bias = (0.3 * random.standard_normal((count, partitions, 2, tiles, _WIDTH))).astype(ml_dtypes.bfloat16)
    return Experts(
        gate_up,
        down,
        bias,
        (0.3 * random.standard_normal((count, hidden))).astype(ml_dtypes.bfloat16),
        gate_up.values.transpose(0, 5, 3, 1, 2, 4).reshape(count, hidden, 2, intermediate),
        wide(bias).transpose(0, 2, 3, 4, 1).reshape(count, 2, intermediate),
        down.values.transpose(0, 2, 4, 1, 3).reshape(count, intermediate, hidden),
    )


def rounded_hidden(x: Any) -> Any:
    """[T, H] after the quantization in front of the first projections: H is (4, H/512, 16, 8)."""
    return rounded(wide(x).reshape(len(x), _WIDTH, -1, _HEIGHT), 1, 3).reshape(x.shape)


def rounded_inner(x: Any) -> Any:
    """[T, I] after the quantization in front of the second projection: I is (I/512, 4, P/8, 8)."""
    tiles = -(-x.shape[1] // 512)
    return rounded(wide(x).reshape(len(x), tiles, _WIDTH, -1, _HEIGHT), 2, 4).reshape(x.shape)


def inner(x: Any, case: Experts, e: int, limit: Optional[float] = None) -> Any:
    """silu(gate) * up of one expert, gate and up not beyond `limit` (up: nor below its negative)."""
    gate, up = (rounded_hidden(x) @ case.dense_gate_up[e, :, side] + case.dense_bias[e, side] for side in (0, 1))
    if limit is not None:
        gate, up = np.minimum(gate, limit), np.clip(up, -limit, limit)
    return silu(gate) * up


def mixture(x: Any, affinities: Any, case: Experts, limit: Optional[float] = None) -> Any:
    """Each token's experts weighted by its affinities [T, E]."""
    return sum(
        wide(affinities)[:, [e]] * (rounded_inner(inner(x, case, e, limit)) @ case.dense_down[e] + wide(case.down_bias)[e])
        for e in range(len(case.down_bias))
    )
