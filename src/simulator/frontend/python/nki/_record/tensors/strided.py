"""The usual tensor: a view addressed by strides alone. Its subscripts and access patterns make views of every kind.

Source: as `tensor.py`.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence

from ..vocabulary import dtypes
from ..vocabulary.errors import NkiValidationError
from . import indirect, reinterpret, subscripts, views
from .memory import Layout, Storage
from .outside import OutsideTensor
from .tensor import Tensor, check_offset, checked_axis, is_inside, known_value, reach


class NkiTensor(Tensor):
    """A view: element (i0, i1, ...) is element `offset + sum(i_k * strides[k])` of its storage. Named as messages name it to users."""

    __slots__ = ("_layout",)

    def __init__(self, storage: Storage, layout: Layout, offset: int) -> None:
        """`offset` in elements of the storage."""
        self._storage = storage
        self._layout = layout
        self.offset = offset

    def _at(self, layout: Layout, offset: int) -> Tensor:
        return NkiTensor(self._storage, layout, offset)

    def __getitem__(self, key: Any) -> Tensor:
        """Ints, slices, `nl.ds`, Ellipsis, None, or (legacy) index expressions."""
        layout = self._layout
        if type(key) is tuple and len(key) == 2 and layout.ndim == 2:
            rows, columns = key
            if type(rows) is slice and type(columns) is slice and rows.step is None and columns.step is None:
                extent_0, extent_1 = layout.shape
                first_0, stop_0 = rows.start, rows.stop
                first_1, stop_1 = columns.start, columns.stop
                if first_0 is None:
                    first_0 = 0
                if first_1 is None:
                    first_1 = 0
                if stop_0 is None:
                    stop_0 = extent_0
                if stop_1 is None:
                    stop_1 = extent_1
                try:
                    if 0 <= first_0 < stop_0 <= extent_0 and 0 <= first_1 < stop_1 <= extent_1:
                        shape = (stop_0 - first_0, stop_1 - first_1)
                        stride_0, stride_1 = layout.strides
                        view = layout.children.get(shape) or layout.with_shape(shape)
                        return NkiTensor(self._storage, view, self.offset + first_0 * stride_0 + first_1 * stride_1)
                except TypeError:
                    pass  # not integers: the general way says what is wrong
        elif key is Ellipsis:
            return self
        return subscripts.subscript(self, key)

    def select(self, dim: int, index: Any) -> Tensor:
        """As `Tensor.select`. A value from SBUF that is out of range is an error of the call that uses the view, unless that skips.

        foxl-ai/kiln at a04d1fa, kiln/kernels/moe_dedupe_kernels.py, ran on Trn1: it skips loads by an index that is as large as the axis.
        """
        at = known_value(index) if isinstance(index, Tensor) else None
        axis = checked_axis(dim, self.ndim)
        if at is None or 0 <= at < self.shape[axis] or self._layout.space != "hbm":
            return super().select(dim, index)
        return indirect.by_value(super().select(dim, 0), index, self.strides[axis], self.shape[axis])

    def vector_select(self, dim: int, vector_offset: Tensor) -> Tensor:
        """Row vector_offset[p] for every partition p; tensors in HBM, dim 0."""
        if dim != 0:
            raise NkiValidationError(f"vector_select: dim must be 0, not {dim}")
        return indirect.by_rows(self, vector_offset)

    def ap(
        self,
        pattern: Sequence[Sequence[int]],
        offset: Optional[int] = None,
        scalar_offset: Any = None,
        vector_offset: Any = None,
        indirect_dim: int = 0,
        dtype: Any = None,
    ) -> Tensor:
        """The access pattern [[stride, count], ...] over the storage, from element `offset` (None: where this view starts).

        A first stride of as many elements as a row of this view has, in SBUF and PSUM, walks rows of the view, from its own first element:
        kernels that make patterns of shapes alone take views of views so (nki-library, `TensorView`).

        Source: aws-neuron-sdk nki/deep-dives/nki-aps.rst "Composition and .ap on a view" and the language guide: pattern and offset ignore
        the view they are called on, and an explicit offset overrides where it starts. (The stub of NkiTensor.ap adds the two,
        as the rule above does; `mlp_tkg` of nki-library with biases is right only so.)
        """
        views.check_pairs(pattern)
        if vector_offset is not None:
            rows = [[0, pattern[0][1]], *pattern[1:]]  # the indices say where each row is: the stride of the first pair is not used
            return indirect.by_pattern(self.ap(rows, offset, dtype=dtype), self, scalar_offset, vector_offset, indirect_dim)
        if dtype is not None:
            return reinterpret.as_dtype(self, dtypes.parse(dtype)).ap(pattern, offset, scalar_offset, None, indirect_dim)
        strides, shape = tuple(int(pair[0]) for pair in pattern), tuple(int(pair[1]) for pair in pattern)
        start = self.offset if offset is None else int(offset)
        rows = self._own_rows()
        if rows is not None and strides[:1] == (rows,):
            partition, column = divmod(int(offset or 0), rows)
            strides = (self._layout.row_elements, *strides[1:])
            start = self.offset + partition * self._layout.row_elements + column
        if scalar_offset is None:
            view = self._with(shape, strides, 0, start)
        else:
            check_offset(self, scalar_offset)
            dim = checked_axis(indirect_dim, self.ndim)
            at = known_value(scalar_offset)
            view = self._with(shape, strides, 0, start + (at or 0) * self.strides[dim])._at_runtime(scalar_offset)
            if isinstance(scalar_offset, Tensor) and (at is None or not is_inside(view)):
                return indirect.by_value(self._with(shape, strides, 0, start), scalar_offset, self.strides[dim], self.shape[dim])
        outside = _check_pattern(view)
        return view if outside is None else OutsideTensor(view, outside)

    def _own_rows(self) -> Optional[int]:
        """Elements of a row of this view in SBUF or PSUM; None: they are not next to each other, or as many as the storage has there."""
        layout = self._layout
        elements = 1
        for extent, stride in zip(reversed(layout.shape[1:]), reversed(layout.strides[1:])):
            if extent > 1 and stride != elements:
                return None
            elements *= extent
        inside = self._storage.space != "hbm" and layout.partition_axis == 0 and elements != layout.row_elements
        return elements if inside else None

    def view(self, dtype: Any) -> Tensor:
        """The same bits as another dtype; the last axis, contiguous, shrinks or grows with the size of its elements."""
        return reinterpret.view(self, dtypes.parse(dtype))


def _check_pattern(view: Tensor) -> Optional[str]:
    """An explicit pattern walks partitions first on chip. Returns what is wrong when it leaves the storage."""
    storage, layout = view._storage, view._layout
    if min(layout.shape, default=0) < 1:
        raise NkiValidationError(f"ap: every count must be at least 1, the pattern is {view.get_pattern()}")
    low, high, elements = reach(view)
    if low < 0 or high >= elements:
        return f"ap reaches elements {low}..{high} of {storage.name or 'a tensor'}, which has {elements}"
    rows = layout.row_elements
    if storage.space != "hbm" and layout.shape[0] > 1 and layout.strides[0] not in (0, rows):
        raise NkiValidationError(
            f"ap: the first pair walks partitions, one after another: its stride must be {rows}, the elements per partition, "
            f"not {layout.strides[0]}"
        )
    return None
