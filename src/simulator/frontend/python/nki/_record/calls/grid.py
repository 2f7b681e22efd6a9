"""The launch grid for kernels: ids and extents."""

from __future__ import annotations

from typing import Any

from ..vocabulary.context import KernelCall, context
from ..vocabulary.errors import NkiValidationError


class NeuronCores(int):
    """`nl.nc(n)`: a grid extent spread over n physical cores; `nl.nc(n) * k` and `k * nl.nc(n)` spread n * k instances over them.

    Source: aws-neuron-sdk nki/api/generated/nki.language.spmd_dim.rst, nki/test/test_nki_spmd_grid.py.
    """

    def __new__(cls, cores: int, neighbours: int = 1, rounds: int = 1) -> NeuronCores:
        """`neighbours`: instances in a row on one core; `rounds`: how often the cores take turns along the axis."""
        made = super().__new__(cls, int(cores) * neighbours * rounds)
        made.cores, made.neighbours, made.rounds = int(cores), neighbours, rounds
        return made

    def __mul__(self, count: Any) -> NeuronCores:
        """So many instances in a row on each core."""
        return NeuronCores(self.cores, self.neighbours * int(count), self.rounds)

    def __rmul__(self, count: Any) -> NeuronCores:
        """The cores take turns so many times."""
        return NeuronCores(self.cores, self.neighbours, self.rounds * int(count))

    def core_of(self, instance: int) -> int:
        """The physical core of an instance, by its number along the axis."""
        return instance // self.neighbours % self.cores


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


def is_alone() -> bool:
    """True where the kernel runs on one physical core."""
    return num_programs(0) == 1


def check_two_cores(function: str) -> None:
    """NkiValidationError where the kernel runs on one physical core."""
    if is_alone():
        raise NkiValidationError(
            f"{function}: the kernel runs on one core, and this is for the two of a logical core (LNC2): "
            "launch it on both, as in kernel[2](...)"
        )


def program_ndim() -> int:
    """Number of grid axes."""
    return len(_call().grid)


def spmd_dim(*sizes: Any) -> int:
    """Extent of a grid axis made of sub-axes: their product. One of them may be spread over cores."""
    if sum(isinstance(size, NeuronCores) for size in sizes) > 1:
        raise NkiValidationError("spmd_dim: one of its sub-axes can be nl.nc, not several")
    result = 1
    for size in sizes:
        result = result * (size if isinstance(size, NeuronCores) else int(size))
    return result
