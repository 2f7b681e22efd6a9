"""What `nl.zeros` and the like write into a tensor of separate tiles: each tile when the kernel first asks for it.

A tile lives from its first instruction on, so one that was filled where the tensor is made would be in the way of all others
until its turn comes. A tile that is written whole before anything reads it is never filled. `lazy_initialization=True`, which
kernels printed by AWS's legacy compiler ask for, is just this.
"""

from __future__ import annotations

from typing import Callable, Iterable

from ..program import program
from ..tensors.tensor import Tensor


class Fill:
    """A value, and the tiles that do not hold it yet."""

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
        """Fills it before the newest instruction, whose result goes to a part of it: unless that leaves nothing of the fill."""
        if tile._storage.id not in self._waiting:
            return
        newest = program.take_back() if program.pending else None
        if part.size < tile.size or newest is not None and newest[0].box is not None:
            self.before_use(tile)
        self._waiting.discard(tile._storage.id)
        if newest is not None:
            program.put(*newest)
