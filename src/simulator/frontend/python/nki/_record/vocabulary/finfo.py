"""Limits of the float types: `nl.finfo`, `nl.fp32`, `nl.bfp16`. Computed from how many bits each type has for what."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple

from . import dtypes

#: Name -> (bits of the exponent, bits of the fraction, True when the highest exponent holds numbers rather than infinity and NaN).
_LAYOUTS = {
    "float32": (8, 23, False),
    "tfloat32": (8, 10, False),
    "bfloat16": (8, 7, False),
    "float16": (5, 10, False),
    "float8_e5m2": (5, 2, False),
    "float8_e4m3": (4, 3, False),
    "float8_e4m3fn": (4, 3, True),
    "float8_e3m4": (3, 4, False),
}


class FloatInfo(NamedTuple):
    """What `numpy.finfo` says of a float type, as far as kernels ask."""

    dtype: dtypes.Dtype
    bits: int
    min: float
    max: float
    tiny: float
    eps: float

    @property
    def smallest_normal(self) -> float:
        """Another name of `tiny`."""
        return self.tiny


_known: Dict[str, FloatInfo] = {}


def finfo(dtype: Any) -> FloatInfo:
    """Limits of a float type. TypeError for others."""
    kind = dtypes.parse(dtype)
    if kind not in _LAYOUTS:
        raise TypeError(f"finfo takes a float type, not {kind}")
    if kind not in _known:
        _known[kind] = _computed(kind)
    return _known[kind]


def _computed(kind: dtypes.Dtype) -> FloatInfo:
    exponent_bits, fraction_bits, full = _LAYOUTS[kind]
    bias = 2 ** (exponent_bits - 1) - 1
    eps = 2.0**-fraction_bits
    top = 2.0 ** (bias + 1) * (2 - 2 * eps) if full else 2.0**bias * (2 - eps)
    return FloatInfo(kind, 8 * kind.itemsize, -top, top, 2.0 ** (1 - bias), eps)
