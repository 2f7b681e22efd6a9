"""Printing as NumPy does: shortest digits up to eight places, aligned, `...` beyond 1000 elements. Only what is shown is fetched."""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Dict, Iterator, List, Tuple

from ._dtypes import shortest
from ._missing import missing

_OPTIONS: Dict[str, Any] = {"precision": 8, "threshold": 1000, "edgeitems": 3, "linewidth": 75, "suppress": False}


def set_printoptions(**options: Any) -> None:
    """Sets `precision`, `threshold`, `edgeitems`, `linewidth`, `suppress`."""
    for name, value in options.items():
        if name not in _OPTIONS:
            raise missing(f"numpy.set_printoptions({name}=…)")
        _OPTIONS[name] = value


def get_printoptions() -> Dict[str, Any]:
    """The options."""
    return dict(_OPTIONS)


@contextlib.contextmanager
def printoptions(**options: Any) -> Iterator[None]:
    """Options for a block."""
    old = dict(_OPTIONS)
    set_printoptions(**options)
    try:
        yield
    finally:
        _OPTIONS.update(old)


def array_str(array: Any) -> str:
    """The values in brackets."""
    return _text(array, " ", "") if array.ndim else _scalar(array)


def array_repr(array: Any) -> str:
    """`array([...], dtype=...)`; an array without dimensions as the scalar it stands for."""
    name = array.dtype.name
    if array.ndim == 0:
        return _scalar(array) if name == "bool" else f"np.{name}({_scalar(array)})"
    tail = "" if name in ("float64", "int64", "bool") and array._count else f", dtype={name}"
    if array._count == 0:
        shape = "" if array.shape == (0,) else f", shape={array.shape}"
        return f"array([]{shape}{tail})"
    summary = f", shape={array.shape}" if array._count > _OPTIONS["threshold"] else ""
    text = f"array({_text(array, ', ', 'array(')}"
    suffix = (summary + tail)[2:]
    if not suffix:
        return text + ")"
    room = _OPTIONS["linewidth"] - (len(text) - text.rfind("\n") - 1) - 1
    return text + "," + (" " if len(suffix) + 2 <= room else "\n" + " " * len("array(")) + suffix + ")"


def _scalar(array: Any) -> str:
    value = array.item()
    return shortest(array.dtype.name, value) if isinstance(value, float) else str(value)


def _text(array: Any, separator: str, prefix: str) -> str:
    if array._count == 0:
        return "[]"
    shown, cut = _shown(array)
    numbers = shown._values()
    form = _formatter(numbers, array.dtype)
    texts = iter([form(x) for x in numbers])
    return _block(shown.shape, cut, texts, separator, len(prefix) + 1, _OPTIONS["linewidth"])


def _shown(array: Any) -> Tuple[Any, List[bool]]:
    """The corner blocks that are printed, and which axes are cut."""
    from ._shape import concatenate

    edge = _OPTIONS["edgeitems"]
    cut = [array._count > _OPTIONS["threshold"] and n > 2 * edge for n in array.shape]
    for axis, is_cut in enumerate(cut):
        if is_cut:
            lead = (slice(None),) * axis
            array = concatenate([array[lead + (slice(None, edge),)], array[lead + (slice(-edge, None),)]], axis)
    return array, cut


def _block(shape: Tuple[int, ...], cut: List[bool], texts: Iterator[str], separator: str, indent: int, width: int) -> str:
    count, edge = shape[0], _OPTIONS["edgeitems"]
    items: List[str] = []
    for i in range(count):
        if cut[0] and i == edge:
            items.append("...")
        items.append(next(texts) if len(shape) == 1 else _block(shape[1:], cut[1:], texts, separator, indent + 1, width - 1))
    if len(shape) > 1:
        joint = separator.rstrip() + "\n" * (len(shape) - 1) + " " * indent
        return "[" + joint.join(items) + "]"
    return "[" + _wrapped(items, separator, indent, width) + "]"


def _wrapped(items: List[str], separator: str, indent: int, width: int) -> str:
    """The items of one row, broken at the line width."""
    lines: List[str] = []
    line = ""
    for place, item in enumerate(items):
        last = place == len(items) - 1
        if line and indent + len(line) + len(item) > width - 1:
            lines.append(line.rstrip())
            line = ""
        line += item + ("" if last else separator)
    lines.append(line)
    return ("\n" + " " * indent).join(lines)


def _formatter(numbers: List[Any], dtype: Any) -> Callable[[Any], str]:
    if dtype.kind != "f":
        width = max(len(str(x)) for x in numbers)
        return lambda x: str(x).rjust(width)
    finite = [x for x in numbers if x - x == 0]
    sizes = [abs(x) for x in finite if x != 0]
    largest, smallest = max(sizes, default=0.0), min(sizes, default=0.0)
    wide = largest >= 1e8 or (not _OPTIONS["suppress"] and bool(sizes) and (smallest < 1e-4 or largest / smallest > 1000))
    return _scientific(numbers, finite, dtype.name) if wide else _positional(numbers, finite, dtype.name)


def _digits(name: str, x: float) -> Tuple[str, int]:
    """Shortest significant digits and the exponent of the first."""
    text = f"{float(shortest(name, abs(x))):.16e}" if name == "float64" else f"{float(shortest(name, abs(x))):.12e}"
    mantissa = repr(float(shortest(name, abs(x))))
    digits = "".join(c for c in mantissa.split("e")[0] if c.isdigit()).strip("0")
    return digits or "0", int(text.split("e")[1])


def _positional(numbers: List[float], finite: List[float], name: str) -> Callable[[float], str]:
    def parts(x: float) -> Tuple[str, str]:
        digits, exponent = _digits(name, x)
        places = min(max(len(digits) - 1 - exponent, 0), _OPTIONS["precision"])
        base = float(shortest(name, abs(x)))
        whole, _, fraction = f"{base:.{places}f}".partition(".")
        return ("-" if x < 0 or str(x) == "-0.0" else "") + whole, fraction.rstrip("0")

    split = [parts(x) for x in finite]
    left = max((len(whole) for whole, _ in split), default=0)
    right = max((len(fraction) for _, fraction in split), default=0)
    special = max((len(str(x)) for x in numbers if x - x != 0), default=0)
    left = max(left, special - right - 1)

    def form(x: float) -> str:
        if x - x != 0:
            return str(x).rjust(left + right + 1)
        whole, fraction = parts(x)
        return f"{whole.rjust(left)}.{fraction.ljust(right)}"

    return form


def _scientific(numbers: List[float], finite: List[float], name: str) -> Callable[[float], str]:
    places = min(max((len(_digits(name, x)[0]) - 1 for x in finite), default=0), _OPTIONS["precision"])

    def text(x: float) -> str:
        if x - x != 0:
            return str(x)
        mantissa, exponent = f"{x:.{places}e}".split("e")
        return f"{mantissa}{'' if '.' in mantissa else '.'}e{exponent}"

    width = max(len(text(x)) for x in numbers)
    return lambda x: text(x).rjust(width)
