"""A tensor's bits as another dtype: `NkiTensor.view(dtype)` and `ap(dtype=)`. Views only; the program's operands say their dtype.

Source: aws-neuron-sdk nki/api/nki/language/__init__.py `NkiTensor.view`, nki/deep-dives/nki-aps.rst "Reinterpret Cast with ap".
"""

from __future__ import annotations

from ..vocabulary.dtypes import Dtype
from ..vocabulary.errors import NkiValidationError
from .memory import Layout
from .tensor import Tensor


def view(tensor: Tensor, dtype: Dtype) -> Tensor:
    """The view with its last axis counted in elements of `dtype`. NkiValidationError when they do not fit in it."""
    old, new = tensor.dtype.itemsize, dtype.itemsize
    shape, strides = tensor.shape, tensor.strides
    if old != new and strides[-1] != 1 and shape[-1] != 1:
        raise NkiValidationError(f"view({dtype}): the last axis of {shape} has a stride of {strides[-1]}; it must be contiguous")
    fits = shape[-1] * old % new == 0 and tensor.offset * old % new == 0 and all(stride * old % new == 0 for stride in strides[:-1])
    on_partitions = tensor._layout.space != "hbm" and len(shape) - 1 == tensor._layout.partition_axis
    if not fits or (on_partitions and old != new):
        raise NkiValidationError(f"view({dtype}): {tensor._described()} does not divide into elements of {new} bytes along its last axis")
    scaled = tuple(stride * old // new for stride in strides[:-1])
    last = strides[-1] if old == new else 1
    layout = _layout(tensor, dtype, (*shape[:-1], shape[-1] * old // new), (*scaled, last))
    return tensor._at(layout, tensor.offset * old // new)


def as_dtype(tensor: Tensor, dtype: Dtype) -> Tensor:
    """The storage as `dtype`, for an access pattern that says its own shape. Strides tell how far a scalar offset reaches."""
    start = tensor.offset * tensor.dtype.itemsize
    if start % dtype.itemsize:
        raise NkiValidationError(f"ap(dtype={dtype}): the view starts at byte {start}, inside an element of {dtype.itemsize} bytes")
    strides = tuple(stride * tensor.dtype.itemsize // dtype.itemsize for stride in tensor.strides)
    return tensor._at(_layout(tensor, dtype, tensor.shape, strides), start // dtype.itemsize)


def _layout(tensor: Tensor, dtype: Dtype, shape: tuple, strides: tuple) -> Layout:
    storage, axis = tensor._storage, tensor._layout.partition_axis
    row_bytes = storage.row_elements * storage.dtype.itemsize
    if row_bytes % dtype.itemsize:
        raise NkiValidationError(
            f"{tensor._described()} as {dtype}: a partition of {row_bytes} bytes does not divide into elements of {dtype.itemsize}"
        )
    return Layout.of(shape, strides, dtype, storage.space, row_bytes // dtype.itemsize, axis)
