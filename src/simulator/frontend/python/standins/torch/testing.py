"""Assertions on tensors."""

from __future__ import annotations

from typing import Any

from numpy.testing import assert_allclose

#: torch's default tolerances by dtype: (rtol, atol).
_TOLERANCES = {"float16": (1e-3, 1e-5), "bfloat16": (1.6e-2, 1e-5), "float32": (1.3e-6, 1e-5), "float64": (1e-7, 1e-7)}


def assert_close(actual: Any, expected: Any, rtol: Any = None, atol: Any = None, **_: Any) -> None:
    """|actual - expected| ≤ atol + rtol·|expected|, everywhere; tolerances by dtype unless given."""
    default = _TOLERANCES.get(getattr(actual.dtype, "name", ""), (0.0, 0.0))
    assert_allclose(actual, expected, default[0] if rtol is None else rtol, default[1] if atol is None else atol, equal_nan=False)
