"""One kernel call while it is recorded: its grid and cores, its tensors, and what tensors ask of it (`KernelCall`).

The instances of a grid are recorded one after another into one program; tensors in shared HBM are theirs together. Those of a
kernel over two physical cores (LNC2) are put together by `cores.py`; all others share one simulated core.
"""

from __future__ import annotations

import math
from typing import Any, Dict, List, Optional, Sequence, Tuple

from ..allocation import allocation, traced
from ..allocation.ndarray import ndarray
from ..calls import assign, functions
from ..calls.grid import NeuronCores
from ..program import cores, encoding, loops, program
from ..tensors.memory import MemoryRegion, Storage
from ..tensors.tensor import Tensor
from ..values import cross_core, live, show
from ..vocabulary.dtypes import Dtype
from ..vocabulary.errors import NkiUnsupportedError, NkiValidationError
from ..wire import arrays, host
from . import configs

#: Code of `TENSOR_KINDS`.
_INPUT = program.KINDS.index("input")


class Launch:
    """The kernel call being recorded."""

    def __init__(
        self,
        name: str,
        dialect: str,
        literal: bool,
        grid: Tuple[int, ...],
        simulated: bool = False,
        edges: Sequence[Any] = (),
        ignores_placements: bool = False,
        given: configs.Configs = configs.DEFAULTS,
    ) -> None:
        """`grid`: () for a plain call. `simulated`: for the legacy dialect's simulator, which takes what its compiler does not.
        `edges`: of `with_schedule`. `ignores_placements`: of `force_auto_alloc`. `given`: of the decorator.
        """
        self.name = name
        self.dialect = dialect
        self.literal = literal
        self.simulated = simulated
        self.grid = grid
        self.edges = list(edges)
        self.ignores_placements = ignores_placements
        self.configs = given
        if edges and math.prod(grid) > 1:
            raise NkiUnsupportedError("with_schedule on several programs is not supported by this version of NKI Scope")
        self.ids: Tuple[int, ...] = ()
        self.cores = _cores(grid, dialect)
        #: (core, instructions) of each instance, in the order of recording.
        self.spans: List[Tuple[int, cores.Run]] = []
        #: Of each core, the loops that are compiled as one.
        self.trips: List[loops.Trips] = [[] for _ in range(self.cores)]
        self.inputs: List[Tuple[str, int, host.HostArray]] = []
        self.arguments: List[Tuple[str, Storage, Any]] = []
        #: The arrays of `arguments`, as they were given.
        self.given: List[host.HostArray] = []
        #: Arguments that are no arrays.
        self.others: List[Any] = []
        self.constants: Dict[Any, Tensor] = {}
        #: Tensors in shared HBM: the programs' own together.
        self.shared_tensors: List[Tensor] = []
        self._shared_next = 0
        #: What the host has of the program, when values were asked for.
        self.sent = encoding.Mark()
        self.sent_inputs = 0
        #: What values were computed from although a core that is recorded later may write it.
        self.assumed: List[cores.Assumed] = []
        #: To what the control flow of one core asks of the other.
        self.cross_core = cross_core.CrossCoreValues(self.cores)

    def again(self) -> Launch:
        """The same call, with nothing recorded but the answers kept."""
        made = Launch(self.name, self.dialect, self.literal, self.grid, self.simulated, self.edges, self.ignores_placements, self.configs)
        made.cross_core = self.cross_core
        return made

    def must_go_on(self) -> bool:
        """True when the kernel has to be recorded again; what this recording has found out is kept for that."""
        wrong = cores.mistaken(self.spans, self.cores, self.assumed)
        if wrong:
            self.cross_core = cross_core.CrossCoreValues(self.cores, self.cross_core.written | wrong)
        elif self.cross_core.missing:
            self.cross_core.find(self.spans, [(tensor, array.handle) for _, tensor, array in self.inputs])
        else:
            return False
        return True

    def begin_program(self, ids: Tuple[int, ...]) -> None:
        """The next instance of the grid."""
        self.ids = ids
        self._shared_next = 0
        #: A collective that is set up and not triggered yet (`collectives.py`).
        self.prepared: Any = None
        self.begun = program.count()
        self._trips_begun = len(program.state.trips)
        traced.reset()

    def end_program(self) -> None:
        """All of the instance is recorded."""
        if self.prepared is not None:
            raise NkiValidationError(f"{self.prepared.row}_prepare without {self.prepared.row}_trigger: each prepare needs one")
        self.spans.append((self.core, (self.begun, program.count())))
        self.trips[self.core] += program.state.trips[self._trips_begun :]

    @property
    def core(self) -> int:
        """The physical core of this instance."""
        if self.cores == 1:
            return 0
        along = next((axis for axis, extent in enumerate(self.grid) if isinstance(extent, NeuronCores)), None)
        return sum(self.ids) % self.cores if along is None else self.grid[along].core_of(self.ids[along])

    def shared(self, shape: Sequence[int], dtype: Dtype, name: str, frame: int) -> Tensor:
        """A tensor in shared HBM: the n-th one of every instance is the same."""
        if self._shared_next == len(self.shared_tensors):
            self.shared_tensors.append(allocation.allocate(shape, dtype, MemoryRegion.shared_hbm, name, frame))
        tensor = self.shared_tensors[self._shared_next]
        if tensor.shape != tuple(shape) or tensor.dtype != dtype:
            raise NkiValidationError(
                f"program {self.ids} allocates {name or 'a tensor'} {dtype}{list(shape)} where program 0 has {tensor._described()}"
            )
        self._shared_next += 1
        return tensor

    def input(self, name: str, array: host.HostArray, kind: int = _INPUT) -> Tensor:
        """An HBM tensor with the values of a host array."""
        dtype = arrays.kernel_dtype(name, array.dtype)
        tensor = allocation.allocate(array.shape or (1,), dtype, MemoryRegion.private_hbm, name, program.KERNEL_FRAME, kind=kind)
        self.inputs.append((name, tensor._storage.id, arrays.as_held(name, array)))
        return tensor

    # -- what tensors ask for (`KernelCall`) --------------------------------------------------------------------------

    def allocate(self, shape: Any, dtype: Any, buffer: MemoryRegion) -> Tensor:
        """A new tensor, as `nl.ndarray` makes it: with the name and the line of the user's statement."""
        return ndarray(shape, dtype, buffer)

    def operate(self, name: str, *operands: Any, **options: Any) -> Any:
        """Records a function of today's `nki.language`; its result."""
        return functions.LANGUAGE[name](*operands, **options)

    def assign(self, dst: Tensor, value: Any) -> None:
        """Writes a tensor or a number into a view."""
        assign.assign(dst, value)

    def assign_in_place(self, dst: Tensor, value: Any, name: str) -> Tensor:
        """`dst = name(dst, value)`; returns `dst`."""
        return assign.add_in_place(dst, value, name)

    def read_scalar(self, tensor: Tensor) -> int:
        """The one element of a tensor, as it is at this moment of the kernel."""
        return live.read_scalar(self, tensor)

    def known_scalar(self, tensor: Tensor) -> Optional[int]:
        """The same; None where the other core has a part in it."""
        return live.known_scalar(self, tensor)

    def holds(self, tensor: Tensor) -> bool:
        """True when an `assert` of a tensor holds at this moment of the kernel."""
        return live.truth(self, tensor)

    def described(self, tensor: Tensor) -> str:
        """A tensor with its values, as people read it."""
        return show.described(self, tensor)


def _cores(grid: Tuple[int, ...], dialect: str) -> int:
    """Physical cores that a grid runs on: in today's dialect the grid is the LNC, in the legacy one `nl.nc` marks it."""
    marked = [extent.cores for extent in grid if isinstance(extent, NeuronCores)]
    count = 1
    for extent in marked if dialect != "nki" or marked else grid:
        count *= extent
    if count > cores.MOST:
        launched = f"nl.nc({count})" if marked else f"a grid of {count} programs"
        raise NkiValidationError(f"{launched}: a logical NeuronCore has {cores.MOST} physical cores at most")
    return count
