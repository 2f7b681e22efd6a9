"""What a kernel returns: tensors in HBM, whole, alone or inside tuples, lists and dictionaries."""

from __future__ import annotations

import warnings
from typing import Any, Dict, List, NamedTuple, Tuple

from ..allocation import allocation
from ..calls import calls
from ..program import program
from ..tensors.memory import MemoryRegion, Storage
from ..tensors.tensor import Tensor
from ..vocabulary.dtypes import INT64
from ..vocabulary.errors import NkiCheckWarning, NkiValidationError
from ..vocabulary.table import ROWS
from ..wire import arrays, host

#: Code of `TENSOR_KINDS`.
_OUTPUT = program.KINDS.index("output")


def in_hbm(value: Any) -> Any:
    """The same with tiles stored to HBM: AWS's legacy simulator gives their values too. Warns: its compiler does not."""
    if isinstance(value, Tensor):
        return value if value._storage.space == "hbm" else _stored(value)
    if isinstance(value, dict):
        return {key: in_hbm(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        return type(value)(in_hbm(item) for item in value)
    return value


def _stored(tile: Tensor) -> Tensor:
    name = tile.name or "output"
    made = allocation.allocate(tile.shape, tile.dtype, MemoryRegion.hbm, name, program.KERNEL_FRAME)
    calls.record_at(program.KERNEL_FRAME, ROWS["nki.language.store"], {"dst": made, "value": tile})
    file, line = program.frame_location(program.KERNEL_FRAME)
    text = f"the kernel returns {name}, which is in {tile._storage.space.upper()}: only simulation takes that, store it to HBM"
    warnings.warn_explicit(text, NkiCheckWarning, file, line)
    return made


def tensors(value: Any) -> List[Tuple[str, Tensor]]:
    """(name, tensor) of all in it."""
    if isinstance(value, Tensor):
        return [(value.name or "output", value)]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (tuple, list)) else ()
    return [found for item in items for found in tensors(item)]


def output(tensor: Tensor, name: str) -> int:
    """Marks a tensor as an output; its number."""
    storage = tensor._storage
    if storage.space != "hbm":
        raise NkiValidationError(
            f"the kernel returns {name}, which is in {storage.space.upper()}: copy it to an HBM tensor and return that"
        )
    if tensor.offset != 0 or tensor.size != storage.elements or tensor.dtype != storage.dtype or not tensor.is_contiguous():
        raise NkiValidationError(f"the kernel returns a part of {name}: return the whole tensor")
    if program.state.tensors.kinds[storage.id] == 0:
        program.state.tensors.kinds[storage.id] = _OUTPUT
    return storage.id


def stored_shape(tensor: int) -> Tuple[int, ...]:
    """Extents of a tensor's storage, by its number."""
    known = program.state.tensors
    return tuple(known.shapes[known.starts[tensor] : known.starts[tensor + 1]])


class Output(NamedTuple):
    """A tensor that is an output, without the tensor."""

    #: Its number.
    tensor: int
    shape: Tuple[int, ...]
    #: It is int64, which programs hold as words.
    is_words: bool


def output_of(storage: Storage, shape: Tuple[int, ...] = ()) -> Output:
    """A tensor's storage as an output."""
    return Output(storage.id, tuple(shape), storage.dtype is INT64)


def described(value: Any) -> Any:
    """What a kernel returns, with an `Output` for each tensor."""
    if isinstance(value, Tensor):
        return output_of(value._storage, value.shape)
    if isinstance(value, dict):
        return {key: described(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        return type(value)(described(item) for item in value)
    return value


def array_of(output: Output, made: Dict[int, host.HostArray]) -> host.HostArray:
    """The values of a tensor in its own dtype."""
    array = made[output.tensor]
    return arrays.of_words(array) if output.is_words else array


def results(value: Any, made: Dict[int, host.HostArray], family: arrays.Family, fetch: bool) -> Any:
    """What the caller gets: arrays of its own library where the kernel returned tensors (`described`). `made`: values by tensor number."""
    if isinstance(value, Output):
        array = array_of(value, made)
        if array.shape != value.shape:
            array = host.operate("reshape", array.dtype, value.shape, [array])
        return arrays.from_host(array, family, fetch)
    if isinstance(value, dict):
        return {key: results(item, made, family, fetch) for key, item in value.items()}
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        return type(value)(results(item, made, family, fetch) for item in value)
    return value
