"""`nl.tiles`, `nl.blocks`, `nl.alloc_tiles`, `nl.alloc_blocks`: tensors seen as grids of tiles, or of blocks of tiles. Views only.

A grid has an axis for each dimension of its tensor. Tiled axes count tiles (or blocks), the ones before them single elements. The last
tile of an axis is cut to the tensor. An integer index consumes its coordinate, and the grid stays a grid; `data` is the tensor to
compute with. Not in the visible part of AWS's text, and so chosen here: tiles on chip lie in row-major order, each with its full size; a
dimension without tiles that an integer selects is no longer part of `element_shape` and `data`; `data` of several rows of tiles on chip
is refused.
Source: nki.language.tiles, blocks, alloc_tiles, alloc_blocks, NkiGrid, NkiTileGrid, NkiBlockGrid of NKI 0.7.
"""

from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

from ..vocabulary import versions
from ..vocabulary.errors import NkiUnsupportedError
from ..vocabulary.objects import NKIObject
from ..vocabulary.register import VirtualRegister
from ..vocabulary.scalar import NkiScalar
from . import views
from .memory import MemoryRegion
from .tensor import Tensor

Ints = Tuple[int, ...]


class _Axis(NamedTuple):
    """What a grid selects of one dimension of its tensor. All but `count` and `stride` in elements."""

    #: What the machine adds to `start` and `end`: a scalar or register, or None.
    base: Any
    start: int
    #: Where the selected region ends: tiles are cut there.
    end: int
    #: Elements of one coordinate.
    step: int
    count: int
    #: Coordinates from one selected cell to the next.
    stride: int
    #: An integer has not consumed it.
    kept: bool
    tiled: bool

    @property
    def elements(self) -> int:
        """Number of selected elements, of the cut tile too."""
        if self.dense:
            return min(self.count * self.step, self.end - self.start)
        return sum(min(self.step, self.end - self.start - k * self.stride * self.step) for k in range(self.count))

    @property
    def dense(self) -> bool:
        """The selected elements follow each other."""
        return self.stride == 1 or self.count == 1

    @property
    def first(self) -> Any:
        """Position of the first selected element."""
        return self.start if self.base is None else self.base + self.start


def _whole(extent: int, step: int, tiled: bool) -> _Axis:
    return _over(_Axis(None, 0, extent, 1, extent, 1, True, tiled), step)


def whole_axes(extents: Sequence[int], steps: Sequence[int]) -> List[_Axis]:
    """All of a tensor: the last axes in steps of a cell, those before them without tiles."""
    lead = len(extents) - len(steps)
    return [_whole(extent, 1, False) for extent in extents[:lead]] + [_whole(*pair, True) for pair in zip(extents[lead:], steps)]


def _over(region: _Axis, step: int) -> _Axis:
    """The same elements in steps of another size."""
    length = region.elements
    return region._replace(end=region.start + length, step=step, count=-(-length // step), stride=1, kept=True)


class NkiGrid(NKIObject):
    """A view of a tensor in coordinates of tiles or blocks. Made by `nl.tiles` and its relatives only."""

    __slots__ = ("_backing", "_axes", "tile_shape")

    #: Who makes one.
    _makers = "nl.tiles(tensor, tile_shape=...) or nl.alloc_tiles(...)"

    def __init__(self, *given: Any, **named: Any) -> None:
        """Of the name that kernels have: it is there to ask for."""
        name = type(self).__name__
        raise TypeError(f"nl.{name}(...) makes no grid: use {self._makers}; {name} is for annotations and isinstance")

    @classmethod
    def _of(cls, backing: Any, axes: Sequence[_Axis], tile_shape: Ints) -> Any:
        """`backing`: what gives the tensor of a region, and has a dtype and a buffer."""
        self = cls.__new__(cls)
        self._backing = backing
        self._axes = tuple(axes)
        #: Elements of a tile that is not cut.
        self.tile_shape = tile_shape
        return self

    @property
    def shape(self) -> Ints:
        """Cells along each axis that no integer has consumed."""
        return tuple(axis.count for axis in self._axes if axis.kept)

    @property
    def element_shape(self) -> Ints:
        """Number of selected elements along each dimension."""
        return tuple(axis.elements for axis in self._axes if axis.kept or axis.tiled)

    @property
    def index_step_elements(self) -> Ints:
        """Elements from one coordinate to the next, along the axes of `shape`."""
        return tuple(axis.step * axis.stride for axis in self._axes if axis.kept)

    @property
    def is_remainder(self) -> bool:
        """True when the selection is smaller than its cells: the edge of the tensor cuts one."""
        return any(axis.elements < axis.count * axis.step for axis in self._axes)

    @property
    def dtype(self) -> Any:
        """Data type of the tensor."""
        return self._backing.tensor.dtype

    @property
    def buffer(self) -> MemoryRegion:
        """Memory of the tensor."""
        return self._backing.tensor.buffer

    @property
    def is_data_representable(self) -> bool:
        """True when one access pattern selects the elements, and so `data` exists."""
        return self._obstacle() is None

    @property
    def data(self) -> Tensor:
        """The selected elements as one tensor, of shape `element_shape`. NkiUnsupportedError when no access pattern selects them."""
        why = self._obstacle()
        if why is not None:
            raise NkiUnsupportedError(f"{self!r}.data: {why}; index the grid until it is one tile, or one run of them")
        return self._backing.region(self._axes)

    def _obstacle(self) -> Optional[str]:
        if not all(axis.dense for axis in self._axes):
            return "tiles with gaps between them are no single access pattern"
        return self._backing.obstacle(self._axes)

    def __getitem__(self, key: Any) -> Any:
        """Integers, slices, scalars and registers over the coordinates."""
        entries = views.expand_key(key, len(self.shape))
        if any(entry is None for entry in entries):
            raise IndexError("a grid takes no new axes: index its data")
        axes = list(self._axes)
        places = [at for at, axis in enumerate(axes) if axis.kept]
        for number, (at, entry) in enumerate(zip(places, entries)):
            axes[at] = _selected(axes[at], entry, number)
        return self._same(self._backing, axes)

    def _same(self, backing: Any, axes: Sequence[_Axis]) -> NkiGrid:
        return self._of(backing, axes, self.tile_shape)

    def __repr__(self) -> str:
        """Shape of the grid and of its tiles."""
        return f"{type(self).__name__}{list(self.shape)} of tiles {self.tile_shape}"


class NkiTileGrid(NkiGrid):
    """A grid whose cells are tiles."""

    __slots__ = ()


class NkiBlockGrid(NkiGrid):
    """A grid whose cells are blocks of tiles."""

    __slots__ = ("block_shape",)

    _makers = "nl.blocks(tensor, tile_shape=..., block_shape=...) or nl.alloc_blocks(...)"

    @classmethod
    def _of(cls, backing: Any, axes: Sequence[_Axis], tile_shape: Ints, block_shape: Ints) -> NkiBlockGrid:
        """`block_shape`: tiles of a block along each tiled axis."""
        self = super()._of(backing, axes, tile_shape)
        self.block_shape = block_shape
        return self

    def _same(self, backing: Any, axes: Sequence[_Axis]) -> NkiGrid:
        return NkiBlockGrid._of(backing, axes, self.tile_shape, self.block_shape)


def _selected(axis: _Axis, entry: Any, number: int) -> _Axis:
    """An axis by one entry of a subscript; `number`: of the coordinate, for messages."""
    if isinstance(entry, (NkiScalar, VirtualRegister)):
        return _at_runtime(axis, entry, number)
    if not axis.tiled and isinstance(entry, slice) and entry != slice(None):
        raise IndexError(f"coordinate {number} has no tiles: index it by one integer, or take all of it with ':'")
    first, count, step = views.take(axis.count, 1, entry, number)
    start = axis.start + first * axis.stride * axis.step
    kept = isinstance(entry, slice)
    made = axis._replace(start=start, count=count if kept else 1, stride=axis.stride * (step if kept else 1), kept=kept)
    last = start + ((made.count - 1) * made.stride + 1) * made.step
    return made._replace(end=min(axis.end, last))


def _at_runtime(axis: _Axis, entry: Any, number: int) -> _Axis:
    """A coordinate that the machine computes: it cannot cut a tile."""
    if (axis.end - axis.start) % axis.step:
        raise NkiUnsupportedError(
            f"coordinate {number}: the last tile is cut at {axis.end} elements; a register or NkiScalar selects among whole tiles only"
        )
    moved = entry * (axis.stride * axis.step)
    base = moved if axis.base is None else axis.base + moved
    return axis._replace(base=base, end=axis.start + axis.step, count=1, kept=False)


# -- where the elements are -------------------------------------------------------------------------------------------


class Plain:
    """A tensor as it lies in memory."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: Tensor) -> None:
        """Of any memory."""
        self.tensor = tensor

    def obstacle(self, axes: Sequence[_Axis]) -> Optional[str]:
        """Every region is one access pattern."""
        return None

    def region(self, axes: Sequence[_Axis]) -> Tensor:
        """The tensor of a dense selection."""
        return self.tensor[tuple(_key(axis) for axis in axes)]


def _key(axis: _Axis) -> Any:
    first = axis.first
    return slice(first, first + axis.elements) if axis.kept or axis.tiled else first


class Packed:
    """Tiles side by side in the free dimension of one [partitions, capacity] tensor on chip."""

    __slots__ = ("tensor", "_counts", "_tile")

    def __init__(self, tensor: Tensor, counts: Ints, tile: Ints) -> None:
        """`counts`: of the cells along every axis; `tile`: elements of one along the tiled axes."""
        self.tensor = tensor
        self._counts = counts
        self._tile = tile

    def obstacle(self, axes: Sequence[_Axis]) -> Optional[str]:
        """Why no access pattern that AWS's text describes selects the region."""
        tiled = [axis for axis in axes if axis.tiled]
        several = [axis for axis, extent in zip(tiled, self._tile) if axis.elements > extent]
        row = len(tiled) == 2 and several == [tiled[1]] or not several
        if not row or any(axis.kept and axis.count > 1 for axis in axes if not axis.tiled):
            return "AWS's documents do not say what shape several rows of tiles on chip have as one operand"
        return None

    def region(self, axes: Sequence[_Axis]) -> Tensor:
        """The tensor of a tile, or of tiles of one row."""
        lead = len(axes) - len(self._tile)
        number: Any = 0
        inside: List[Any] = []
        for at, (axis, count) in enumerate(zip(axes, self._counts)):
            extent = 1 if at < lead else self._tile[at - lead]
            cell, rest = divmod(axis.start, extent)
            if axis.base is not None:  # a whole number of tiles: the coordinate times the extent
                cell = _cells(axis.base, extent) + cell
            number = number * count + cell
            if at >= lead:
                inside.append(slice(rest, rest + axis.elements))
        free = views.elements(self._tile[1:])
        if len(self._tile) == 2:
            first = number * free + inside[1].start
            return self.tensor[inside[0], slice(first, first + axes[-1].elements)]
        first = number * free
        tile = self.tensor[:, slice(first, first + free)].reshape((self.tensor.shape[0], *self._tile[1:]))
        return tile[tuple(inside)]


def _cells(base: Any, extent: int) -> Any:
    """A runtime position that is a multiple of the extent, in tiles: the machine's integers do not divide."""
    value = base._value if isinstance(base, NkiScalar) else int(base)
    return type(base)(value // extent)


# -- the functions users call -----------------------------------------------------------------------------------------


def tiles(source: Any, *, tile_shape: Optional[Ints] = None) -> NkiTileGrid:
    """A tensor, or what a grid selects, as a grid of tiles. `tile_shape` may be left out for grids."""
    shape = _tile_shape("tiles", source, tile_shape)
    backing, axes = _stepped("tiles", source, shape, shape)
    return NkiTileGrid._of(backing, axes, shape)


def blocks(source: Any, *, tile_shape: Optional[Ints] = None, block_shape: Ints) -> NkiBlockGrid:
    """A tensor, or what a grid selects, as a grid of blocks, each of `block_shape` tiles."""
    shape = _tile_shape("blocks", source, tile_shape)
    grouped = checked_block_shape("blocks", shape, block_shape)
    backing, axes = _stepped("blocks", source, shape, tuple(extent * count for extent, count in zip(shape, grouped)))
    return NkiBlockGrid._of(backing, axes, shape, grouped)


def checked_shape(function: str, name: str, given: Any) -> Ints:
    """A tuple of positive integers. TypeError and ValueError as AWS's."""
    if not isinstance(given, tuple) or not all(type(extent) is int for extent in given):
        raise TypeError(f"{function}: {name} takes a tuple of integers, not {given!r}")
    if min(given, default=0) < 1:
        raise ValueError(f"{function}: every entry of {name} must be at least 1, not {given}")
    return tuple(given)


def _tile_shape(function: str, source: Any, given: Any) -> Ints:
    versions.check(f"nki.language.{function}")
    if not isinstance(source, (Tensor, NkiGrid)):
        raise TypeError(f"nl.{function}: source takes a tensor or a grid, not {type(source).__name__}")
    if given is None and isinstance(source, Tensor):
        raise ValueError(f"nl.{function}: tile_shape may be left out only where source is a grid")
    shape = source.tile_shape if given is None else checked_shape(f"nl.{function}", "tile_shape", given)
    if not 2 <= len(shape) <= len(source.shape if isinstance(source, Tensor) else source._axes):
        raise ValueError(
            f"nl.{function}: tile_shape {shape} has {len(shape)} entries; it takes 2 or more, and no more than source has axes"
        )
    if isinstance(source, Tensor) and source.buffer.space != "hbm" and len(shape) != source.ndim:
        raise ValueError(f"nl.{function}: tile_shape {shape} must have an entry for each axis of source {source.shape}, which is on chip")
    return shape


def checked_block_shape(function: str, tile_shape: Ints, given: Any) -> Ints:
    """Tiles of a block, a number for each entry of `tile_shape`."""
    shape = checked_shape(f"nl.{function}", "block_shape", given)
    if len(shape) != len(tile_shape):
        raise ValueError(f"nl.{function}: block_shape {shape} must have as many entries as tile_shape {tile_shape}")
    return shape


def _stepped(function: str, source: Any, tile_shape: Ints, steps: Ints) -> Tuple[Any, List[_Axis]]:
    """The axes of a source in steps of a cell's elements."""
    if isinstance(source, Tensor):
        return Plain(source), whole_axes(source.shape, steps)
    if not all(axis.dense for axis in source._axes):
        raise NkiUnsupportedError(f"nl.{function}: source selects tiles with gaps between them, which cannot be grouped again")
    if tile_shape != source.tile_shape and (isinstance(source._backing, Packed) or len(tile_shape) != len(source.tile_shape)):
        raise NkiUnsupportedError(f"nl.{function}: tile_shape {tile_shape} is not that of source, {source.tile_shape}")
    cells = iter(steps)
    return source._backing, [_over(axis, next(cells)) if axis.tiled else axis for axis in source._axes]
