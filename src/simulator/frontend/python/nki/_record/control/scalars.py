"""`nisa.scalar_load` and `nisa.scalar_store`: integers between memory and `NkiScalar`. Loops over them are `registers.py`'s.

Source: nki.isa.scalar_load, nki.isa.scalar_store of NKI 0.7.
"""

from __future__ import annotations

import sys
from typing import Any, List

from ..calls import calls
from ..tensors import reinterpret
from ..tensors.tensor import Tensor, runtime_value
from ..vocabulary import dtypes, versions
from ..vocabulary.errors import NkiValidationError
from ..vocabulary.instructions import INSTRUCTION, NkiInstruction
from ..vocabulary.scalar import NkiScalar
from ..vocabulary.table import ROWS

_DTYPES = (dtypes.ALL["int32"], dtypes.INT64)


def scalar_load(src: Tensor) -> NkiScalar:
    """The one element of a tensor of int32 or int64, in HBM or SBUF, as a scalar of that dtype."""
    versions.check("nki.isa.scalar_load")
    _check_element("src", src)
    if src.dtype not in _DTYPES:
        raise NkiValidationError(f"nki.isa.scalar_load: src is {src.dtype}; it takes int32 and int64")
    value = runtime_value(src)
    calls.record(ROWS["nki.isa.scalar_load"], sys._getframe(1), {"src": src, "value": value})
    return NkiScalar(value, src.dtype)


def scalar_store(dst: Tensor, value: NkiScalar) -> NkiInstruction:
    """Writes the bits of a scalar to a tensor of one element of the same width, in HBM or SBUF."""
    versions.check("nki.isa.scalar_store")
    _check_element("dst", dst)
    if not isinstance(value, NkiScalar):
        advice = "nisa.memset writes numbers" if hasattr(value, "__index__") else "nisa.scalar_load makes one"
        raise TypeError(f"nki.isa.scalar_store: value takes an NkiScalar, not {type(value).__name__}: {advice}")
    if dst.itemsize != value.dtype.itemsize:
        raise NkiValidationError(f"nki.isa.scalar_store: dst is {dst.dtype}, of another width than value, {value.dtype}")
    bits = dst if dst.dtype == value.dtype else reinterpret.view(dst, value.dtype)
    calls.record(ROWS["nki.isa.scalar_store"], sys._getframe(1), {"dst": bits, "value": value._value})
    return INSTRUCTION


def _check_element(name: str, tensor: Any) -> None:
    row = "scalar_load" if name == "src" else "scalar_store"
    if not isinstance(tensor, Tensor):
        raise TypeError(f"nki.isa.{row}: {name} takes a tensor of one element, not {type(tensor).__name__}")
    if tensor.size != 1:
        raise NkiValidationError(f"nki.isa.{row}: {name} has shape {tensor.shape}; a scalar is one element")


def isa_names() -> List[Any]:
    """What `nki.isa` has of these."""
    return [NkiScalar, scalar_load, scalar_store]
