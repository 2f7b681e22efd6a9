"""What one kind of instruction asks of its operands together, beyond the rules of every row: one function per semantics.

Rules of one operand by itself are the row's; simple rules of two are data in `isa/constraints.ts`.

Source: aws-neuron-sdk nki/api/nki/isa/__init__.py, the page of each function; nki/guides/architecture.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Sequence

from . import table, views
from .context import context
from .errors import NkiValidationError
from .memory import Layout
from .table import Row

Layouts = Dict[str, Layout]
Attributes = Dict[str, Any]

_FP8 = ("float8_e4m3", "float8_e5m2", "float8_e4m3fn")


# -- TensorE ----------------------------------------------------------------------------------------------------------


def _check_matmul(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    dst, stationary, moving = (layouts[name] for name in ("dst", "stationary", "moving"))
    doubled = attributes.get("perf_mode") == "double_row"
    if doubled:
        _check_double_row(row, layouts, attributes, generation)
    _check_float_pair(row, stationary, moving, generation)
    columns, width = (layout.shape[2:] if doubled else layout.shape[1:] for layout in (stationary, moving))
    _check_free(row, "stationary", columns, table.STATIONARY_FREE, "gemm_stationary_fmax")
    banks = table.LIMITS["psumBanks"] if generation == "v4" else 1
    _check_free(row, "moving", width, table.MOVING_FREE * banks * (2 if dst.dtype == "bfloat16" and banks > 1 else 1), "gemm_moving_fmax")
    _check_bank(row, dst, banks)
    if stationary.shape[0] != moving.shape[0]:
        raise NkiValidationError(
            f"{row.name}: stationary {stationary.shape} and moving {moving.shape} must have the same partition axis, the contraction K"
        )
    _check_array_tile(row, attributes, stationary.shape[0], views.elements(columns), generation)
    wanted = (views.elements(columns), views.elements(width))
    if (dst.shape[0], views.elements(dst.shape[1:])) != wanted:
        raise NkiValidationError(f"{row.name}: dst has shape {dst.shape}; stationary.T @ moving has {wanted}")


def _check_double_row(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    if generation == "v2":
        raise NkiValidationError(f"{row.name}: perf_mode=double_row is not available on NeuronCore-v2; it is on trn2, trn3")
    for name in ("stationary", "moving"):
        layout = layouts[name]
        if layout.ndim < 3 or layout.shape[1] != 2:
            raise NkiValidationError(f"{row.name}: perf_mode=double_row takes {name} of shape [K, 2, ...], not {layout.shape}")
        if str(layout.dtype) not in _FP8:
            raise NkiValidationError(f"{row.name}: perf_mode=double_row takes {' or '.join(_FP8)}; {name} is {layout.dtype}")
    if tuple(attributes.get("tile_size") or (128, 128))[1] != 128:
        raise NkiValidationError(f"{row.name}: perf_mode=double_row and column tiling (tile_size) exclude each other")


def _check_float_pair(row: Row, stationary: Layout, moving: Layout, generation: str) -> None:
    """Which float types go together."""
    kinds = [str(stationary.dtype), str(moving.dtype)]
    if "float8_e4m3fn" in kinds:
        if generation != "v4":
            raise NkiValidationError(f"{row.name}: float8_e4m3fn is not available on NeuronCore-{generation}; it is on trn3")
        if "float8_e4m3" in kinds:
            raise NkiValidationError(f"{row.name}: float8_e4m3 and float8_e4m3fn do not mix in one matmul")


def _check_array_tile(row: Row, attributes: Attributes, rows: int, columns: int, generation: str) -> None:
    """`tile_position` and `tile_size`: a part of the 128 x 128 processing elements."""
    position, size = attributes.get("tile_position"), attributes.get("tile_size")
    if (position is None) != (size is None):
        raise NkiValidationError(f"{row.name}: tile_position and tile_size must both be set")
    if position is None or size is None:
        return
    allowed = (64, 128) if generation == "v2" else (32, 64, 128)
    for name, start, extent, used in zip(("row", "column"), position, size, (rows, columns)):
        if extent not in allowed:
            raise NkiValidationError(f"{row.name}: {name} tile size {extent}; NeuronCore-{generation} has {', '.join(map(str, allowed))}")
        if start % extent or start + extent > table.PARTITIONS:
            raise NkiValidationError(f"{row.name}: {name} tile position {start} is not a multiple of the tile size {extent} below 128")
        if used > extent:
            raise NkiValidationError(f"{row.name}: the stationary tile takes {used} {name}s; tile_size allows {extent}")


def _check_matmul2d(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    x, y = layouts["x"], layouts["y"]
    _check_free(row, "x", x.shape[1:], table.STATIONARY_FREE, "gemm_stationary_fmax")
    _check_free(row, "y", y.shape[1:], table.MOVING_FREE, "gemm_moving_fmax")
    _check_bank(row, layouts["dst"])


def _check_free(row: Row, name: str, free: Sequence[int], limit: int, constant: str) -> None:
    size = views.elements(free)
    if size > limit:
        raise NkiValidationError(f"{row.name}: {name} has {size} free elements; the most is {limit}, nl.tile_size.{constant}")


def _check_bank(row: Row, dst: Layout, banks: int = 1) -> None:
    size = views.elements(dst.shape[1:]) * dst.dtype.itemsize
    if size > table.PSUM_BANK_BYTES * banks:
        raise NkiValidationError(
            f"{row.name}: dst {list(dst.shape)} {dst.dtype} takes {size} bytes of every partition; a PSUM bank has {table.PSUM_BANK_BYTES}"
        )


def _check_transpose(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    dst, source = (layouts[operand.name] for operand in row.operands)
    partitions, free = source.shape[0], views.elements(source.shape[1:])
    side = table.LIMITS["vectorTransposeSide"]
    if row.name == "nki.isa.nc_transpose" and context.dialect == "nki":  # the legacy compiler casts, and copies to where it must be
        engine = attributes.get("engine", "unknown")
        _check_transposed(row, dst, source, engine == "Tensor" or (engine == "unknown" and max(partitions, free) > side))
    if attributes.get("engine") == "Vector" and (partitions > side or free > side):
        raise NkiValidationError(f"{row.name}: the Vector engine transposes up to {side} x {side}; this tile is {partitions} x {free}")
    if free > table.PARTITIONS:
        raise NkiValidationError(f"{row.name}: {free} free elements become partitions; there are {table.PARTITIONS}")
    if (dst.shape[0], views.elements(dst.shape[1:])) != (free, partitions):
        raise NkiValidationError(f"{row.name}: dst has shape {dst.shape}; the transpose of {source.shape} has {(free, partitions)}")


def _check_transposed(row: Row, dst: Layout, source: Layout, by_tensor: bool) -> None:
    if dst.dtype != source.dtype:
        raise NkiValidationError(f"{row.name}: dst is {dst.dtype} and data {source.dtype}; a transpose does not cast")
    if by_tensor and (dst.space, source.space) != ("psum", "sbuf"):
        raise NkiValidationError(
            f"{row.name}: data {source.shape} is in {source.space.upper()} and dst in {dst.space.upper()}; the Tensor engine, which alone "
            f"transposes more than {table.LIMITS['vectorTransposeSide']} x {table.LIMITS['vectorTransposeSide']}, reads SBUF and writes PSUM"
        )


def _check_matmul_mx(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    dst, stationary, moving = (layouts[name] for name in ("dst", "stationary", "moving"))
    if stationary.shape[0] != moving.shape[0]:
        raise NkiValidationError(f"{row.name}: stationary has {stationary.shape[0]} partitions, moving {moving.shape[0]}")
    columns, width = views.elements(stationary.shape[1:]), views.elements(moving.shape[1:])
    _check_free(row, "stationary", [columns], table.STATIONARY_FREE, "gemm_stationary_fmax")
    _check_bank(row, dst, table.LIMITS["psumBanks"])
    _check_array_tile(row, attributes, stationary.shape[0], columns, generation)
    if tuple(attributes.get("tile_size") or (128, 128))[1] != 128:
        raise NkiValidationError(f"{row.name}: tile_size[1] must be 128: MX matmuls tile rows only")
    for data, scale in (("stationary", "stationary_scale"), ("moving", "moving_scale")):
        _check_scales(row, data, layouts[data], scale, layouts[scale], views.elements(layouts[data].shape[1:]))
    if (dst.shape[0], views.elements(dst.shape[1:])) != (columns, width):
        raise NkiValidationError(f"{row.name}: dst has shape {dst.shape}; stationary.T @ moving has {(columns, width)}")


def _check_scales(row: Row, data: str, tile: Layout, name: str, scale: Layout, columns: int) -> None:
    """One scale for 8 partitions, in the first 4 partitions of each quadrant of 32."""
    quadrants = tile.shape[0] // 32
    least = 32 * (quadrants - 1) + 4
    if scale.shape[0] < least or views.elements(scale.shape[1:]) != columns:
        raise NkiValidationError(
            f"{row.name}: {name} has shape {scale.shape}; the scales of {data} {tile.shape} take at least {(least, columns)}"
        )


def _check_quantize(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    dst, src = layouts["dst"], layouts["src"]
    free = views.elements(src.shape[1:])
    if (dst.shape[0], views.elements(dst.shape[1:])) != (src.shape[0], free // 4):
        raise NkiValidationError(f"{row.name}: dst has shape {dst.shape}; four elements of src {src.shape} go into one")
    _check_scales(row, "src", src, "dst_scale", layouts["dst_scale"], free // 4)


# -- Vector, Scalar, GpSimd -------------------------------------------------------------------------------------------

def _check_activation(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    if generation == "v2" and attributes.get("bias") and "bias" not in row.fixed:
        raise NkiValidationError(
            f"{row.name}: a number as bias is not available on NeuronCore-v2 (it is on trn2, trn3): give a [P, 1] tile"
        )
    scale = layouts.get("scale")
    if scale is not None and str(scale.dtype) != "float32":
        raise NkiValidationError(f"{row.name}: scale is {scale.dtype}; it takes float32")
    bias = layouts.get("bias")
    if bias is not None and str(bias.dtype) == "tfloat32":
        raise NkiValidationError(f"{row.name}: bias is tfloat32; it takes any other dtype")
    if generation == "v2" and attributes.get("reduce_op", "add") != "add":
        raise NkiValidationError(f"{row.name}: reduce_op={attributes['reduce_op']}; NeuronCore-v2 reduces with add only")


def _check_range_select(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    if attributes["on_false_value"] > -3.4028e38:
        raise NkiValidationError(f"{row.name}: on_false_value={attributes['on_false_value']}; the hardware knows the lowest float32 only")


def _check_affine_select(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    if "pattern" not in attributes:
        return
    counts = [count for _, count in attributes["pattern"]]
    free = views.elements(layouts["dst"].shape[1:])
    if views.elements(counts) != free:
        raise NkiValidationError(
            f"{row.name}: pattern has {views.elements(counts)} elements; dst {layouts['dst'].shape} has {free} per partition"
        )


def _check_load(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    """`load_reduce` starts from a value that must be given; nothing else takes one."""
    initial = "imm1" if row.semantics == "cumulative" else "reduce_init"
    command = attributes.get("reduce_cmd")
    if command == "load_reduce" and initial not in attributes and initial not in layouts:
        raise NkiValidationError(f"{row.name}: reduce_cmd=load_reduce needs {initial}")
    if command != "load_reduce" and initial == "reduce_init" and (initial in layouts or attributes.get(initial)):
        raise NkiValidationError(f"{row.name}: {initial} is for reduce_cmd=load_reduce, not for {command}")


def _check_dropout(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    data, probability = layouts.get("data"), layouts.get("prob")
    if data is None or probability is None:
        return
    kinds = ["float32"] if data.dtype.kind == "int" else ["float"]
    if str(probability.dtype) not in kinds and probability.dtype.kind not in kinds:
        raise NkiValidationError(f"{row.name}: prob is {probability.dtype}; with data of {data.dtype} it takes {kinds[0]}")


def _check_fill(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    dst = layouts["dst"]
    if dst.dtype.kind == "packed" and attributes.get("value"):
        raise NkiValidationError(f"{row.name}: dst is {dst.dtype}; packed elements are filled with 0 only, not {attributes['value']}")


def _check_bn_aggr(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    free = views.elements(layouts["data"].shape[1:])
    if free % 3:
        raise NkiValidationError(
            f"{row.name}: data has {free} elements per partition; (count, mean, variance * count) take a multiple of 3"
        )


def _check_nonzero(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    dst, src = layouts["dst"], layouts["src"]
    if dst.shape[0] != src.shape[0] or views.elements(dst.shape[1:]) != views.elements(src.shape[1:]) + 1:
        raise NkiValidationError(f"{row.name}: dst has shape {dst.shape}; it takes one element per partition more than src {src.shape}")


def _check_topk(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    values, indices, src, n = layouts["val_dst"], layouts["idx_dst"], layouts["src"], attributes["n"]
    if not 8 <= n < 65536:
        raise NkiValidationError(f"{row.name}: n={n}; it takes 8 to 65535")
    if views.elements(src.shape[1:]) * 16 < n:
        raise NkiValidationError(f"{row.name}: n={n} values over 16 partitions need {-(-n // 16)} columns; src {src.shape} has fewer")
    wanted = (src.shape[0], views.elements(values.shape[1:]))
    if wanted[1] > n or values.shape[0] != wanted[0] or (indices.shape[0], views.elements(indices.shape[1:])) != wanted:
        raise NkiValidationError(
            f"{row.name}: val_dst {values.shape} and idx_dst {indices.shape}; both take [{src.shape[0]}, K] with K <= n"
        )


BY_SEMANTICS: Dict[str, Callable[[Row, Layouts, Attributes, str], None]] = {
    "activation": _check_activation,
    "affineSelect": _check_affine_select,
    "bnAggr": _check_bn_aggr,
    "cumulative": _check_load,
    "dropout": _check_dropout,
    "exponential": _check_load,
    "fill": _check_fill,
    "matmul": _check_matmul,
    "matmul2d": _check_matmul2d,
    "matmulMx": _check_matmul_mx,
    "nonzeroWithCount": _check_nonzero,
    "quantizeMx": _check_quantize,
    "rangeSelect": _check_range_select,
    "tensorScalarReduce": _check_load,
    "topk": _check_topk,
    "transpose": _check_transpose,
}
