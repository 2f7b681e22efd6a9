"""Where tensors live: memory regions, allocations, and the interned layouts of their views.

Views themselves are `tensor.py`'s; the numbers of the program are `program.py`'s.
"""

from __future__ import annotations

from enum import Enum
from operator import attrgetter
from typing import Any, Dict, Optional, Set, Tuple

from ..vocabulary import refusals
from ..vocabulary.context import context
from ..vocabulary.dtypes import Dtype
from ..vocabulary.errors import NkiUnsupportedError
from . import views

Ints = Tuple[int, ...]


class MemoryRegion(Enum):
    """Memory region constants: the `buffer=` of tensors."""

    sbuf = "sbuf"
    psum = "psum"
    private_hbm = "private_hbm"
    shared_hbm = "shared_hbm"
    hbm = "private_hbm"

    def __init__(self, value: str) -> None:
        """`space`: memory as the instruction table names it."""
        self.space = "hbm" if value.endswith("hbm") else value

    def __getattr__(self, name: str) -> Any:
        """The error of a name that this does not have. AttributeError."""
        if name.startswith("_"):  # of Enum itself
            raise AttributeError(name)
        own = f"nl.{self.name}"
        raise AttributeError(f"{own} has no {name!r} in NKI Scope: make tensors by nl.ndarray(shape, dtype, buffer={own})")

    def view(self, dtype: Any, shape: Any) -> Any:
        """A new tensor of this memory, not initialised, named after the variable it is assigned to: `nl.ndarray(shape, dtype, buffer=...)`.

        `shape`: partitions first in SBUF. NkiUnsupportedError for PSUM, which no document of AWS has a view of, and in legacy kernels;
        NkiValidationError outside of kernels; other errors are those of `nl.ndarray`.

        Source: aws-neuron-sdk from 2.27 to 2.28, nki/get-started/quickstart-implement-run-kernel.rst; the order of arguments: the
        example of nl.device_print.
        """
        if self is MemoryRegion.psum:
            raise refusals.refuse("nki.language.psum.view")
        call = context.running()
        if context.dialect != "nki":
            advice = f"use nl.ndarray(shape, dtype, buffer=nl.{self.name})"
            raise NkiUnsupportedError(f"nl.{self.name}.view is of nki.language: the legacy dialect has none; {advice}")
        return call.allocate(shape, dtype, self)


def region(buffer: Any) -> MemoryRegion:
    """A `buffer=` argument as a region. TypeError for others."""
    buffer = getattr(buffer, "region", buffer)  # nki.compiler.sbuf and .psum stand for their memories
    if isinstance(buffer, MemoryRegion):
        return buffer
    if isinstance(buffer, str) and buffer in MemoryRegion.__members__:
        return MemoryRegion[buffer]
    raise TypeError(f"buffer={buffer!r} is not a memory: use nl.sbuf, nl.psum, nl.hbm, nl.private_hbm or nl.shared_hbm")


class StorageKind:
    """What allocations of the same memory, dtype and shape share. Interned: kernels allocate the same tiles over and over."""

    __slots__ = ("region", "space", "dtype", "shape", "elements", "row_elements")

    def __init__(self, where: MemoryRegion, dtype: Dtype, shape: Ints) -> None:
        """Made by `storage_kind` only. `shape` in storage order: partitions first on chip."""
        self.region = where
        self.space = where.space
        self.dtype = dtype
        self.shape = shape
        self.elements = views.elements(shape)
        #: Elements per partition; 0 in HBM.
        self.row_elements = 0 if self.space == "hbm" else views.elements(shape[1:])


_kinds: Dict[Tuple[Any, ...], StorageKind] = {}


def storage_kind(where: MemoryRegion, dtype: Dtype, shape: Ints) -> StorageKind:
    """The one kind with these properties."""
    key = (where.value, dtype.code, shape)
    kind = _kinds.get(key)
    if kind is None:
        kind = _kinds[key] = StorageKind(where, dtype, shape)
    return kind


class Storage:
    """One allocation of the program."""

    __slots__ = ("id", "kind", "name", "written", "coverage")

    def __init__(self, number: int, kind: StorageKind, name: str) -> None:
        """`number`: of the program's tensor."""
        self.id = number
        self.kind = kind
        self.name = name
        #: (offset, layout) of the regions written so far; kept for PSUM only.
        self.written: Set[Any] = set() if kind.space == "psum" else _NOTHING
        self.coverage: Any = None

    region = property(attrgetter("kind.region"), doc="Memory region.")
    space = property(attrgetter("kind.space"), doc="Memory as the instruction table names it.")
    dtype = property(attrgetter("kind.dtype"), doc="Data type it was allocated with.")
    shape = property(attrgetter("kind.shape"), doc="Storage order: partitions first on chip.")
    elements = property(attrgetter("kind.elements"), doc="How many.")
    row_elements = property(attrgetter("kind.row_elements"), doc="Elements per partition; 0 in HBM.")


#: For storages whose regions are not recorded; always empty.
_NOTHING: Set[Any] = set()


class Layout:
    """Shape and strides of a view, with the memory and dtype of its storage. Interned: identity is equality."""

    __slots__ = (
        "shape",
        "strides",
        "dtype",
        "space",
        "row_elements",
        "partition_axis",
        "ndim",
        "dynamic",
        "padded",
        "address",
        "children",
        "shown",
    )

    @staticmethod
    def of(
        shape: Ints,
        strides: Ints,
        dtype: Dtype,
        space: str,
        row_elements: int,
        partition_axis: int,
        dynamic: bool = False,
        padded: int = 0,
        address: Any = None,
    ) -> Layout:
        """The one layout with these properties; of views with an `address`, a new one: each call with such a view is its own."""
        key = (shape, strides, dtype.code, space, row_elements, partition_axis, dynamic, padded)
        known = _layouts.get(key)
        if known is not None and address is None:
            return known
        self = Layout()
        self.shape = shape
        #: The shape for kernels.
        self.shown = views.Shape(shape)
        self.strides = strides
        self.dtype = dtype
        self.space = space
        self.row_elements = row_elements
        #: Axis that walks partitions; -1 in HBM.
        self.partition_axis = partition_axis
        self.ndim = len(shape)
        #: The offset of its views comes from a register: addresses that the machine computes when it runs.
        self.dynamic = dynamic
        #: The tensor of one element in SBUF that the register is loaded from, for each use anew; None: the kernel loaded it.
        self.address = address
        #: Last axes, of size 1, that stand for axes which integers have dropped: a tile on chip keeps two.
        self.padded = padded
        #: Shape -> layout with the same strides: what slices with step 1 lead to.
        self.children: Dict[Ints, Layout] = {}
        if address is None:
            _layouts[key] = self
        return self

    def with_shape(self, shape: Ints) -> Layout:
        """The layout of the same strides over another shape of as many axes."""
        child = self.children.get(shape)
        if child is None:
            child = self.children[shape] = self.replaced(tuple(int(extent) for extent in shape), self.strides, self.partition_axis)
        return child

    def replaced(self, shape: Ints, strides: Ints, partition_axis: int) -> Layout:
        """A layout of the same storage with other axes."""
        return Layout.of(shape, strides, self.dtype, self.space, self.row_elements, partition_axis, self.dynamic, address=self.address)

    def padded_to(self, ndim: int) -> Layout:
        """The same elements with axes of size 1 behind, in place of dropped ones."""
        more = (1,) * (ndim - self.ndim)
        shape, strides = self.shape + more, self.strides + more
        return Layout.of(
            shape,
            strides,
            self.dtype,
            self.space,
            self.row_elements,
            self.partition_axis,
            self.dynamic,
            self.padded + len(more),
            self.address,
        )

    def without_padding(self) -> Layout:
        """The axes that are really there."""
        kept = self.ndim - self.padded
        return self.replaced(self.shape[:kept], self.strides[:kept], self.partition_axis)

    def at_runtime(self, address: Any = None) -> Layout:
        """The same layout for views whose offset comes from a register. `address`: the tensor of one element that it is loaded from."""
        return Layout.of(self.shape, self.strides, self.dtype, self.space, self.row_elements, self.partition_axis, True, address=address)


_layouts: Dict[Tuple[Any, ...], Layout] = {}


def full_layout(storage: StorageKind, shape: Optional[Ints] = None, partition_axis: int = 0) -> Layout:
    """Layout of a whole allocation of a kind. `shape` as the user wrote it, whose axis `partition_axis` is the first of the storage."""
    shape = shape or storage.shape
    if storage.space == "hbm":
        return Layout.of(shape, views.contiguous(shape), storage.dtype, "hbm", 0, -1)
    strides = list(views.contiguous(storage.shape))
    first = strides.pop(0)
    strides.insert(partition_axis, first)
    return Layout.of(shape, tuple(strides), storage.dtype, storage.space, storage.row_elements, partition_axis)
