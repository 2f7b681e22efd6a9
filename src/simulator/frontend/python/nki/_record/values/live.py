"""Values of the kernel being recorded, as they are at this very call: what registers, dynamic loops and `print(tile)` show.

The host executes what the asked tensor depends on, of the instructions recorded so far (`execute/live/`). What was sent
before is not sent again.
"""

from __future__ import annotations

import struct
import sys
from typing import Any, Callable, Dict, List, Optional

from ..launch import launch
from ..program import cores, encoding, locations, program
from ..tensors.tensor import Tensor
from ..vocabulary.errors import HostError, NkiValidationError
from ..wire import host

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
}


def read(tensor: Tensor, purpose: str) -> bytes:
    """The packed values of a view, C order. `purpose`: "control" or "print". HostError when the host cannot compute them; OtherCoreError
    for those that the other core has a part in."""
    call = _call()
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


def _call() -> launch.Launch:
    if launch.current is None:
        raise NkiValidationError("a tensor has values only while its kernel runs")
    return launch.current


def _view(tensor: Tensor) -> Dict[str, Any]:
    return {
        "tensor": tensor._storage.id,
        "dtype": str(tensor.dtype),
        "offset": tensor.offset,
        "strides": tensor.strides,
        "counts": tensor.shape,
    }


def _read_across(tensor: Tensor) -> bytes:
    """What control flow needs, from whichever core it comes."""
    try:
        return read(tensor, "control")
    except HostError as error:
        if error.kind != OTHER_CORE:
            raise
    return _call().answers.next(_call().core, _view(tensor))


def _apart(call: launch.Launch) -> Dict[str, Any]:
    """What tells the host which values the other core of LNC2 may have a part in: they are not there while this one is recorded."""
    if call.cores == 1:
        return {}
    shared = [tensor._storage.id for tensor in call.shared_tensors]
    return {"apart": {"core": call.core, "from": call.begun, "shared": [*shared, *call.answers.written]}}


def read_scalar(tensor: Tensor) -> int:
    """The one element of a tensor as the integer that a register would hold: floats lose their fraction."""
    return _scalar(tensor, _read_across)


def known_scalar(tensor: Tensor) -> Optional[int]:
    """The same; None when only the machine knows, because the other core has a part in it."""
    try:
        return _scalar(tensor, lambda view: read(view, "control"))
    except HostError as error:
        if error.kind != OTHER_CORE:
            raise
        return None


def _scalar(tensor: Tensor, values: Callable[[Tensor], bytes]) -> int:
    if tensor.size != 1:
        raise NkiValidationError(f"a register holds one element, the tensor has shape {tensor.shape}")
    value = numbers(tensor, values(tensor))[0]
    try:
        return int(value)
    except (ValueError, OverflowError):
        raise NkiValidationError(
            f"a register cannot hold {value}, the value of {tensor.name or 'the tensor'} here: was it written?"
        ) from None


program.read_scalar, program.known_scalar = read_scalar, known_scalar


def truth(tensor: Tensor) -> bool:
    """True when no element is zero, for an `assert`. NkiValidationError for everything else that Python would decide by it."""
    if not locations.position(sys._getframe())[2].asserted:
        raise NkiValidationError("the value of a tensor is not known while the kernel is recorded: it cannot decide an 'if' or 'while'")
    return all(numbers(tensor, _read_across(tensor)))


program.truth = truth


def numbers(tensor: Tensor, data: bytes) -> List[Any]:
    """Packed values as Python numbers, in the order of the bytes."""
    dtype = str(tensor.dtype)
    code = _CODES.get(dtype)
    if code is not None:
        return list(struct.unpack(f"<{tensor.size}{code}", data))
    array = host.operate("cast", "float32", tensor.shape, [host.put(dtype, tensor.shape, data)])
    return list(struct.unpack(f"<{tensor.size}f", array.tobytes()))
