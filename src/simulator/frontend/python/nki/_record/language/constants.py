"""Tensors whose values are known while the kernel is recorded: `shared_constant`, `shared_identity_matrix`.

They are inputs of kind `constant`.
"""

from __future__ import annotations

import struct
import sys
from typing import Any, Optional

from ..allocation import allocation
from ..calls import calls
from ..program import locations, program
from ..tensors.memory import MemoryRegion
from ..tensors.tensor import Tensor
from ..vocabulary import dtypes
from ..vocabulary.context import context
from ..vocabulary.errors import NkiValidationError
from ..wire import arrays, host

_CONSTANT = program.KINDS.index("constant")

#: The bits of 1.0 in floats that `struct` does not support.
_ONES = {
    "float16": b"\x00\x3c",
    "bfloat16": b"\x80\x3f",
    "float8_e4m3": b"\x38",
    "float8_e4m3fn": b"\x38",
    "float8_e5m2": b"\x3c",
    "float8_e3m4": b"\x30",
    "float8_e8m0fnu": b"\x7f",
}


def _one(dtype: dtypes.Dtype) -> bytes:
    if dtype in ("float32", "tfloat32"):
        return struct.pack("<f", 1.0)
    return _ONES.get(str(dtype)) or (1).to_bytes(dtype.itemsize, "little")


def _constant(key: Any, name: str, make: Any) -> Tensor:
    current = context.running(f"{name} is used inside a kernel")
    if key not in current.constants:
        current.constants[key] = current.input(name, make(), _CONSTANT)
    return current.constants[key]


def shared_identity_matrix(n: int, dtype: Any = "uint8", dst: Optional[Tensor] = None) -> Tensor:
    """The n x n identity: in SBUF (in `dst`, or in a tensor that all calls share), in the legacy dialect in HBM."""
    kind = dtypes.parse(dtype)

    def make() -> host.HostArray:
        one = _one(kind)
        row = one + bytes(len(one) * n)
        return host.put(kind, (n, n), (row * n)[: n * n * len(one)])

    matrix = _constant(("identity", n, str(kind)), f"identity_{n}", make)
    if dst is None and context.dialect == "neuronxcc":
        return matrix
    return _copied(matrix, n, kind) if dst is None else _copy(dst, matrix)


def _copied(matrix: Tensor, n: int, kind: dtypes.Dtype) -> Tensor:
    """The identity in SBUF: each program of a grid has one."""
    current = context.running()
    key = ("identity in SBUF", n, str(kind), current.ids)
    if key not in current.constants:
        frame = locations.position(sys._getframe(2))[0]
        near = allocation.allocate((n, n), kind, MemoryRegion.sbuf, f"identity_{n}", frame)
        current.constants[key] = _copy(near, matrix)
    return current.constants[key]


def _copy(dst: Tensor, src: Tensor) -> Tensor:
    calls.call("nki.isa.dma_copy", dst=dst, src=src)
    return dst


def shared_constant(constant: Any, dtype: Any = None) -> Tensor:
    """An array of the host, or that of a .npy file, as an HBM tensor."""
    key = ("array", constant if isinstance(constant, str) else id(constant), str(dtype))
    if isinstance(constant, str):
        constant = _loaded(constant)
    array = arrays.to_host("constant", constant)
    if array is None:
        raise TypeError(f"shared_constant takes an array or the path of a .npy file, not {type(constant).__name__}")
    if dtype is not None and dtypes.parse(dtype) != array.dtype:
        array = host.operate("cast", dtypes.parse(dtype), array.shape, [array])
    return _constant(key, "constant", lambda: array)


def _loaded(path: str) -> Any:
    try:
        import numpy
    except ImportError:
        raise NkiValidationError("shared_constant reads .npy files with NumPy, which this interpreter does not have") from None
    return numpy.load(path)
