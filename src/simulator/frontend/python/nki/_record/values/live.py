"""Values of the kernel being recorded, as they are at this very call: what registers, dynamic loops and `print(tile)` show.

The host executes what the asked tensor depends on, of the instructions recorded so far (`execute/live/`). What was sent
before is not sent again.
"""

from __future__ import annotations

import struct
import sys
from typing import Any, Dict, List, Optional, Protocol, Tuple

from ..program import cores, encoding, locations, program
from ..tensors import words
from ..tensors.tensor import Tensor
from ..vocabulary.context import context
from ..vocabulary.dtypes import INT64
from ..vocabulary.errors import HostError, NkiValidationError
from ..wire import host
from .cross_core import CrossCoreValues

#: `OtherCoreError` of execute/errors.ts.
OTHER_CORE = "OtherCoreError"
#: struct codes of dtypes that Python's own `struct` reads.
_CODES = {
    "float32": "f",
    "float16": "e",
    "int8": "b",
    "uint8": "B",
    "bool": "?",
    "int16": "h",
    "uint16": "H",
    "int32": "i",
    "uint32": "I",
    "int64": "q",
}


class Recording(Protocol):
    """What is needed of the kernel call that is being recorded (`launch/launch.py`)."""

    cores: int
    core: int
    #: First instruction of this program of the grid.
    begun: int
    #: (name, tensor, array).
    inputs: List[Tuple[str, int, host.HostArray]]
    shared_tensors: List[Tensor]
    #: What the host has of the program and of the inputs.
    sent: encoding.Mark
    sent_inputs: int
    assumed: List[cores.Assumed]
    cross_core: CrossCoreValues


def read(call: Recording, tensor: Tensor, purpose: str) -> bytes:
    """The packed values of a view, C order. `purpose`: "control" or "print". HostError when the host cannot compute them; OtherCoreError
    for those that the other core has a part in."""
    context.rank_matters = True
    first = call.sent.tensors == 0
    piece, call.sent = encoding.encode_piece(call.sent)
    inputs = [(number, array.handle) for _, number, array in call.inputs[call.sent_inputs :]]
    call.sent_inputs = len(call.inputs)
    header = {"call": "peek", "first": first, "inputs": inputs, "purpose": purpose, **_apart(call)}
    try:
        reply, data = host.call({**header, **_view(tensor)}, piece)
    except HostError as error:
        if error.frame is not None:
            error.location = program.frame_location(error.frame)
        raise
    if purpose == "control" and not reply["written"]:
        raise NkiValidationError(f"nothing has written {tensor.name or 'the tensor'} before: its value cannot decide anything")
    call.assumed.extend(cores.Assumed(call.core, *each) for each in reply["assumed"])
    return data


def _view(tensor: Tensor) -> Dict[str, Any]:
    tensor = words.of(tensor) if tensor.dtype is INT64 else tensor
    return {
        "tensor": tensor._storage.id,
        "dtype": str(tensor.dtype),
        "offset": tensor.offset,
        "strides": tensor.strides,
        "counts": tensor.shape,
    }


def _read_across(call: Recording, tensor: Tensor) -> bytes:
    """What control flow needs, from whichever core it comes."""
    try:
        return read(call, tensor, "control")
    except HostError as error:
        if error.kind != OTHER_CORE:
            raise
    return call.cross_core.next(call.core, _view(tensor))


def _apart(call: Recording) -> Dict[str, Any]:
    """What tells the host which values the other core of LNC2 may have a part in: they are not there while this one is recorded."""
    if call.cores == 1:
        return {}
    shared = [tensor._storage.id for tensor in call.shared_tensors]
    return {"apart": {"core": call.core, "from": call.begun, "shared": [*shared, *call.cross_core.written]}}


def read_scalar(call: Recording, tensor: Tensor) -> int:
    """The one element of a tensor as the integer that a register would hold: floats lose their fraction."""
    _check_one(tensor)
    return _integer(tensor, _read_across(call, tensor))


def known_scalar(call: Recording, tensor: Tensor) -> Optional[int]:
    """The same; None when only the machine knows, because the other core has a part in it."""
    _check_one(tensor)
    try:
        return _integer(tensor, read(call, tensor, "control"))
    except HostError as error:
        if error.kind != OTHER_CORE:
            raise
        return None


def _check_one(tensor: Tensor) -> None:
    if tensor.size != 1:
        raise NkiValidationError(f"a register holds one element, the tensor has shape {tensor.shape}")


def _integer(tensor: Tensor, data: bytes) -> int:
    value = numbers(tensor, data)[0]
    try:
        return int(value)
    except (ValueError, OverflowError):
        raise NkiValidationError(
            f"a register cannot hold {value}, the value of {tensor.name or 'the tensor'} here: was it written?"
        ) from None


def truth(call: Recording, tensor: Tensor) -> bool:
    """True when no element is zero, for an `assert`. NkiValidationError for everything else that Python would decide by it."""
    if not locations.position(sys._getframe())[2].asserted:
        raise NkiValidationError("the value of a tensor is not known while the kernel is recorded: it cannot decide an 'if' or 'while'")
    return all(numbers(tensor, _read_across(call, tensor)))


def numbers(tensor: Tensor, data: bytes) -> List[Any]:
    """Packed values as Python numbers, in the order of the bytes."""
    dtype = str(tensor.dtype)
    code = _CODES.get(dtype)
    if code is not None:
        return list(struct.unpack(f"<{tensor.size}{code}", data))
    array = host.operate("cast", "float32", tensor.shape, [host.put(dtype, tensor.shape, data)])
    return list(struct.unpack(f"<{tensor.size}f", array.tobytes()))
