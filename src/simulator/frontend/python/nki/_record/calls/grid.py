"""The launch grid as kernels ask for it: ids and extents."""

from __future__ import annotations

from typing import Any

from ..vocabulary.context import KernelCall, context
from ..vocabulary.errors import NkiValidationError


class NeuronCores(int):
    """`nl.nc(n)`: a grid extent spread over physical cores."""


def _call() -> KernelCall:
    return context.running("there is a program grid only inside a kernel")


def program_id(axis: int = 0) -> int:
    """Number of this instance along a grid axis; 0 where the grid has no such axis and no other extent."""
    ids = _call().ids
    if not ids and axis == 0:
        return 0
    if not 0 <= axis < len(ids):
        raise NkiValidationError(f"program_id({axis}): the kernel was launched with a grid of {len(ids)} axes")
    return ids[axis]


def num_programs(axes: Any = 0) -> Any:
    """Extent of the grid along an axis, or a tuple of extents for several."""
    grid = _call().grid or (1,)
    if isinstance(axes, (tuple, list)):
        return tuple(grid[axis] for axis in axes)
    return grid if axes is None else grid[axes]


def program_ndim() -> int:
    """Number of grid axes."""
    return len(_call().grid)


def spmd_dim(*sizes: Any) -> int:
    """Extent of a grid axis made of sub-axes: their product."""
    result = 1
    for size in sizes:
        result *= int(size)
    return result
