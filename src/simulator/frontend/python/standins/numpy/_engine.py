"""Calls to the lazy array engine of the host (`frontend/protocol.ts`, `execute/arrays`). Arrays here are HostArrays; no NumPy rules."""

from __future__ import annotations

import array
import math
from typing import Any, List, Sequence, Tuple

from nki._record.launch import call_sites
from nki._record.vocabulary.context import context
from nki._record.vocabulary.layers import layers
from nki._record.wire import host

HostArray = host.HostArray


def _json(value: Any) -> Any:
    """JSON has no infinities and no NaN: they go as strings."""
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    if isinstance(value, float):
        return float(value)
    if isinstance(value, (list, tuple)):
        return [_json(item) for item in value]
    return value


def op(name: str, operands: Sequence[Any], shape: Sequence[int], dtype: str, **attributes: Any) -> Any:
    """A lazy operation's result; `operands` are HostArrays."""
    request = {
        "call": "array.op",
        "op": name,
        "operands": [operand.handle for operand in operands],
        "attributes": {key: _json(value) for key, value in attributes.items()},
        "dtype": dtype,
        "shape": list(shape),
    }
    if layers.path and context.call is None:  # a part of the script's model
        request["site"] = call_sites.here()
    reply, _ = host.call(request)
    return HostArray(reply["array"], tuple(shape), dtype)


def put(dtype: str, shape: Sequence[int], payload: bytes) -> Any:
    """An array from packed little-endian bytes in C order."""
    reply, _ = host.call({"call": "array.put", "dtype": dtype, "shape": list(shape)}, payload)
    return HostArray(reply["array"], tuple(shape), dtype)


def get(source: Any) -> bytes:
    """The values' bytes: computes what is needed."""
    _, payload = host.call({"call": "array.get", "array": source.handle, **call_sites.of_read()})
    return payload


#: dtype -> type code of the array module. What is not here is read as float32.
_CODES = {
    "float64": "d",
    "float32": "f",
    "int8": "b",
    "int16": "h",
    "int32": "i",
    "int64": "q",
    "uint8": "B",
    "uint16": "H",
    "uint32": "I",
    "uint64": "Q",
    "bool": "B",
}


def values(source: Any) -> List[Any]:
    """The values as Python numbers, flat, C order."""
    if source.dtype not in _CODES:
        source = op("cast", [source], source.shape, "float32")
    numbers = array.array(_CODES[source.dtype])
    numbers.frombytes(get(source))
    return [bool(x) for x in numbers] if source.dtype == "bool" else numbers.tolist()


def from_numbers(numbers: Sequence[Any], shape: Tuple[int, ...], kind: str) -> Any:
    """An array of Python numbers, flat: as int64 (kind `i`), bool (`b`) or float64 (`f`)."""
    name = {"i": "int64", "b": "bool", "f": "float64"}[kind]
    return put(name, shape, array.array(_CODES[name], numbers).tobytes())


def rounded(dtype: str, value: float) -> float:
    """The value of a narrow float type that is nearest."""
    return values(op("fill", [], (), dtype, value=value))[0]
