"""Tensors whose values are known while the kernel is recorded: `shared_constant`, `shared_identity_matrix`.

They are inputs of kind `constant`.
"""

from __future__ import annotations

import struct
from typing import Any, Optional

from . import arrays, dtypes, host, launch, program
from .errors import NkiUnsupportedError, NkiValidationError
from .tensors import Tensor

_CONSTANT = program.KINDS.index("constant")

#: The bits of 1.0 in floats that `struct` does not know.
_ONES = {
    "float16": b"\x00\x3c",
    "bfloat16": b"\x80\x3f",
    "float8_e4m3": b"\x38",
    "float8_e4m3fn": b"\x38",
    "float8_e5m2": b"\x3c",
    "float8_e3m4": b"\x30",
}


def _one(dtype: dtypes.Dtype) -> bytes:
    if dtype in ("float32", "tfloat32"):
        return struct.pack("<f", 1.0)
    return _ONES.get(str(dtype)) or (1).to_bytes(dtype.itemsize, "little")


def _constant(key: Any, name: str, make: Any) -> Tensor:
    current = launch.current
    if current is None:
        raise NkiValidationError(f"{name} is used inside a kernel")
    if key not in current.constants:
        current.constants[key] = current.input(name, make(), _CONSTANT)
    return current.constants[key]


def shared_identity_matrix(n: int, dtype: Any = "uint8", dst: Optional[Tensor] = None) -> Tensor:
    """The n x n identity in HBM; with `dst` (SBUF) also copied there, and `dst` returned."""
    kind = dtypes.parse(dtype)

    def make() -> host.HostArray:
        one = _one(kind)
        row = one + bytes(len(one) * n)
        return host.put(kind, (n, n), (row * n)[: n * n * len(one)])

    matrix = _constant(("identity", n, str(kind)), f"identity_{n}", make)
    if dst is None:
        return matrix
    from .functions import call

    call("nki.isa.dma_copy", dst=dst, src=matrix)
    return dst


def shared_constant(constant: Any, dtype: Any = None) -> Tensor:
    """An array of the host as an HBM tensor."""
    if isinstance(constant, str):
        raise NkiUnsupportedError(
            "shared_constant with the path of a .npy file is not supported by this version of NKI Scope; pass the array"
        )
    array = arrays.to_host("constant", constant)
    if array is None:
        raise TypeError(f"shared_constant takes an array, not {type(constant).__name__}")
    if dtype is not None and dtypes.parse(dtype) != array.dtype:
        array = host.operate("cast", dtypes.parse(dtype), array.shape, [array])
    return _constant(("array", id(constant), str(dtype)), "constant", lambda: array)
