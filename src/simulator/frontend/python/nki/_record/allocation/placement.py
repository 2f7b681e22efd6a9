"""Manual allocation of the legacy dialect: `nki.compiler.{sbuf,psum}.{alloc, mod_alloc, auto_alloc}` as `buffer=` of a tensor.

A tensor of shape (B..., P, F...) is B logical tiles. A placement gives the start of each physical tile. Tiles may share an address, which
is the purpose of modulo allocation. `compile/` checks that two such tiles are not in use at the same time.
Source: aws-neuron-sdk nki/nki_direct_allocation_guide.rst and nki/api/nki/compiler/{sbuf,psum}.py at 1db4d74e.
"""

from __future__ import annotations

import inspect
import itertools
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

from ..tensors import views
from ..tensors.index import Index
from ..tensors.memory import Layout, MemoryRegion
from ..tensors.tensor import Tensor
from ..vocabulary import table
from ..vocabulary.dtypes import Dtype
from ..vocabulary.errors import NkiValidationError
from .filling import Fill

Ints = Tuple[int, ...]

#: (block index, partitions of a tile, bytes of a tile per partition) -> (start partition, byte address in each partition).
Place = Callable[[Ints, int, int], Tuple[int, int]]


def _starts(partitions: int) -> Tuple[int, ...]:
    """Partitions at which a tile of so many may start."""
    quadrant, most = table.LIMITS["quadrantPartitions"], table.PARTITIONS
    grain = quadrant if partitions <= quadrant else most // 2 if partitions <= most // 2 else most
    return tuple(range(0, most, grain))


class Placement:
    """A `buffer=` that gives the address of each logical tile."""

    def __init__(self, memory: MemoryRegion, place: Place) -> None:
        """`place` is called once for each logical tile."""
        self.memory = memory
        self._place = place

    def addresses(self, blocks: Sequence[int], partitions: int, tile_bytes: int) -> Dict[Ints, Tuple[int, int]]:
        """(start partition, byte address) of every block. NkiValidationError for places that a tile cannot start at."""
        found = {}
        for block in itertools.product(*map(range, blocks)):
            place = self._place(block, partitions, tile_bytes)
            _check(self.memory, block, place, partitions, tile_bytes)
            found[block] = place
        return found


def _check(memory: MemoryRegion, block: Ints, place: Tuple[int, int], partitions: int, tile_bytes: int) -> None:
    start, address = place
    tile = f"tile {block} ({partitions} partitions of {tile_bytes} bytes)" if block else f"the tile ({partitions} partitions)"
    starts = _starts(partitions)
    if start not in starts:
        raise NkiValidationError(f"{tile} cannot start at partition {start}: one of {', '.join(map(str, starts))}")
    align = table.LIMITS["psumMinAlignBytes" if memory is MemoryRegion.psum else "sbufMinAlignBytes"]
    if address < 0 or address % align:
        raise NkiValidationError(f"{tile} cannot start at byte {address}: addresses are multiples of {align}, from 0")


# -- the functions users call -----------------------------------------------------------------------------------------


def sbuf_alloc(func: Callable[[Ints, int, int], Any]) -> Placement:
    """`func(block index, partitions, bytes)` gives (start partition, byte address)."""

    def place(block: Ints, partitions: int, tile_bytes: int) -> Tuple[int, int]:
        start, address = _numbers(_asked(func, block, partitions, tile_bytes), 2, "sbuf.alloc", "(start_partition, byte_addr)")
        return start, address

    return Placement(MemoryRegion.sbuf, place)


def psum_alloc(func: Callable[[Ints, int, int], Any]) -> Placement:
    """`func(block index, partitions, bytes)` gives (bank, start partition, byte address in the bank)."""

    def place(block: Ints, partitions: int, tile_bytes: int) -> Tuple[int, int]:
        bank, start, address = _numbers(
            _asked(func, block, partitions, tile_bytes), 3, "psum.alloc", "(bank_id, start_partition, byte_addr)"
        )
        return start, _in_bank(block, bank, address, tile_bytes)

    return Placement(MemoryRegion.psum, place)


def sbuf_mod_alloc(*, base_addr: int, base_partition: int = 0, num_par_tiles: Any = (), num_free_tiles: Any = ()) -> Placement:
    """Tiles use `num_free_tiles` places next to each other in a partition, and `num_par_tiles` groups of partitions, in rotation."""

    def place(block: Ints, partitions: int, tile_bytes: int) -> Tuple[int, int]:
        below, behind = _turn(block, num_par_tiles, "num_par_tiles"), _turn(block, num_free_tiles, "num_free_tiles")
        return base_partition + below * partitions, base_addr + behind * tile_bytes

    return Placement(MemoryRegion.sbuf, place)


def psum_mod_alloc(
    *,
    base_bank: int,
    base_addr: int = 0,
    base_partition: int = 0,
    num_bank_tiles: Any = (),
    num_par_tiles: Any = (),
    num_free_tiles: Any = (),
) -> Placement:
    """As in SBUF, and tiles also use `num_bank_tiles` banks in rotation."""

    def place(block: Ints, partitions: int, tile_bytes: int) -> Tuple[int, int]:
        bank = base_bank + _turn(block, num_bank_tiles, "num_bank_tiles")
        below, behind = _turn(block, num_par_tiles, "num_par_tiles"), _turn(block, num_free_tiles, "num_free_tiles")
        return base_partition + below * partitions, _in_bank(block, bank, base_addr + behind * tile_bytes, tile_bytes)

    return Placement(MemoryRegion.psum, place)


def _asked(func: Callable[..., Any], block: Ints, partitions: int, tile_bytes: int) -> Any:
    """Passes arguments by the names in AWS's documentation, if the function has them (other parameters are set by `functools.partial`);
    else by position."""
    named = {"idx": block, "pdim_size": partitions, "fdim_size": tile_bytes}
    try:
        inspect.signature(func).bind(**named)
    except TypeError:
        return func(block, partitions, tile_bytes)
    return func(**named)


def _numbers(given: Any, count: int, what: str, form: str) -> Sequence[int]:
    if not isinstance(given, (tuple, list)) or len(given) != count:
        raise NkiValidationError(f"nki.compiler.{what}: the function must return {form}, not {given!r}")
    return [int(number) for number in given]


def _turn(block: Ints, tiles: Any, name: str) -> int:
    """Which of the physical tiles a block gets: its index modulo their number on each axis, in row-major order."""
    counts = tuple(tiles) if isinstance(tiles, (tuple, list)) else (tiles,)
    if block and counts and len(counts) != len(block):
        raise NkiValidationError(f"{name}={counts} must have one number for each of the tensor's {len(block)} block axes")
    at = 0
    for position, count in zip(block, counts or (1,) * len(block)):
        at = at * int(count) + position % int(count)
    return at


def _in_bank(block: Ints, bank: int, address: int, tile_bytes: int) -> int:
    banks, size = table.LIMITS["psumBanks"], table.PSUM_BANK_BYTES
    if not 0 <= bank < banks:
        raise NkiValidationError(f"tile {block}: PSUM has banks 0 to {banks - 1}, not {bank}")
    if address + tile_bytes > size:
        raise NkiValidationError(f"tile {block} of {tile_bytes} bytes per partition at byte {address} leaves its PSUM bank of {size} bytes")
    return bank * size + address


# -- tensors of placed tiles ------------------------------------------------------------------------------------------


def regular(addresses: Dict[Ints, Tuple[int, int]], tile_bytes: int) -> Optional[Tuple[int, int]]:
    """The start of the first tile if all others follow it without gaps; None otherwise."""
    (start, first), *others = addresses.values()
    follow = all(place == (start, first + number * tile_bytes) for number, place in enumerate(others, 1))
    return (start, first) if follow else None


class Blocks(Tensor):
    """A tensor whose tiles have arbitrary addresses: with an integer for every block axis it is a plain tensor."""

    __slots__ = ("_tiles", "_shape", "_blocks", "fill")

    def __init__(self, tiles: Dict[Ints, Tensor], shape: Ints, fill: Optional[Fill] = None) -> None:
        """`tiles` by block index; `shape` with the block axes first; `fill`: the value of tiles at their first use."""
        first = next(iter(tiles.values()))
        self._tiles, self._shape, self.fill = tiles, shape, fill
        self._blocks = len(next(iter(tiles)))
        self._storage, self.offset = first._storage, first.offset

    @property
    def shape(self) -> Ints:
        """Block axes, then the tile's."""
        return views.Shape(self._shape)

    @property
    def dtype(self) -> Dtype:
        """Of every tile."""
        return self._storage.dtype

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self.dtype.itemsize

    @property
    def strides(self) -> Ints:
        """Raises, because tiles with arbitrary addresses have no stride from one to the next."""
        raise self._whole()

    @property
    def _layout(self) -> Layout:  # type: ignore[override]
        """Raises, because it stands for all tiles together."""
        raise self._whole()

    def _whole(self) -> NkiValidationError:
        return NkiValidationError(
            f"{self.name or 'the tensor'} of shape {self.shape} has {self._blocks} block axes (those before the partition axis), "
            "whose tiles may lie anywhere: index each block axis with an integer"
        )

    @property
    def tiles(self) -> Iterable[Tensor]:
        """Every tile, in row-major order of the blocks."""
        return self._tiles.values()

    def __getitem__(self, key: Any) -> Tensor:
        """Integers for block axes; the rest of the key indexes the tile."""
        block, entries = self._split(key)
        if len(block) == self._blocks:
            tile = self._tiles[block]
            if self.fill is not None:
                self.fill.before_use(tile)
            return tile[entries] if entries else tile
        if entries and entries[0] is not Ellipsis and entries != (slice(None),) * len(entries) or not block:
            raise self._whole()
        rest = {index[len(block) :]: tile for index, tile in self._tiles.items() if index[: len(block)] == block}
        return Blocks(rest, self._shape[len(block) :], self.fill)

    def __setitem__(self, key: Any, value: Any) -> None:
        """Writes a part of a tile, or all of it."""
        block, entries = self._split(key)
        if len(block) == self._blocks and self.fill is not None:
            tile = self._tiles[block]
            if isinstance(value, Tensor):
                self.fill.before_write(tile, tile[entries] if entries else tile)
        super().__setitem__(key, value)  # type: ignore[misc]

    def _split(self, key: Any) -> Tuple[Ints, Tuple[Any, ...]]:
        """(integers for block axes, the rest of the key)."""
        try:
            if type(key) is tuple and key[: self._blocks] in self._tiles:
                return key[: self._blocks], key[self._blocks :]
        except TypeError:
            pass  # an index expression
        entries = list(key) if isinstance(key, tuple) else [key]
        block: List[int] = []
        while entries and len(block) < self._blocks and _is_integer(entries[0]):
            block.append(_counted(entries.pop(0), self._shape[len(block)], len(block)))
        return tuple(block), tuple(entries)


def _is_integer(entry: Any) -> bool:
    return hasattr(entry, "__index__") or (isinstance(entry, Index) and views.elements(entry.shape) == 1)


def _counted(entry: Any, extent: int, axis: int) -> int:
    return views.take(extent, 1, entry.constant if isinstance(entry, Index) else entry, axis)[0]
