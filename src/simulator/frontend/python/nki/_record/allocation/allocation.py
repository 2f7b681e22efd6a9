"""New tensors: shape as the user wrote it to a storage and its first view. No instruction is recorded here."""

from __future__ import annotations

import itertools
from operator import index as as_index
from typing import Any, Dict, Sequence, Tuple

from ..checks import checks
from ..program import program
from ..tensors import views
from ..tensors.memory import Layout, MemoryRegion, Storage, StorageKind, full_layout, storage_kind
from ..tensors.strided import NkiTensor
from ..tensors.tensor import Tensor
from ..vocabulary import dtypes, table, versions
from ..vocabulary.context import context
from ..vocabulary.errors import NkiUnsupportedError, NkiValidationError
from . import traced
from .placement import Blocks, Placement, regular

Ints = Tuple[int, ...]

#: Of a partition of SBUF, for a tensor that stays whole: a quarter in every generation, since a kernel has several.
_WHOLE_BYTES = min(machine.limits["sbufPartitionBytes"] for machine in table.MACHINES.values()) // 4

#: What the columns of programs hold: 32 bits for an extent, exact doubles for offsets.
_MOST_EXTENT, _MOST_ELEMENTS = 2**31 - 1, 2**53


def allocate(
    shape: Sequence[Any],
    dtype: dtypes.Dtype,
    where: MemoryRegion,
    name: str,
    frame: int,
    address: float = -1,
    kind: int = 0,
    start_partition: int = 0,
) -> Tensor:
    """A new tensor. `shape` as the user wrote it: on chip the axis marked `nl.par_dim`, else the first, walks partitions.

    From another `start_partition` than 0 the storage has the partitions before it too, and the tensor is a view of the others.
    """
    sizes = tuple(_extent(extent, shape) for extent in shape)
    if not sizes or min(sizes) < 1:
        raise NkiValidationError(f"shape {sizes}: every extent must be at least 1")
    if max(sizes) > _MOST_EXTENT or views.elements(sizes) > _MOST_ELEMENTS:
        raise NkiValidationError(f"shape {sizes} of {name or 'a tensor'}: that is more than any memory of the machine holds")
    if dtype is dtypes.INT64:
        _check_int64(where)
    axis = _partition_axis(shape)
    if where.space == "hbm":
        stored = sizes
    else:
        checks.check_partitions(sizes, axis, f"{name or 'the tensor'} in {where.name}")
        stored = (start_partition + sizes[axis], *sizes[:axis], *sizes[axis + 1 :])
    number = program.state.tensors.add(where.space, dtype, stored, program.state.string(name), frame, kind, address)
    shared = storage_kind(where, dtype, stored)
    return NkiTensor(Storage(number, shared, name), full_layout(shared, sizes, axis), start_partition * shared.row_elements)


def _check_int64(where: MemoryRegion) -> None:
    if context.dialect != "nki":
        raise NkiUnsupportedError("tensors of int64 are of nki.language, since NKI 0.7: the legacy dialect has none")
    versions.check("nki.language.int64")
    if where.space == "psum":
        raise NkiValidationError("int64 in PSUM: TensorE and the other engines compute with 32 bits; use nl.sbuf or HBM")


def allocate_again(kind: StorageKind, layout: Layout, name: str, frame: int) -> Tensor:
    """A tensor like one that was allocated before: a whole one, placed by the allocator."""
    number = program.state.tensors.add(kind.space, kind.dtype, kind.shape, program.state.string(name), frame)
    return NkiTensor(Storage(number, kind, name), layout, 0)


def in_tiles(shape: Sequence[Any], dtype: dtypes.Dtype, where: Any) -> bool:
    """True for tensors whose block axes (those before the one marked `nl.par_dim`) are tiles with a life and a place each.

    Those that a kernel places by hand, all in PSUM, and the large ones in SBUF.
    """
    axis = _partition_axis(shape)
    if isinstance(where, Placement):
        return axis > 0 or not context.ignores_placements
    if axis == 0 or where.space == "hbm":
        return False
    whole = views.elements([int(extent) for at, extent in enumerate(shape) if at != axis]) * dtype.itemsize
    return where is MemoryRegion.psum or whole > _WHOLE_BYTES


def allocate_tiles(shape: Sequence[Any], dtype: dtypes.Dtype, where: Any, name: str, frame: int) -> Tensor:
    """A tensor of separate tiles. `where`: a memory, in which the allocator places each, or a placement."""
    axis = _partition_axis(shape)
    sizes = tuple(_extent(extent, shape) for extent in shape)
    blocks, tile = sizes[:axis], sizes[axis:]
    if isinstance(where, MemoryRegion) or context.ignores_placements:
        memory = where if isinstance(where, MemoryRegion) else where.memory
        places: Dict[Ints, Tuple[int, float]] = dict.fromkeys(itertools.product(*map(range, blocks)), (0, -1))
    else:
        memory, tile_bytes = where.memory, views.elements(tile[1:]) * dtype.itemsize
        found = traced.first(frame, lambda: where.addresses(blocks, tile[0], tile_bytes))
        whole = regular(found, tile_bytes)
        if whole is not None:
            return allocate(shape, dtype, memory, name, frame, whole[1], start_partition=whole[0])
        places = dict(found)
    tiles = {
        block: allocate(tile, dtype, memory, f"{name}[{', '.join(map(str, block))}]", frame, address, start_partition=start)
        for block, (start, address) in places.items()
    }
    return Blocks(tiles, sizes) if blocks else tiles[()]


def _extent(extent: Any, shape: Sequence[Any]) -> int:
    # The legacy compiler takes the quotient of a division without remainder.
    if isinstance(extent, float) and extent.is_integer() and context.dialect == "neuronxcc":
        return int(extent)
    try:
        return as_index(extent)
    except TypeError:
        advice = "; for a division use // instead of /" if isinstance(extent, float) else ""
        raise TypeError(f"shape {tuple(shape)}: an extent is a whole number, not {type(extent).__name__} {extent!r}{advice}") from None


def _partition_axis(shape: Sequence[Any]) -> int:
    return next((at for at, extent in enumerate(shape) if isinstance(extent, ParDim)), 0)


class ParDim(int):
    """An extent marked as the partition axis: `nl.par_dim(128)`. Not hashable: a shape with it never meets the look-up of known calls."""

    __hash__ = None  # type: ignore[assignment]
