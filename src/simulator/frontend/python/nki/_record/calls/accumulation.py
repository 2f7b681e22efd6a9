"""`accumulate` of matmuls that do not say it: the first write to a place in PSUM overwrites, and later ones accumulate.

Every write counts, as AWS words it ("whether this PSUM location was previously written").
Source: aws-neuron-sdk nki/api/nki/isa/__init__.py, nc_matmul, `accumulate`.
"""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

from ..program.program import Plan
from ..tensors.memory import Layout, Storage
from ..tensors.tensor import Tensor


def first_write(dst: Tensor) -> Optional[bool]:
    """True when no element of `dst` was written since its allocation, False when all were, None when some were."""
    storage = dst._storage
    region = (dst.offset, dst._layout)
    if not storage.written:
        return True
    if region in storage.written:
        return False
    wanted = _cover(storage, *region)
    done = _coverage(storage)
    overlap = [bool(rows & done.get(columns, 0)) for rows, columns in _pairs(wanted)]
    missing = [bool(rows & ~done.get(columns, 0)) for rows, columns in _pairs(wanted)]
    return None if any(overlap) and any(missing) else not any(overlap)


def accumulates(dst: Tensor) -> Optional[bool]:
    """Whether a matmul that does not say it adds to `dst`; None: where it was written, which is decided place by place when it runs."""
    first = first_write(dst)
    return None if first is None else not first


def mark(dst: Tensor) -> None:
    """Notes that a region of PSUM was written."""
    dst._storage.written.add((dst.offset, dst._layout))


def settle(plan: Plan, operands: Dict[str, Tensor]) -> None:
    """Records the region that an instruction writes."""
    if plan.marks:
        mark(operands["dst"])


_Cover = Dict[int, int]

#: Bytes of the smallest element that a matmul writes.
_UNIT = 2


def _pairs(cover: _Cover) -> List[Tuple[int, int]]:
    return [(rows, column) for column, rows in cover.items()]


def _coverage(storage: Storage) -> _Cover:
    """Byte of a partition, every second one -> bit mask of the partitions written there."""
    counted, cover = storage.coverage or (set(), {})
    for region in storage.written - counted:
        for column, rows in _cover(storage, *region).items():
            cover[column] = cover.get(column, 0) | rows
    storage.coverage = (set(storage.written), cover)
    return cover


def _cover(storage: Storage, offset: int, layout: Layout) -> _Cover:
    per_partition = layout.row_elements
    first, column = divmod(offset, per_partition)
    axis = layout.partition_axis  # block axes may stand before it
    step = layout.strides[axis] // per_partition if layout.shape[axis] > 1 else 1
    rows = sum(1 << (first + i * step) for i in range(layout.shape[axis]))
    columns = [column]
    for extent, stride in (pair for at, pair in enumerate(zip(layout.shape, layout.strides)) if at != axis):
        columns = [at + i * stride for at in columns for i in range(extent)]
    size = layout.dtype.itemsize
    return {column * size + byte: rows for column in columns for byte in range(0, size, _UNIT)}
