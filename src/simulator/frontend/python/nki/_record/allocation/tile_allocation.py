"""`nl.alloc_tiles`, `nl.alloc_blocks`: new tensors that are grids of tiles. `tile_grids.py` defines grids.

In HBM the tensor has its logical shape. On chip it is one tensor of [partitions of a tile, elements of all tiles per partition], in which
all tiles have their full size, also those at the edges.
"""

from __future__ import annotations

from typing import Any, Optional, Tuple

from ..tensors import tile_grids, views
from ..tensors.memory import MemoryRegion
from ..tensors.tile_grids import NkiBlockGrid, NkiTileGrid
from ..vocabulary import versions
from .ndarray import ndarray

Ints = Tuple[int, ...]


def alloc_tiles(
    *, tile_shape: Ints, element_shape: Ints, buffer: MemoryRegion, dtype: Any, address: Optional[Tuple[int, int]] = None, name: str = ""
) -> NkiTileGrid:
    """A new tensor, not initialised, as a grid of tiles. `address`: (partition, byte in each partition) of its first element."""
    tile, backing, extents = _allocated("nl.alloc_tiles", tile_shape, element_shape, buffer, dtype, address, name)
    return NkiTileGrid._of(backing, tile_grids.whole_axes(extents, tile), tile)


def alloc_blocks(
    *,
    tile_shape: Ints,
    block_shape: Ints,
    element_shape: Ints,
    buffer: MemoryRegion,
    dtype: Any,
    address: Optional[Tuple[int, int]] = None,
    name: str = "",
) -> NkiBlockGrid:
    """The same as a grid of blocks; the order of the tiles in memory is that of `alloc_tiles`."""
    tile_grids.checked_block_shape("alloc_blocks", tile_shape, block_shape)
    tile, backing, extents = _allocated("nl.alloc_blocks", tile_shape, element_shape, buffer, dtype, address, name)
    steps = tuple(extent * count for extent, count in zip(tile, block_shape))
    return NkiBlockGrid._of(backing, tile_grids.whole_axes(extents, steps), tile, tuple(block_shape))


def _allocated(
    function: str, tile_shape: Any, element_shape: Any, buffer: Any, dtype: Any, address: Any, name: str
) -> Tuple[Ints, Any, Ints]:
    versions.check(function.replace("nl.", "nki.language."))
    tile = tile_grids.checked_shape(function, "tile_shape", tile_shape)
    extents = tile_grids.checked_shape(function, "element_shape", element_shape)
    if not 2 <= len(tile) <= len(extents):
        raise ValueError(
            f"{function}: tile_shape {tile} has {len(tile)} entries; it takes 2 or more, and no more than element_shape {extents}"
        )
    if not isinstance(buffer, MemoryRegion):
        raise TypeError(f"{function}: buffer takes a memory, as nl.sbuf, not {type(buffer).__name__}")
    if buffer.space == "hbm":
        return tile, tile_grids.Plain(ndarray(extents, dtype, buffer, name, address)), extents
    counts = tuple(axis.count for axis in tile_grids.whole_axes(extents, tile))
    shape = (tile[0], views.elements(counts) * views.elements(tile[1:]))
    return tile, tile_grids.Packed(ndarray(shape, dtype, buffer, name, address), counts, tile), extents
