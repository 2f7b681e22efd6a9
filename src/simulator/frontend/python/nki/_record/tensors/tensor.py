"""Tensors as kernels hold them: views of an allocation. Nothing here records; every method returns another view.

Here is what all kinds of views can do. Subscripts and access patterns make other kinds of them: `strided.py`.

Source: aws-neuron-sdk nki/api/nki/language/__init__.py `NkiTensor`, nki/get-started/nki-language-guide.rst "Tensor Indexing";
legacy index expressions: nki/api/nki.api.shared.rst at 1db4d74e.
"""

from __future__ import annotations

from operator import index as as_index
from typing import Any, Dict, List, Optional, Sequence, Tuple

from ..program import program
from ..vocabulary import dtypes, refusals
from ..vocabulary.context import context
from ..vocabulary.errors import NkiValidationError
from ..vocabulary.register import VirtualRegister
from ..vocabulary.scalar import NkiScalar
from . import views
from .memory import Layout, MemoryRegion, Storage
from .operators import Operators

Ints = Tuple[int, ...]

NO_VALUES = "a tensor has values only while its kernel runs"


class Tensor(Operators):
    """A view of a storage. How its elements are addressed says the kind: nearly all are `NkiTensor`s."""

    __slots__ = ("_storage", "offset")

    _storage: Storage
    #: In elements of the storage.
    offset: int

    def __init__(self, *given: Any, **named: Any) -> None:
        """Of the name that kernels have, `nl.NkiTensor`: it is there to ask for. Views of each kind have an `__init__` of their own."""
        raise TypeError(
            "nl.NkiTensor(...) makes no tensor: allocate one with nl.ndarray(shape, dtype=dtype, buffer=nl.sbuf); "
            "NkiTensor is for annotations and isinstance"
        )

    @property
    def _layout(self) -> Layout:
        """Shape and strides; raises in views that no instruction can take as they are."""
        raise NotImplementedError

    # -- what it is ---------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> Ints:
        """Extents. On chip the first axis walks partitions (unless block axes stand before it, in the legacy dialect)."""
        return self._layout.shown

    @property
    def strides(self) -> Ints:
        """Elements between neighbours, per axis."""
        return self._layout.strides

    @property
    def dtype(self) -> dtypes.Dtype:
        """Data type."""
        return self._layout.dtype

    @property
    def data(self) -> Tensor:
        """Itself: what grids of tiles (`tile_grids.py`) call the operand that they stand for, tensors have too."""
        return self

    @property
    def buffer(self) -> MemoryRegion:
        """Memory region it was allocated in."""
        return self._storage.region

    @property
    def name(self) -> str:
        """Name of the allocation."""
        return self._storage.name

    @property
    def address(self) -> Optional[Tuple[int, int]]:
        """(partition, byte in each partition) of the first element, of a tensor that was placed by hand; else None."""
        placed = program.state.tensors.addresses[self._storage.id]
        if placed < 0:
            return None
        row, column = divmod(self.offset, self._layout.row_elements)
        return row, int(placed) + column * self.itemsize

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return views.elements(self.shape)

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self._layout.dtype.itemsize

    def __len__(self) -> int:
        """Extent of the first axis."""
        return self.shape[0]

    def _described(self) -> str:
        """Name, dtype, shape and memory."""
        return f"<tensor {self.name or 'without name'} {self.dtype}{list(self.shape)} in {self.buffer.name}>"

    def __repr__(self) -> str:
        """With the values that it has at this moment of a kernel."""
        return self._described() if context.call is None else context.call.described(self)

    def __bool__(self) -> bool:
        """A tensor that was given or allocated is there, as kernels ask of optional arguments. What was computed from tiles decides an
        `assert`, by all its elements (`assert nl.equal(a, b)`), and nothing else: compiled kernels have no such branches."""
        row = program.first_user(self._storage.id)
        if row is None or self._storage.space == "hbm" or row.shape == "given" or not row.name.startswith("nki.language."):
            return True
        return context.running().holds(self)

    def is_contiguous(self) -> bool:
        """True when the view covers its storage densely; on chip the partition axis is left out."""
        layout = self._layout
        first = 0 if layout.space == "hbm" else 1
        return views.is_dense(layout.shape[first:], layout.strides[first:])

    def is_indirect(self) -> bool:
        """True when its address comes from a register, a tensor, or indices in SBUF."""
        return self._layout.dynamic

    def get_pattern(self) -> List[List[int]]:
        """[[stride, count], ...], as `ap` takes it."""
        return [[stride, count] for stride, count in zip(self.strides, self.shape)]

    def assert_shape(self, shape: Sequence[int]) -> Tensor:
        """Itself when it has this shape, else AssertionError."""
        assert tuple(shape) == self.shape, f"expected shape {tuple(shape)}, the tensor has {self.shape}"
        return self

    # -- parts --------------------------------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Tensor:
        """Ints, slices, `nl.ds`, Ellipsis, None, or (legacy) index expressions. Raises what `_layout` raises."""
        if key is Ellipsis:
            return self
        raise self._refused("subscript")

    def vector_select(self, dim: int, vector_offset: Tensor) -> Tensor:
        """Row vector_offset[p] for every partition p; tensors in HBM, dim 0. Raises what `_layout` raises."""
        raise self._refused("vector_select")

    def ap(self, pattern: Sequence[Sequence[int]], *arguments: Any, **options: Any) -> Tensor:
        """The access pattern [[stride, count], ...] over the storage. Raises what `_layout` raises."""
        raise self._refused("ap")

    def view(self, dtype: Any) -> Tensor:
        """The same bits as another dtype. Raises what `_layout` raises."""
        raise self._refused("view")

    def reinterpret_cast(self, dtype: Any) -> Tensor:
        """`view`."""
        return self.view(dtype)

    def _refused(self, what: str) -> NkiValidationError:
        return NkiValidationError(f"{what}: a view with the layout {self._layout} has none")

    def slice(self, dim: int, start: int, end: int, step: int = 1) -> Tensor:
        """`start:end:step` along one axis."""
        return self[(slice(None),) * checked_axis(dim, self.ndim) + (slice(start, end, step),)]

    def select(self, dim: int, index: int) -> Tensor:
        """One position along an axis, which goes away (the partition axis stays with size 1). A register, or a tensor of one
        element, is a position that the machine knows when it runs."""
        return self[(slice(None),) * checked_axis(dim, self.ndim) + (index,)]

    def indirect(self, index: Tensor, num_elem: Optional[int] = None) -> Tensor:
        """Refused: columns by an index tensor inside an instruction, which NeuronCore-v4 has.

        Its stub (nki/api/nki/language/__init__.py) names the offsets of one group of 16 or 32 partitions; whether each group of a taller
        tile has its own, what index.size offsets are then, their dtype and unit, and what offsets outside do, no public document says.
        The 0.5.0 release notes have it select partitions, the Trn3 architecture guide elements of the free dimension.
        """
        raise refusals.refuse("nki.language.NkiTensor.indirect")

    # -- shape --------------------------------------------------------------------------------------------------------

    def reshape(self, *sizes: Any, shape: Any = None) -> Tensor:
        """The same elements under another shape, without a copy. On chip the partition axis keeps its extent."""
        sizes = sizes if shape is None else (shape,)
        wanted = sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes
        if context.dialect == "neuronxcc":
            # Published kernels divide extents with `/`, and ran.
            wanted = [int(size) if isinstance(size, float) and size.is_integer() else size for size in wanted]
        layout = self._layout
        if layout.space == "hbm":
            return self._with(*_viewed(layout.shape, layout.strides, wanted))
        self._partition_first("reshape")
        wanted = views.fill_unknown(wanted, self.size)
        if wanted[0] != layout.shape[0]:
            raise NkiValidationError(
                f"reshape {layout.shape} to {wanted}: the partition axis (the first) must keep its {layout.shape[0]} partitions"
            )
        free, strides = _viewed(layout.shape[1:], layout.strides[1:], wanted[1:])
        return self._with((wanted[0], *free), (layout.strides[0], *strides))

    def reshape_dim(self, dim: int, shape: Sequence[int]) -> Tensor:
        """Splits one axis."""
        dim = checked_axis(dim, self.ndim)
        split = views.fill_unknown(shape, self.shape[dim])
        if self._is_partition(dim) and split != (self.shape[dim],):
            raise NkiValidationError("reshape_dim: the partition axis cannot be split")
        strides = tuple(inner * self.strides[dim] for inner in views.contiguous(split))
        return self._spliced(dim, dim + 1, split, strides)

    def flatten_dims(self, start_dim: int, end_dim: int) -> Tensor:
        """Merges the axes `start_dim`..`end_dim`, both included."""
        first, last = checked_axis(start_dim, self.ndim), checked_axis(end_dim, self.ndim)
        if self._layout.space != "hbm" and first <= self._layout.partition_axis <= last:
            raise NkiValidationError("flatten_dims: the partition axis cannot be merged with others")
        count = views.elements(self.shape[first : last + 1])
        shape, strides = _viewed(self.shape[first : last + 1], self.strides[first : last + 1], (count,))
        return self._spliced(first, last + 1, shape, strides)

    def permute(self, dims: Sequence[int]) -> Tensor:
        """Axes in another order. On chip the partition axis stays first."""
        order = [checked_axis(dim, self.ndim) for dim in dims]
        if sorted(order) != list(range(self.ndim)):
            raise NkiValidationError(f"permute({tuple(dims)}): not an order of {self.ndim} axes")
        if self._layout.space != "hbm" and order[0] != 0:
            raise NkiValidationError(
                "permute: the partition axis of an on-chip tensor stays first; use nc_transpose to move data across partitions"
            )
        return self._with(tuple(self.shape[dim] for dim in order), tuple(self.strides[dim] for dim in order))

    def expand_dims(self, axis: int) -> Tensor:
        """`expand_dim`, as the legacy dialect and NumPy name it."""
        return self.expand_dim(axis)

    def expand_dim(self, dim: int) -> Tensor:
        """A new axis of size 1 at this position."""
        axis = dim + self.ndim + 1 if dim < 0 else dim
        if axis == 0 and self._layout.space != "hbm":
            raise NkiValidationError("expand_dim(0): the partition axis of an on-chip tensor stays first")
        return self._spliced(axis, axis, (1,), (1,))

    def squeeze_dim(self, dim: int) -> Tensor:
        """Removes an axis of size 1."""
        dim = checked_axis(dim, self.ndim)
        if self.shape[dim] != 1 or self._is_partition(dim):
            raise NkiValidationError(f"squeeze_dim({dim}): axis {dim} of shape {self.shape} is not a free axis of size 1")
        return self._spliced(dim, dim + 1, (), ())

    def broadcast(self, dim: int, size: int) -> Tensor:
        """Repeats an axis of size 1."""
        dim = checked_axis(dim, self.ndim)
        if self.shape[dim] != 1 or self._is_partition(dim):
            raise NkiValidationError(f"broadcast({dim}, {size}): axis {dim} of shape {self.shape} is not a free axis of size 1")
        return self._spliced(dim, dim + 1, (size,), (0,))

    def broadcast_to(self, *shape: Any) -> Tensor:
        """The view repeated to a larger shape, under NumPy's rules; partitions included."""
        wanted = tuple(shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape)
        try:
            return self._with(wanted, views.broadcast(self.shape, self.strides, wanted))
        except ValueError as error:
            raise NkiValidationError(f"broadcast_to: {error}") from None

    def rearrange(self, src_pattern: Sequence[Any], dst_pattern: Sequence[Any], fixed_sizes: Optional[Dict[str, int]] = None) -> Tensor:
        """Einops-style: split, reorder and merge named axes."""
        split, order, merged = views.rearrange(self.shape, src_pattern, dst_pattern, fixed_sizes or {})
        return self.reshape(split).permute(order).reshape(merged)

    # -- for the recorder ---------------------------------------------------------------------------------------------

    def _with(self, shape: Sequence[int], strides: Sequence[int], axis: Optional[int] = None, offset: Optional[int] = None) -> Tensor:
        layout = self._layout
        if axis is None or layout.space == "hbm":
            axis = layout.partition_axis
        moved = layout.replaced(tuple(shape), tuple(strides), axis)
        return self._at(moved, self.offset if offset is None else offset)

    def _at(self, layout: Layout, offset: int) -> Tensor:
        """Another view of the storage by strides alone. `offset` in elements of the layout's dtype."""
        raise NotImplementedError

    def _at_runtime(self, where: Any = None) -> Tensor:
        """The same view, marked as one whose address a register holds. `where`: what the kernel gave for it; a tensor in SBUF that moves a
        view of HBM is loaded into the register for each DMA."""
        loads = isinstance(where, Tensor) and self._layout.space == "hbm" and where._layout.space == "sbuf"
        return self._at(self._layout.at_runtime(where if loads else None), self.offset)

    def _spliced(self, first: int, stop: int, shape: Sequence[int], strides: Sequence[int]) -> Tensor:
        """Axes first..stop replaced."""
        axis = self._layout.partition_axis
        if axis >= stop:
            axis += len(shape) - (stop - first)
        return self._with((*self.shape[:first], *shape, *self.shape[stop:]), (*self.strides[:first], *strides, *self.strides[stop:]), axis)

    def _is_partition(self, axis: int) -> bool:
        return self._layout.partition_axis == axis

    def _partition_first(self, what: str) -> None:
        if self._layout.partition_axis > 0:
            raise NkiValidationError(f"{what}: index the block axes before the partition axis first (shape {self.shape})")

    def _trimmed(self, starts: Sequence[int], counts: Sequence[int]) -> Tensor:
        """The box of a mask: axes align from the right, repeated axes (size 1) stay."""
        shape, strides, offset = list(self.shape), self.strides, self.offset
        for axis in range(1, min(len(shape), len(counts)) + 1):
            if shape[-axis] != 1:
                offset += starts[-axis] * strides[-axis]
                shape[-axis] = counts[-axis]
        return self._with(shape, strides, None, offset)


def runtime_value(value: Any) -> int:
    """The integer in a register, a scalar or a tensor of one element, as it is now."""
    if isinstance(value, Tensor):
        return context.running(NO_VALUES).read_scalar(value)
    if isinstance(value, NkiScalar):
        return value._value
    if not isinstance(value, VirtualRegister):
        raise TypeError(
            f"an offset that is known at run time is a register, an NkiScalar or a tensor of one element, not {type(value).__name__}"
        )
    return as_index(value)


def check_offset(view: Tensor, value: Any) -> None:
    """What is known at run time and moves `view`: its 64 bits would not fit a memory on chip."""
    if getattr(value, "dtype", None) is not dtypes.INT64:
        return
    if isinstance(value, Tensor):
        raise TypeError("an offset of int64 is an NkiScalar: nisa.scalar_load makes one of a tensor")
    if view._layout.space != "hbm":
        raise NkiValidationError(f"an offset of int64 moves tensors in HBM only, not {view._described()}: use an NkiScalar of int32")


def known_value(value: Any) -> Optional[int]:
    """The same; None when only the machine knows, because another core has a part in it."""
    return context.running(NO_VALUES).known_scalar(value) if isinstance(value, Tensor) else runtime_value(value)


def _viewed(shape: Sequence[int], strides: Sequence[int], wanted: Sequence[int]) -> Tuple[Ints, Ints]:
    try:
        return views.reshape(shape, strides, wanted)
    except ValueError as error:
        raise NkiValidationError(str(error)) from None


def checked_axis(dim: int, ndim: int) -> int:
    """An axis counted from the front. IndexError when there is none."""
    if not -ndim <= dim < ndim:
        raise IndexError(f"axis {dim} of a tensor of {ndim} axes")
    return dim + ndim if dim < 0 else dim


def reach(view: Tensor) -> Tuple[int, int, int]:
    """Lowest and highest element of a view, and how many its storage has, in elements of the view's dtype."""
    storage, layout = view._storage, view._layout
    spans = [stride * (count - 1) for stride, count in zip(layout.strides, layout.shape)]
    low, high = view.offset + sum(min(0, span) for span in spans), view.offset + sum(max(0, span) for span in spans)
    return low, high, storage.elements * storage.dtype.itemsize // layout.dtype.itemsize


def is_inside(view: Tensor) -> bool:
    """True when every element of the view is one of its storage."""
    low, high, elements = reach(view)
    return low >= 0 and high < elements
