"""`nl.ndarray` and `nl.empty_like`: new tensors of kernels.

Known shapes have a fast path. `allocation.py` allocates.
"""

from __future__ import annotations

import sys
from operator import index as as_index
from typing import Any, Dict, Sequence, Tuple

from ..program import locations
from ..tensors.memory import Layout, MemoryRegion, StorageKind, region
from ..tensors.tensor import Tensor
from ..vocabulary import dtypes
from ..vocabulary.context import context
from ..vocabulary.errors import NkiValidationError
from .allocation import allocate, allocate_again, allocate_tiles, in_tiles
from .placement import Placement


def ndarray(
    shape: Sequence[int], dtype: Any, buffer: Any = None, name: str = "", address: Any = None, lazy_initialization: bool = False
) -> Tensor:
    """A new tensor, not initialised. Default buffer: SBUF. `address`: (partition, byte) or byte inside each partition.

    `lazy_initialization` is the legacy compiler's own.
    """
    row, _, site = locations.position(sys._getframe(1))
    if address is None:
        try:
            return allocate_again(*_known[shape, dtype, buffer], name or site.name, row)  # type: ignore[index]
        except (KeyError, TypeError):
            pass  # not seen before, or without a hash
    sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    where = buffer if isinstance(buffer, Placement) else region(MemoryRegion.sbuf if buffer is None else buffer)
    if in_tiles(sizes, dtypes.parse(dtype), where):
        return allocate_tiles(sizes, dtypes.parse(dtype), where, name or site.name, row)
    where = where.memory if isinstance(where, Placement) else where
    if where is MemoryRegion.shared_hbm and context.call is not None:
        return context.call.shared(sizes, dtypes.parse(dtype), name or site.name, row)
    start, byte = _address(address)
    made = allocate(sizes, dtypes.parse(dtype), where, name or site.name, row, byte, start_partition=start)
    if address is None and not isinstance(buffer, Placement) and type(shape) is tuple:
        try:
            _known[shape, dtype, buffer] = (made._storage.kind, made._layout)
        except TypeError:
            pass  # a shape that marks its partition axis has no hash
    return made


#: (shape, dtype, buffer) as kernels write them -> the arguments of `allocate_again`.
_known: Dict[Any, Tuple[StorageKind, Layout]] = {}


def _address(address: Any) -> Tuple[int, float]:
    """(start partition, byte in each partition); the byte is -1 where the allocator chooses."""
    if address is None:
        return 0, -1
    if isinstance(address, (tuple, list)):
        if len(address) != 2:
            raise NkiValidationError(f"address={address!r} is (start partition, byte in each partition)")
        return as_index(address[0] or 0), as_index(address[1])
    return 0, as_index(address)


def empty_like(x: Any, dtype: Any = None, buffer: Any = None, name: str = "") -> Tensor:
    """A new tensor of `x`'s shape, not initialised."""
    return ndarray(x.shape, dtype or x.dtype, buffer if buffer is not None else x.buffer, name)
