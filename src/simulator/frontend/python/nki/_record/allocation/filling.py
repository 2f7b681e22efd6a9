"""Fills of a tensor of separate tiles (`nl.zeros` and the like): each tile is filled when the kernel first uses it.

A tile takes space from its first instruction on. If all tiles were filled where the tensor is made, they would take space long before
their use. A tile that is written whole before it is read is never filled. `lazy_initialization=True` of kernels that AWS's legacy
compiler printed has this meaning.
"""

from __future__ import annotations

from typing import Callable, Iterable

from ..program import program
from ..tensors.tensor import Tensor


class Fill:
    """A value, and the tiles that are not filled with it yet."""

    def __init__(self, tiles: Iterable[Tensor], record: Callable[[Tensor], None]) -> None:
        """`record` appends the instruction that fills a tile."""
        self._waiting = {tile._storage.id for tile in tiles}
        self._record = record

    def before_use(self, tile: Tensor) -> None:
        """Fills it, unless that was done."""
        if tile._storage.id in self._waiting:
            self._waiting.remove(tile._storage.id)
            self._record(tile)

    def before_write(self, tile: Tensor, part: Tensor) -> None:
        """Fills the tile before the newest instruction, which writes a part of it. Does nothing if that instruction overwrites the whole
        fill."""
        if tile._storage.id not in self._waiting:
            return
        newest = program.take_back() if program.pending else None
        if part.size < tile.size or newest is not None and newest[0].box is not None:
            self.before_use(tile)
        self._waiting.discard(tile._storage.id)
        if newest is not None:
            program.put(*newest)
