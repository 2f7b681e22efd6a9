"""Assertions on arrays, with messages that say where the worst element is."""

from __future__ import annotations

from typing import Any

from ._create import asarray
from ._linear import array_equal
from ._missing import missing
from ._shape import broadcast_to
from ._ufuncs import UFUNCS, broadcast_shape, isclose


def _fail(x: Any, y: Any, good: Any, title: str, err_msg: str) -> None:
    """Raises with the number of mismatches and the largest differences."""
    wrong = int(UFUNCS["logical_not"](good).sum())
    gap = UFUNCS["absolute"](x.astype("float64") - y.astype("float64"))
    known = UFUNCS["isfinite"](gap).all()
    lines = [title, err_msg, f"Mismatched elements: {wrong} / {good._count} ({100 * wrong / good._count:.3g}%)"]
    if known and good.ndim:
        flat = int(gap.argmax())
        place = []
        for length in reversed(good.shape):
            place.append(flat % length)
            flat //= length
        where = tuple(reversed(place))
        lines.append(f"Max absolute difference: {gap[where].item():.8g} at {where}: {x[where].item()!r} against {y[where].item()!r}")
    raise AssertionError("\n".join(line for line in lines if line) + f"\n ACTUAL: {x!r}\n DESIRED: {y!r}")


def _together(actual: Any, desired: Any) -> Any:
    x, y = asarray(actual), asarray(desired)
    try:
        shape = broadcast_shape(x.shape, y.shape)
    except ValueError:
        shape = None
    if shape is None or (x.ndim and y.ndim and x.shape != y.shape):
        raise AssertionError(f"Arrays have different shapes: {x.shape} and {y.shape}")
    return broadcast_to(x, shape), broadcast_to(y, shape)


def assert_allclose(
    actual: Any, desired: Any, rtol: float = 1e-7, atol: float = 0, equal_nan: bool = True, err_msg: str = "", verbose: bool = True
) -> None:
    """|actual - desired| ≤ atol + rtol·|desired|, everywhere."""
    x, y = _together(actual, desired)
    good = isclose(x, y, rtol, atol, equal_nan)
    if not good.all():
        _fail(x, y, good, f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}", err_msg)


def assert_array_equal(actual: Any, desired: Any, err_msg: str = "", verbose: bool = True, strict: bool = False) -> None:
    """Equal everywhere, NaN equal to NaN."""
    x, y = _together(actual, desired)
    good = isclose(x, y, 0.0, 0.0, True)
    if not good.all():
        _fail(x, y, good, "Arrays are not equal", err_msg)


def assert_array_almost_equal(actual: Any, desired: Any, decimal: int = 6, err_msg: str = "", verbose: bool = True) -> None:
    """|actual - desired| < 1.5·10^-decimal, everywhere."""
    x, y = _together(actual, desired)
    good = isclose(x, y, 0.0, 1.5 * 10.0**-decimal, True)
    if not good.all():
        _fail(x, y, good, f"Arrays are not almost equal to {decimal} decimals", err_msg)


assert_almost_equal = assert_array_almost_equal


def assert_equal(actual: Any, desired: Any, err_msg: str = "", verbose: bool = True) -> None:
    """Equal numbers, arrays or Python objects."""
    if hasattr(actual, "dtype") or hasattr(desired, "dtype") or isinstance(actual, (list, tuple, int, float)):
        assert_array_equal(actual, desired, err_msg)
    elif actual != desired:
        raise AssertionError(f"{err_msg}\n ACTUAL: {actual!r}\n DESIRED: {desired!r}")


def assert_(value: Any, msg: str = "") -> None:
    """The value is true."""
    if not value:
        raise AssertionError(msg)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise missing(f"numpy.testing.{name}")


__all__ = ["array_equal", "assert_allclose", "assert_almost_equal", "assert_array_almost_equal", "assert_array_equal", "assert_equal"]
