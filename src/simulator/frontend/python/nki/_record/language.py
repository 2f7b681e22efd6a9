"""What `nki.language` has beside instructions: memories, dtypes, ranges, ids, allocation, views, constants of the machine.

Shared by both dialects. Source: aws-neuron-sdk nki/api/nki/language/__init__.py at HEAD and at 1db4d74e.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from enum import Enum
from operator import index as as_index
from typing import Any, Iterator, List, Sequence, Tuple

from . import calls, constants, dtypes, launch, locations, printing, program, registers, table
from .errors import NkiUnsupportedError, NkiValidationError
from .index import MGrid, arange
from .memory import MemoryRegion, region
from .objects import NKIObject
from .register import VirtualRegister
from .tensors import Tensor

__all__ = [
    "MemoryRegion",
    "NKIObject",
    "NkiTensor",
    "affine_range",
    "arange",
    "broadcast_to",
    "bypass",
    "device_print",
    "ds",
    "dynamic_range",
    "fori_loop",
    "empty_like",
    "expand_dims",
    "fp32",
    "get_nc_version",
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
sbuf, psum = MemoryRegion.sbuf, MemoryRegion.psum
hbm = private_hbm = MemoryRegion.private_hbm
shared_hbm = MemoryRegion.shared_hbm
mgrid = MGrid()
shared_constant, shared_identity_matrix = constants.shared_constant, constants.shared_identity_matrix
par_dim = calls.ParDim
device_print = printing.device_print
dynamic_range, fori_loop, while_loop = registers.dynamic_range, registers.fori_loop, registers.while_loop


class _TileSize(NKIObject):
    """Sizes of tiles and memories; elements or bytes as the names say, per partition where they say `fmax`."""

    pmax: int = table.PARTITIONS
    psum_fmax: int = table.PSUM_BANK_BYTES // 4
    psum_bank_fmax: int = table.PSUM_BANK_BYTES // 4
    psum_bank_fmax_bytes: int = table.PSUM_BANK_BYTES
    psum_num_banks: int = table.LIMITS["psumBanks"]
    gemm_stationary_fmax: int = table.STATIONARY_FREE
    gemm_moving_fmax: int = table.MOVING_FREE
    bn_stats_fmax: int = table.LIMITS["bnStatsFree"]
    psum_min_align: int = table.LIMITS["psumMinAlignBytes"]
    sbuf_min_align: int = table.LIMITS["sbufMinAlignBytes"]

    @property
    def sbuf_fmax_bytes(self) -> int:
        """SBUF bytes of one partition on the target."""
        return table.LIMITS["sbufPartitionBytes"][calls.context.generation]

    @property
    def sbuf_fmax(self) -> int:
        """SBUF elements of one partition, in fp32."""
        return self.sbuf_fmax_bytes // 4

    @property
    def sbuf_size_bytes(self) -> int:
        """SBUF bytes of all partitions."""
        return self.sbuf_fmax_bytes * self.pmax

    @property
    def total_available_sbuf_size(self) -> int:
        """SBUF bytes of one partition (its old name)."""
        return self.sbuf_fmax_bytes


tile_size = _TileSize()


class _Fp32:
    """Constants of float32."""

    min = -3.4028234663852886e38
    max = 3.4028234663852886e38
    tiny = 1.1754943508222875e-38
    eps = 1.1920928955078125e-07


fp32 = _Fp32()


def bypass(x: Any) -> Any:
    """The operation that passes data on unchanged; used as `op=nl.bypass`."""
    raise NkiValidationError("nl.bypass is an operation for op= parameters; it is not called")


# -- ranges and ids ---------------------------------------------------------------------------------------------------


def affine_range(*args: Any) -> range:
    """`range` whose iterations do not depend on each other. The simulator runs them in order."""
    return range(*map(as_index, args))


def sequential_range(*args: Any) -> range:
    """`range` whose iterations run in order."""
    return range(*map(as_index, args))


def static_range(*args: Any) -> range:
    """`range` that is unrolled."""
    return range(*map(as_index, args))


def ds(start: Any, size: int) -> Any:
    """The slice of `size` elements from `start`."""
    if isinstance(start, (VirtualRegister, Tensor)):
        first = start if isinstance(start, VirtualRegister) else VirtualRegister(program.read_scalar(start))
        return slice(first, first + as_index(size))
    return arange(start, start + size) if not hasattr(start, "__index__") else slice(as_index(start), as_index(start) + as_index(size))


def program_id(axis: int = 0) -> int:
    """Number of this instance along a grid axis."""
    return launch.program_id(axis)


def num_programs(axes: Any = 0) -> Any:
    """Extent of the grid along an axis, or a tuple of extents for several."""
    return launch.num_programs(axes)


def program_ndim() -> int:
    """Number of grid axes."""
    return launch.program_ndim()


nc = launch.NeuronCores


def spmd_dim(*sizes: Any) -> int:
    """Extent of a grid axis made of sub-axes."""
    return launch.spmd_dim(*sizes)


def get_nc_version() -> Enum:
    """NeuronCore generation of the target, an `nki.isa.nc_version`."""
    return launch.nc_version()


@contextmanager
def no_reorder() -> Iterator[None]:
    """Instructions inside keep their order. Kernels run as written here, so the order is kept anyway."""
    yield


# -- allocation -------------------------------------------------------------------------------------------------------


def ndarray(shape: Sequence[int], dtype: Any, buffer: Any = None, name: str = "", address: Any = None) -> Tensor:
    """A new tensor, not initialised. Default buffer: SBUF. `address`: (partition, byte) or byte inside each partition."""
    where = region(sbuf if buffer is None else buffer)
    sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    row, _, site = locations.position(sys._getframe(1))
    if where is shared_hbm and launch.current is not None:
        return launch.current.shared(sizes, dtypes.parse(dtype), name or site.name, row)
    return calls.allocate(sizes, dtypes.parse(dtype), where, name or site.name, row, _address(address))


def _address(address: Any) -> float:
    if address is None:
        return -1
    if isinstance(address, (tuple, list)):
        if len(address) == 2 and address[0] not in (0, None):
            raise NkiUnsupportedError("address with a start partition other than 0 is not supported by this version of NKI Scope")
        address = address[-1]
    return as_index(address)


def empty_like(x: Any, dtype: Any = None, buffer: Any = None, name: str = "") -> Tensor:
    """A new tensor of `x`'s shape, not initialised."""
    return ndarray(x.shape, dtype or x.dtype, buffer if buffer is not None else x.buffer, name)


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
    """View repeated to a larger shape."""
    return x.broadcast_to(tuple(shape))


def static_cast(input_data: Tensor, dtype: Any) -> Tensor:
    """A copy with another dtype."""
    return input_data.astype(dtype)  # type: ignore[attr-defined]


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


def names() -> List[Tuple[str, Any]]:
    """Every public name here and the dtypes, for the language modules."""
    here = globals()
    return [(name, here[name]) for name in __all__] + [*dtypes.ALL.items(), ("bool_", dtypes.ALL["bool"])]
