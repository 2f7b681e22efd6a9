"""What `nki.language` has beside instructions: memories, dtypes, ranges, ids, allocation, views, constants of the machine.

Shared by both dialects. Source: aws-neuron-sdk nki/api/nki/language/__init__.py at HEAD and at 1db4d74e.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from enum import Enum
from operator import index as as_index
from typing import Any, Callable, Iterator, List, Sequence, Tuple

from ..allocation.allocation import ParDim
from ..allocation.ndarray import empty_like, ndarray
from ..allocation.tile_allocation import alloc_blocks, alloc_tiles
from ..calls import calls, grid
from ..control import registers
from ..launch.settings import nc_version
from ..program import program, schedule
from ..tensors.arange import MGrid, arange
from ..tensors.memory import MemoryRegion, region
from ..tensors.tensor import Tensor, runtime_value
from ..tensors.tile_grids import NkiBlockGrid, NkiGrid, NkiTileGrid, blocks, tiles
from ..values import printing
from ..vocabulary import dtypes, table
from ..vocabulary.context import context
from ..vocabulary.errors import NkiValidationError
from ..vocabulary.finfo import finfo
from ..vocabulary.objects import NKIObject
from ..vocabulary.register import VirtualRegister, check_asker
from ..vocabulary.scalar import NkiScalar
from ..wire import arrays
from . import constants

__all__ = [
    "DType",
    "MemoryRegion",
    "NKIObject",
    "NkiTensor",
    "affine_range",
    "arange",
    "average",
    "bfp16",
    "broadcast_to",
    "bypass",
    "device_print",
    "ds",
    "dynamic_range",
    "fori_loop",
    "empty_like",
    "expand_dims",
    "finfo",
    "fp32",
    "gemm_grid",
    "gemm_stationary_grid",
    "hbm",
    "is_hbm",
    "is_on_chip",
    "is_psum",
    "is_sbuf",
    "mgrid",
    "nc",
    "ndarray",
    "no_reorder",
    "num_programs",
    "par_dim",
    "prelu",
    "private_hbm",
    "program_id",
    "program_ndim",
    "psum",
    "sbuf",
    "sequential_range",
    "shared_constant",
    "shared_hbm",
    "shared_identity_matrix",
    "spmd_dim",
    "static_cast",
    "static_range",
    "tile_size",
    "while_loop",
    "zeros_like",
]

NkiTensor = Tensor
DType = dtypes.Dtype
sbuf, psum = MemoryRegion.sbuf, MemoryRegion.psum
hbm = private_hbm = MemoryRegion.private_hbm
shared_hbm = MemoryRegion.shared_hbm
mgrid = MGrid()
shared_constant, shared_identity_matrix = constants.shared_constant, constants.shared_identity_matrix
par_dim = ParDim
device_print = printing.device_print
dynamic_range, fori_loop, while_loop = registers.dynamic_range, registers.fori_loop, registers.while_loop


class _TileSize(NKIObject):
    """Sizes of tiles and memories; elements or bytes as the names say, per partition where they say `fmax`."""

    @property
    def pmax(self) -> int:
        """Partitions of SBUF and PSUM."""
        return table.PARTITIONS

    @property
    def psum_fmax(self) -> int:
        """Elements of a PSUM bank, in fp32."""
        return table.PSUM_BANK_BYTES // 4

    @property
    def psum_bank_fmax(self) -> int:
        """The same."""
        return table.PSUM_BANK_BYTES // 4

    @property
    def psum_bank_fmax_bytes(self) -> int:
        """Bytes of a PSUM bank."""
        return table.PSUM_BANK_BYTES

    @property
    def psum_num_banks(self) -> int:
        """Banks of PSUM."""
        return table.LIMITS["psumBanks"]

    @property
    def gemm_stationary_fmax(self) -> int:
        """Columns of the stationary tile of a matmul."""
        return table.STATIONARY_FREE

    @property
    def gemm_moving_fmax(self) -> int:
        """Columns of its moving tile."""
        return table.MOVING_FREE

    @property
    def bn_stats_fmax(self) -> int:
        """Elements of one bn_stats."""
        return table.LIMITS["bnStatsColumns"]

    @property
    def psum_min_align(self) -> int:
        """Bytes that addresses in PSUM are multiples of."""
        return table.LIMITS["psumMinAlignBytes"]

    @property
    def sbuf_min_align(self) -> int:
        """The same in SBUF."""
        return table.LIMITS["sbufMinAlignBytes"]

    @property
    def sbuf_fmax_bytes(self) -> int:
        """SBUF bytes of one partition on the target that tensors may have."""
        return table.LIMITS["sbufPartitionBytes"]

    @property
    def sbuf_fmax(self) -> int:
        """SBUF elements of one partition, in fp32."""
        return self.sbuf_fmax_bytes // 4

    @property
    def sbuf_size_bytes(self) -> int:
        """SBUF bytes of all partitions, with those that the compiler keeps."""
        return (self.sbuf_fmax_bytes + table.LIMITS["sbufReservedBytes"]) * self.pmax

    @property
    def total_available_sbuf_size(self) -> int:
        """SBUF bytes of one partition (its old name)."""
        return self.sbuf_fmax_bytes


tile_size = _TileSize()


gemm_grid, gemm_stationary_grid = (tile_size.pmax, tile_size.gemm_moving_fmax), (tile_size.pmax, tile_size.gemm_stationary_fmax)

fp32, bfp16 = finfo("float32"), finfo("bfloat16")


def _operation(name: str, what: str) -> Callable[..., Any]:
    def operation(*args: Any) -> Any:
        raise NkiValidationError(f"nl.{name} is an operation for op= parameters; it is not called")

    operation.__name__ = operation.__qualname__ = name
    operation.__doc__ = f"{what}; used as `op=nl.{name}`."
    return operation


bypass = _operation("bypass", "The operation that passes data on unchanged")
average = _operation("average", "The mean, as an operation")
prelu = _operation("prelu", "The parametric rectifier, as an activation function")


# -- ranges and ids ---------------------------------------------------------------------------------------------------


def affine_range(start: Any, stop: Any = None, step: Any = 1, directives: Any = None, precise_schedule: bool = False) -> range:
    """`range` whose iterations do not depend on each other. The simulator runs them in order; the keywords are for the compiler."""
    return _plain_range(start, stop, step)


def sequential_range(start: Any, stop: Any = None, step: Any = 1, directives: Any = None) -> range:
    """`range` whose iterations run in order."""
    return _plain_range(start, stop, step)


def static_range(start: Any, stop: Any = None, step: Any = 1, directives: Any = None) -> range:
    """`range` that is unrolled."""
    return _plain_range(start, stop, step)


def _plain_range(start: Any, stop: Any, step: Any) -> range:
    """With one bound, that bound is the end."""
    for bound in (start, stop, step):
        if isinstance(bound, VirtualRegister):
            check_asker(sys._getframe(2), "range()")
    first, last = (0, start) if stop is None else (start, stop)
    return range(as_index(first), as_index(last), as_index(step))


def ds(start: Any, size: int) -> Any:
    """The slice of `size` elements from `start`."""
    if isinstance(start, (VirtualRegister, NkiScalar, Tensor)):
        first = VirtualRegister(runtime_value(start)) if isinstance(start, Tensor) else start
        return slice(first, first + as_index(size))
    return arange(start, start + size) if not hasattr(start, "__index__") else slice(as_index(start), as_index(start) + as_index(size))


program_id, num_programs, program_ndim, spmd_dim = grid.program_id, grid.num_programs, grid.program_ndim, grid.spmd_dim
nc = grid.NeuronCores


def get_nc_version() -> Enum:
    """NeuronCore generation of the target, an `nki.isa.nc_version`."""
    return nc_version()


def get_nc_sub_version() -> int:
    """Revision of the silicon within its generation: the first."""
    return 0


@contextmanager
def no_reorder() -> Iterator[None]:
    """Instructions inside keep their order."""
    context.ordered_blocks += 1
    first = program.count()
    try:
        yield
    finally:
        context.ordered_blocks -= 1
    schedule.keep_order(first)


# -- allocation -------------------------------------------------------------------------------------------------------


def zeros_like(x: Any, dtype: Any = None, buffer: Any = None, name: str = "") -> Tensor:
    """A tensor of zeros of `x`'s shape."""
    made = empty_like(x, dtype, buffer, name)
    calls.record(
        table.ROWS["nki.isa.memset" if made.buffer.space != "hbm" else "nki.language.zeros"], sys._getframe(1), {"dst": made, "value": 0.0}
    )
    return made


# -- views and queries ------------------------------------------------------------------------------------------------


def expand_dims(x: Tensor, axis: int) -> Tensor:
    """View with a new axis of size 1."""
    return x.expand_dims(axis)


def broadcast_to(x: Tensor, shape: Sequence[int], dtype: Any = None) -> Tensor:
    """The tile repeated to a larger shape: a view, or with another `dtype` a copy. Today's dialect keeps the number of axes."""
    wanted = tuple(shape)
    if context.dialect == "nki" and len(wanted) != x.ndim:
        raise NkiValidationError(f"broadcast_to: x has {x.ndim} axes and the shape {wanted} has {len(wanted)}; they must be as many")
    made = x.broadcast_to(wanted)
    return made if dtype is None or dtypes.parse(dtype) == made.dtype else static_cast(made, dtype)


def static_cast(input_data: Any, dtype: Any) -> Any:
    """A copy with another dtype, of a tile or of an array of the host (which may then have bfloat16 or a float8)."""
    if isinstance(input_data, Tensor):
        return input_data.astype(dtype)  # type: ignore[attr-defined]
    return arrays.cast(input_data, dtypes.parse(dtype))


def is_hbm(buffer: Any) -> bool:
    """True for any HBM region."""
    return region(buffer).space == "hbm"


def is_on_chip(buffer: Any) -> bool:
    """True for SBUF and PSUM."""
    return region(buffer).space != "hbm"


def is_psum(buffer: Any) -> bool:
    """True for PSUM."""
    return region(buffer).space == "psum"


def is_sbuf(buffer: Any) -> bool:
    """True for SBUF."""
    return region(buffer).space == "sbuf"


#: Names that only today's dialect has.
_TODAY = (NkiGrid, NkiTileGrid, NkiBlockGrid, tiles, blocks, alloc_tiles, alloc_blocks)


def names_of_today() -> List[Tuple[str, Any]]:
    """Public names that `nki.language` has beside those of both dialects."""
    return [(made.__name__, made) for made in _TODAY]


def names() -> List[Tuple[str, Any]]:
    """Every public name here and the dtypes, for the language modules of both dialects."""
    here = globals()
    return [(name, here[name]) for name in __all__] + [
        *dtypes.ALL.items(),
        ("bool_", dtypes.ALL["bool"]),
    ]
