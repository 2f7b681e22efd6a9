"""Views with one axis addressed by indices in SBUF: `ap(vector_offset=)`, `vector_select`, legacy `x[idx_tile, i_f]`.

Element (i0, i1, ...) of such a view is that of `direct` plus index * stride. Rows that take indices have an operand
`x_index` beside `x`; for others a single index is read while the kernel is recorded, where that is possible.
Source: aws-neuron-sdk nki/deep-dives/nki-aps.rst "Dynamic Access"; legacy: nki.language.load at 1db4d74e, examples 12 to 18.
"""

from __future__ import annotations

from typing import Any, Dict, List, Sequence, Tuple

from ..vocabulary.errors import NkiUnsupportedError, NkiValidationError
from ..vocabulary.table import Row
from . import expressions
from .derived import DerivedTensor
from .index import DynamicIndex, Index
from .index_axes import axes
from .tensor import Tensor, is_inside, known_value, runtime_value

Ints = Tuple[int, ...]


class IndirectTensor(DerivedTensor):
    """A view whose elements lie `index * stride` further than those of `direct`; indices from 0 to `extent` - 1 are valid."""

    __slots__ = ("index", "stride", "extent", "axis")
    __hash__ = None  # type: ignore[assignment] - never a known call

    def __init__(self, direct: Tensor, index: Tensor, stride: int, extent: int, axis: int) -> None:
        """`axis` of `direct` along which rows have indices of their own; -1: one index for all."""
        super().__init__(direct)
        self.index, self.stride, self.extent, self.axis = index, stride, extent, axis

    def _obstacle(self) -> Exception:
        """Every call with such a view is recorded anew."""
        return AttributeError("_layout")

    def __repr__(self) -> str:
        """Without values: only the machine brings them together."""
        return f"{self.direct._described()[:-1]} by indices of shape {self.index.shape}>"

    def is_indirect(self) -> bool:
        """True."""
        return True

    def _with(self, *arguments: Any) -> Tensor:
        return self._again(self.direct._with(*arguments))

    def _spliced(self, *arguments: Any) -> Tensor:
        return self._again(self.direct._spliced(*arguments))

    def _trimmed(self, starts: Sequence[int], counts: Sequence[int]) -> Tensor:
        return IndirectTensor(
            self.direct._trimmed(starts, counts), self.index._trimmed(starts, counts), self.stride, self.extent, self.axis
        )

    def _again(self, direct: Tensor) -> Tensor:
        return IndirectTensor(direct, self.index, self.stride, self.extent, self.axis)

    def __getitem__(self, key: Any) -> Tensor:
        """Slices and integers over the axes without indices."""
        if key is Ellipsis:
            return self
        direct = self.direct[key]
        if self.axis >= 0 and direct.shape[self.axis] != self.direct.shape[self.axis]:
            raise NkiValidationError("the axis that has indices cannot be sliced again: slice the tile of indices instead")
        return self._again(direct)

    def _refuse(self, *arguments: Any, **named: Any) -> Any:
        raise NkiValidationError("a view that is addressed by indices takes no second dynamic access and no other dtype")

    ap = view = reinterpret_cast = vector_select = _refuse  # type: ignore[assignment]

    def select(self, dim: int, index: Any) -> Tensor:
        """One position along an axis without indices."""
        return self._refuse() if isinstance(index, Tensor) else super().select(dim, index)

    def permute(self, dims: Sequence[int]) -> Tensor:
        """Axes in another order; the one with indices stays first."""
        if self.axis == 0 and dims[0] != 0:
            raise NkiValidationError("permute: the axis that has indices stays first")
        return self._again(self.direct.permute(dims))

    def reshape(self, *shape: Any) -> Tensor:
        """The same elements under another shape; the axis with indices keeps its extent."""
        made = self.direct.reshape(*shape)
        if self.axis == 0 and made.shape[0] != self.shape[0]:
            raise NkiValidationError(f"reshape: the first axis has indices: it must keep its extent {self.shape[0]}")
        return self._again(made)


# -- how they are made ------------------------------------------------------------------------------------------------


def by_pattern(direct: Tensor, base: Tensor, scalar: Any, vector: Any, dim: int) -> Tensor:
    """`base.ap(...)` with an offset for each row; `direct`: the pattern without them. `dim`: the axis of `base` that they count."""
    if scalar is not None:
        raise NkiValidationError("ap takes scalar_offset or vector_offset, not both")
    if dim != 0:
        raise NkiValidationError(f"ap: vector_offset needs indirect_dim=0, not {dim}")
    _check_vector(base, vector)
    stride = base.strides[0] * base.dtype.itemsize // direct.dtype.itemsize
    if vector.size < direct.shape[0]:
        raise NkiValidationError(f"ap: vector_offset has {vector.size} indices, the pattern {direct.shape[0]} rows")
    return IndirectTensor(direct._with(direct.shape, (0, *direct.strides[1:])), vector, stride, base.shape[0], 0)


def by_value(direct: Tensor, scalar: Tensor, stride: int, extent: int) -> Tensor:
    """A view that one value from SBUF moves: out of its tensor, so that only what `oob_mode.skip` leaves of it can be moved, or to where
    only the machine knows, because another core has a part in the value."""
    _check_index(scalar)
    return IndirectTensor(direct, scalar, stride, extent, -1)


def by_rows(base: Tensor, vector: Any) -> Tensor:
    """`base.vector_select(0, vector)`: row vector[p] for every p."""
    _check_vector(base, vector)
    direct = base._with((vector.shape[0], *base.shape[1:]), (0, *base.strides[1:]))
    return IndirectTensor(direct, vector, base.strides[0], base.shape[0], 0)


def _check_vector(base: Tensor, vector: Any) -> None:
    if not isinstance(vector, Tensor):
        raise TypeError(f"vector_offset takes a tile of indices in SBUF, not {type(vector).__name__}")
    if base._layout.space != "hbm":
        raise NkiValidationError("vector_offset: only tensors in HBM can be addressed by a vector of indices; use nisa.nc_n_gather in SBUF")
    _check_index(vector)


def _check_index(index: Tensor) -> None:
    if index._layout.space != "sbuf" or index.dtype.kind != "int":
        raise NkiValidationError(f"indices must be integers in SBUF, not {index._described()}")


def by_expressions(tensor: Tensor, entries: Sequence[Any]) -> Tensor:
    """Legacy subscripts with a tile of indices, or an expression that holds one, for one of the axes."""
    dynamic = [axis for axis, entry in enumerate(entries) if isinstance(entry, (Tensor, DynamicIndex))]
    if len(dynamic) > 1:
        raise NkiValidationError("only one axis of a tensor can be indexed by values of another")
    axis = dynamic[0]
    entry = entries[axis]
    index, rest = (entry.tensor, entry.rest) if isinstance(entry, DynamicIndex) else (entry, Index(axes((), ()), 0))
    _check_index(index)
    layout = tensor._layout
    if layout.space != "hbm" and axis == layout.partition_axis:
        raise NkiValidationError("the partition axis of an on-chip tensor cannot be indexed by values in SBUF")
    terms: List[Any] = list(entries)
    terms[axis] = rest + Index(axes(index.shape, (0,) * index.ndim), 0)
    if all(isinstance(term, slice) for at, term in enumerate(terms) if at != axis):
        raise NkiValidationError("beside a tile of indices, index the other axes with nl.arange expressions, not with slices")
    direct = expressions.by_expressions(tensor, terms)
    rows = -1 if index.size == 1 else 0
    return IndirectTensor(direct, index, layout.strides[axis], layout.shape[axis], rows)


# -- calls ------------------------------------------------------------------------------------------------------------


def settle(row: Row, arguments: Dict[str, Any]) -> bool:
    """Replaces indirect views among a call's arguments by what the row records. True when there were any."""
    found = [name for name, value in arguments.items() if isinstance(value, IndirectTensor)]
    takes = {operand.name for operand in row.operands}
    moved = [name for name, value in arguments.items() if name not in found and _address(value) is not None]
    for name in moved:
        view = arguments[name]
        arguments[name] = view._at_runtime()
        if f"{name}_address" in takes:
            arguments[f"{name}_address"] = _address(view)
    for name in found:
        value = arguments[name]
        if f"{name}_index" in takes:
            _check_skips(row, name, value, arguments)
            arguments[name] = value.direct
            arguments[f"{name}_index"] = value.index
            arguments[f"{name}_indirect"] = [value.stride, value.extent]
        else:
            arguments[name] = _read_now(row, name, value)
    return bool(found or moved)


def _address(value: Any) -> Any:
    """The tensor of one element that a register is loaded from to find a view; None for all others."""
    return value._layout.address if isinstance(value, Tensor) and not isinstance(value, DerivedTensor) else None


def _check_skips(row: Row, name: str, value: IndirectTensor, arguments: Dict[str, Any]) -> None:
    """An error where it is made, when one value decides."""
    mode = arguments.get("oob_mode", arguments.get("mode"))
    if value.axis >= 0 or (mode is not None and mode.name == "skip"):
        return
    at = known_value(value.index)
    if at is not None and not is_inside(value.direct._at(value.direct._layout, value.direct.offset + at * value.stride)):
        raise IndexError(f"{row.name}: with the offset {at}, {name} leaves its tensor (oob_mode.skip moves only what lies inside)")


def _read_now(row: Row, name: str, value: IndirectTensor) -> Tensor:
    """The view with its index as the number it has now."""
    if value.axis >= 0:
        raise NkiUnsupportedError(f"{row.name}: {name} cannot be addressed by indices in SBUF; copy it with nisa.dma_copy first")
    at = runtime_value(value.index)
    if not 0 <= at < value.extent:
        raise NkiValidationError(f"{row.name}: index {at} of {name} is out of bounds for an axis of size {value.extent}")
    return value.direct._at(value.direct._layout, value.direct.offset + at * value.stride)
