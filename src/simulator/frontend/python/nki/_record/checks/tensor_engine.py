"""Rules for the operands of TensorE, and for the MX types that it multiplies: one function per semantics.

Source: aws-neuron-sdk nki/api/nki/isa/__init__.py, the page of each function; nki/guides/architecture.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Sequence

from ..tensors import views
from ..tensors.memory import Layout
from ..vocabulary import table
from ..vocabulary.context import context
from ..vocabulary.errors import NkiValidationError
from ..vocabulary.table import Row

Layouts = Dict[str, Layout]
Attributes = Dict[str, Any]

#: Dtypes that TensorE multiplies; the legacy compiler casts other tiles.
_MULTIPLIED = ("float8_e4m3", "float8_e5m2", "float8_e4m3fn", "bfloat16", "float16", "tfloat32", "float32")
_FP8 = ("float8_e4m3", "float8_e5m2", "float8_e4m3fn")


def _check_matmul(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    dst, stationary, moving = (layouts[name] for name in ("dst", "stationary", "moving"))
    doubled = attributes.get("perf_mode") == "double_row"
    if doubled:
        _check_double_row(row, layouts, attributes, generation)
    _check_float_pair(row, stationary, moving, generation)
    columns, width = (layout.shape[2:] if doubled else layout.shape[1:] for layout in (stationary, moving))
    _check_free(row, "stationary", columns, table.STATIONARY_FREE, "gemm_stationary_fmax")
    widest = table.LIMITS["widestMovingFree"]
    banks = widest // table.MOVING_FREE
    _check_free(row, "moving", width, widest * (2 if dst.dtype == "bfloat16" and banks > 1 else 1), "gemm_moving_fmax")
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
    if not table.has(generation, "doubleRowMatmul"):
        having = table.targets_with("doubleRowMatmul")
        raise NkiValidationError(f"{row.name}: perf_mode=double_row is not available on NeuronCore-{generation}; it is on {having}")
    for name in ("stationary", "moving"):
        layout = layouts[name]
        if layout.ndim < 3 or layout.shape[1] != 2:
            raise NkiValidationError(f"{row.name}: perf_mode=double_row takes {name} of shape [K, 2, ...], not {layout.shape}")
        if str(layout.dtype) not in _FP8:
            raise NkiValidationError(f"{row.name}: perf_mode=double_row takes {' or '.join(_FP8)}; {name} is {layout.dtype}")
    if tuple(attributes.get("tile_size") or (0, table.PARTITIONS))[1] != table.PARTITIONS:
        raise NkiValidationError(f"{row.name}: perf_mode=double_row and column tiling (tile_size) exclude each other")


def _check_float_pair(row: Row, stationary: Layout, moving: Layout, generation: str) -> None:
    """Which float types go together."""
    kinds = [str(stationary.dtype), str(moving.dtype)]
    if context.dialect == "nki":
        for name, kind in zip(("stationary", "moving"), kinds):
            if kind not in _MULTIPLIED:
                raise NkiValidationError(f"{row.name}: {name} is {kind}; it takes {' or '.join(_MULTIPLIED)}")
    if "float8_e4m3fn" in kinds:
        if not table.has(generation, "float8E4m3fnMatmul"):
            having = table.targets_with("float8E4m3fnMatmul")
            raise NkiValidationError(f"{row.name}: float8_e4m3fn is not available on NeuronCore-{generation}; it is on {having}")
        if "float8_e4m3" in kinds:
            raise NkiValidationError(f"{row.name}: float8_e4m3 and float8_e4m3fn do not mix in one matmul")


def _check_array_tile(row: Row, attributes: Attributes, rows: int, columns: int, generation: str) -> None:
    """`tile_position` and `tile_size`: a part of the processing elements."""
    position, size = attributes.get("tile_position"), attributes.get("tile_size")
    if (position is None) != (size is None):
        raise NkiValidationError(f"{row.name}: tile_position and tile_size must both be set")
    if position is None or size is None:
        return
    allowed = table.LIMITS["arrayTileSizes"]
    for name, start, extent, used in zip(("row", "column"), position, size, (rows, columns)):
        if extent not in allowed:
            raise NkiValidationError(f"{row.name}: {name} tile size {extent}; NeuronCore-{generation} has {', '.join(map(str, allowed))}")
        if start % extent or start + extent > table.PARTITIONS:
            raise NkiValidationError(
                f"{row.name}: {name} tile position {start} is not a multiple of the tile size {extent} below {table.PARTITIONS}"
            )
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
    if row.name.startswith("nki.isa.") and context.dialect == "nki":  # the legacy compiler copies to where it must be
        engine = attributes.get("engine", "unknown")
        _check_transposed(row, dst, source, engine == "Tensor" or (engine == "unknown" and max(partitions, free) > side))
    if attributes.get("engine") == "Vector" and (partitions > side or free > side) and context.dialect == "nki":
        raise NkiValidationError(f"{row.name}: the Vector engine transposes up to {side} x {side}; this tile is {partitions} x {free}")
    if row.name.startswith("nki.language.") and source.ndim > 2 and context.dialect == "neuronxcc":
        raise NkiValidationError(f"{row.name}: x of shape {source.shape} has {source.ndim} axes; the most is 2")
    if free > table.PARTITIONS:
        raise NkiValidationError(f"{row.name}: {free} free elements become partitions; there are {table.PARTITIONS}")
    if (dst.shape[0], views.elements(dst.shape[1:])) != (free, partitions):
        raise NkiValidationError(f"{row.name}: dst has shape {dst.shape}; the transpose of {source.shape} has {(free, partitions)}")


def _check_transposed(row: Row, dst: Layout, source: Layout, by_tensor: bool) -> None:
    """TensorE's way. The text asks for one dtype as well, but published kernels (autocomp's attention) cast on the way into PSUM."""
    if by_tensor and (dst.space, source.space) != ("psum", "sbuf"):
        side = table.LIMITS["vectorTransposeSide"]
        raise NkiValidationError(
            f"{row.name}: data {source.shape} is in {source.space.upper()} and dst in {dst.space.upper()}; "
            f"the Tensor engine, which alone transposes more than {side} x {side}, reads SBUF and writes PSUM"
        )


def _check_matmul_mx(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    dst, stationary, moving = (layouts[name] for name in ("dst", "stationary", "moving"))
    if stationary.shape[0] != moving.shape[0]:
        raise NkiValidationError(f"{row.name}: stationary has {stationary.shape[0]} partitions, moving {moving.shape[0]}")
    columns, width = views.elements(stationary.shape[1:]), views.elements(moving.shape[1:])
    _check_free(row, "stationary", [columns], table.STATIONARY_FREE, "gemm_stationary_fmax")
    _check_bank(row, dst, table.LIMITS["psumBanks"])
    _check_array_tile(row, attributes, stationary.shape[0], columns, generation)
    if tuple(attributes.get("tile_size") or (0, table.PARTITIONS))[1] != table.PARTITIONS:
        raise NkiValidationError(f"{row.name}: tile_size[1] must be {table.PARTITIONS}: MX matmuls tile rows only")
    for data, scale in (("stationary", "stationary_scale"), ("moving", "moving_scale")):
        _check_scales(row, data, layouts[data], scale, layouts[scale], views.elements(layouts[data].shape[1:]))
    if (dst.shape[0], views.elements(dst.shape[1:])) != (columns, width):
        raise NkiValidationError(f"{row.name}: dst has shape {dst.shape}; stationary.T @ moving has {(columns, width)}")


def _check_scales(row: Row, data: str, tile: Layout, name: str, scale: Layout, columns: int) -> None:
    """One scale for 8 partitions, in the first 4 partitions of each quadrant."""
    quadrant = table.LIMITS["quadrantPartitions"]
    least = quadrant * (tile.shape[0] // quadrant - 1) + 4
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


#: By semantics of the row.
CHECKS: Dict[str, Callable[[Row, Layouts, Attributes, str], None]] = {
    "matmul": _check_matmul,
    "matmul2d": _check_matmul2d,
    "matmulMx": _check_matmul_mx,
    "quantizeMx": _check_quantize,
    "transpose": _check_transpose,
}
