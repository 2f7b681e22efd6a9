"""`ml_dtypes`: names of the narrow types that NKI has."""

from __future__ import annotations

from typing import Any

from numpy._dtypes import SCALARS, finfo, iinfo
from numpy._missing import missing

bfloat16 = SCALARS["bfloat16"]
float8_e3m4, float8_e4m3, float8_e4m3fn, float8_e5m2 = (SCALARS[f"float8_{name}"] for name in ("e3m4", "e4m3", "e4m3fn", "e5m2"))

__all__ = ["bfloat16", "finfo", "float8_e3m4", "float8_e4m3", "float8_e4m3fn", "float8_e5m2", "iinfo"]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise missing(f"ml_dtypes.{name}")
