"""What the kernel being recorded runs on and is written in, and the kernel call itself as far as tensors need it."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Protocol, Sequence, Tuple

from .errors import NkiValidationError

OUTSIDE = "NKI functions record an instruction only inside a kernel: call them from a function marked @nki.jit"


class KernelCall(Protocol):
    """The call that is being recorded (`launch/launch.py`). Tensors are further up than what records: they ask for it here."""

    ids: Tuple[int, ...]
    grid: Tuple[int, ...]
    #: Tensors that the call has made once for all who ask, by what they hold.
    constants: Dict[Any, Any]
    #: What `with_schedule` gave.
    edges: List[Any]
    #: What the decorator gave (`launch/configs.py`).
    configs: Any
    #: A collective that is set up and not triggered yet (`language/collectives.py`), or None.
    prepared: Any

    def operate(self, name: str, *operands: Any, **options: Any) -> Any:
        """Records a function of today's `nki.language`; its result."""
        ...

    def assign(self, dst: Any, value: Any) -> None:
        """Writes a tensor or a number into a view."""
        ...

    def assign_in_place(self, dst: Any, value: Any, name: str) -> Any:
        """`dst = name(dst, value)`; returns `dst`."""
        ...

    def read_scalar(self, tensor: Any) -> int:
        """The one element of a tensor, as it is at this moment of the kernel."""
        ...

    def known_scalar(self, tensor: Any) -> Optional[int]:
        """The same; None where the other core has a part in it."""
        ...

    def holds(self, tensor: Any) -> bool:
        """True when an `assert` of a tensor holds at this moment of the kernel."""
        ...

    def described(self, tensor: Any) -> str:
        """A tensor with its values, as people read it."""
        ...

    def input(self, name: str, array: Any, kind: int = ...) -> Any:
        """A tensor in HBM with the values of a host array. `kind`: code of `program.KINDS`."""
        ...

    def allocate(self, shape: Any, dtype: Any, buffer: Any) -> Any:
        """A new tensor, as `nl.ndarray` makes it."""
        ...

    def shared(self, shape: Sequence[int], dtype: Any, name: str, frame: int) -> Any:
        """A tensor in shared HBM, which all programs of the grid have together."""
        ...


class Context:
    """Of the kernel being recorded; `launch/launch.py` keeps it."""

    def __init__(self) -> None:
        """No kernel yet."""
        #: Of the NeuronCore, a key of `table.MACHINES`; "" before the first kernel.
        self.generation = ""
        #: nki or neuronxcc.
        self.dialect = "nki"
        #: Version of NKI that the kernel is written for; "": the newest (`versions.py`).
        self.nki_version = ""
        #: `with nl.no_reorder()` blocks around what is being recorded.
        self.ordered_blocks = 0
        #: The kernel is marked with `force_auto_alloc`: the allocator chooses all addresses.
        self.ignores_placements = False
        #: The rank that is being recorded, of how many.
        self.rank = 0
        self.ranks = 1
        #: The kernel asked for its rank, or for values: what is recorded is this rank's alone.
        self.rank_matters = False
        #: None outside of kernels.
        self.call: Optional[KernelCall] = None

    def running(self, otherwise: str = OUTSIDE) -> KernelCall:
        """The kernel call. NkiValidationError with the message `otherwise` outside of kernels."""
        if self.call is None:
            raise NkiValidationError(otherwise)
        return self.call


context = Context()
