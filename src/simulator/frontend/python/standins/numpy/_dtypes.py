"""Data types: `dtype` objects, scalar types, promotion, `finfo` and `iinfo`. Values are not this file's business.

Promotion: NumPy 2's rules (NEP 50: Python numbers are weak). Families `torch` and `jax` never widen a float for an integer.
"""

from __future__ import annotations

import struct
from typing import Any, Dict, Iterable, List, Optional, Tuple, Type

from ._missing import missing


class generic:
    """Root of the scalar types."""

    dtype: dtype

    @classmethod
    def _name(cls) -> str:
        return cls.__name__.rstrip("_")

    def item(self) -> Any:
        """The plain Python number."""
        return float(self) if isinstance(self, float) else int(self)  # type: ignore[call-overload]

    def astype(self, wanted: Any) -> Any:
        """The scalar in another type."""
        return dtype(wanted).type(self)

    shape: Tuple[int, ...] = ()
    ndim = 0
    size = 1


class number(generic):
    """Any number."""


class integer(number):
    """Any integer."""


class signedinteger(integer):
    """int8 to int64."""


class unsignedinteger(integer):
    """uint8 to uint64."""


class inexact(number):
    """Any float."""


class floating(inexact):
    """Any float."""


class _Scalar(type):
    """Scalar types compare equal to their dtype, so `a.dtype == np.float32` and `np.float32 == a.dtype` both hold."""

    def __eq__(cls, other: object) -> bool:
        if isinstance(other, type):
            return cls is other
        return isinstance(other, dtype) and other.type is cls

    def __ne__(cls, other: object) -> bool:
        return not cls == other

    __hash__ = type.__hash__


def _float_type(name: str) -> Type[Any]:
    def new(cls: Type[Any], value: Any = 0.0) -> Any:
        if hasattr(value, "astype") and getattr(value, "ndim", 0):
            return value.astype(name)
        return float.__new__(cls, _rounded(name, float(value)))

    def text(self: Any) -> str:
        return shortest(name, float(self))

    body = {
        "__new__": new,
        "__doc__": f"A {name} number.",
        "__str__": text,
        "__repr__": lambda self: f"np.{name}({text(self)})",
    }
    return _Scalar(name, (floating, float), body)


def _int_type(name: str) -> Type[Any]:
    bits = int(name.lstrip("uint"))
    signed = not name.startswith("u")

    def new(cls: Type[Any], value: Any = 0) -> Any:
        if hasattr(value, "astype") and getattr(value, "ndim", 0):
            return value.astype(name)
        whole = int(value)
        low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
        if not low <= whole <= high:
            raise OverflowError(f"Python integer {whole} out of bounds for {name}")
        return int.__new__(cls, whole)

    body = {
        "__new__": new,
        "__doc__": f"A {name} number.",
        "__str__": lambda self: int.__repr__(self),
        "__repr__": lambda self: f"np.{name}({int.__repr__(self)})",
    }
    return _Scalar(name, (signedinteger if signed else unsignedinteger, int), body)


class bool_(generic, metaclass=_Scalar):
    """A truth value; making one gives Python's own bool."""

    def __new__(cls, value: Any = False) -> Any:
        """Python's bool of the value; an array keeps its shape."""
        if hasattr(value, "astype") and getattr(value, "ndim", 0):
            return value.astype("bool")
        return bool(value)


FLOATS = {
    "float64": 8,
    "float32": 4,
    "tfloat32": 4,
    "float16": 2,
    "bfloat16": 2,
    "float8_e4m3": 1,
    "float8_e4m3fn": 1,
    "float8_e5m2": 1,
    "float8_e3m4": 1,
    "float8_e8m0fnu": 1,
}
INTS = {"int8": 1, "int16": 2, "int32": 4, "int64": 8, "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8}

SCALARS: Dict[str, Type[Any]] = {name: _float_type(name) for name in FLOATS}
SCALARS.update({name: _int_type(name) for name in INTS})
SCALARS["bool"] = bool_

_ALIASES = {
    "float": "float64",
    "double": "float64",
    "single": "float32",
    "half": "float16",
    "int": "int64",
    "long": "int64",
    "intp": "int64",
    "uint": "uint64",
    "bool_": "bool",
    "?": "bool",
    "f2": "float16",
    "f4": "float32",
    "f8": "float64",
    "e": "float16",
    "f": "float32",
    "d": "float64",
    "i1": "int8",
    "i2": "int16",
    "i4": "int32",
    "i8": "int64",
    "u1": "uint8",
    "u2": "uint16",
    "u4": "uint32",
    "u8": "uint64",
    "b1": "bool",
}


class dtype:
    """A data type: `dtype("float32")`, `dtype(np.float32)`, `dtype(float)`, `dtype(nl.bfloat16)`. One object per type."""

    name: str
    itemsize: int
    kind: str
    type: Type[Any]
    _known: Dict[str, dtype] = {}

    def __new__(cls, wanted: Any = "float64") -> dtype:
        """The one object of that type.

        Raises:
            TypeError: the argument names no type that is known here.
        """
        if isinstance(wanted, dtype):
            return cls._known[wanted.name]
        name = _name_of(wanted)
        known = cls._known.get(name)
        return known if known is not None else cls._make(name)

    @classmethod
    def _make(cls, name: str) -> dtype:
        if name not in SCALARS:
            raise TypeError(f"data type {name!r} not understood")
        self = object.__new__(cls)
        self.name = name
        self.type = SCALARS[name]
        self.itemsize = 1 if name == "bool" else FLOATS.get(name) or INTS[name]
        self.kind = "b" if name == "bool" else "f" if name in FLOATS else "u" if name.startswith("u") else "i"
        cls._known[name] = self
        self.type.dtype = self
        return self

    @property
    def str(self) -> str:
        """NumPy's code: `<f4`."""
        order = "|" if self.itemsize == 1 else "<"
        return f"{order}{self.kind}{self.itemsize}"

    char = property(lambda self: self.str[1:])

    def __eq__(self, other: object) -> bool:
        """True for anything that names this type, in whatever library."""
        if isinstance(other, dtype):
            return self.name == other.name
        try:
            return self.name == dtype(other).name
        except TypeError:
            return False

    def __hash__(self) -> int:
        """By name."""
        return hash(self.name)

    def __repr__(self) -> str:
        """As NumPy prints it."""
        return f"dtype('{self.name}')"

    def __str__(self) -> str:
        """The name alone."""
        return self.name


def _name_of(wanted: Any) -> str:
    if wanted is None or wanted is float:
        return "float64"
    if wanted is int:
        return "int64"
    if wanted is bool:
        return "bool"
    if isinstance(wanted, str):
        name = str(wanted).lstrip("<|=")
    elif isinstance(wanted, type):
        name = wanted.__name__
    elif isinstance(getattr(wanted, "dtype", None), dtype):
        return wanted.dtype.name
    else:
        name = str(getattr(wanted, "name", wanted)).rsplit(".", 1)[-1]
    return _ALIASES.get(name, name)


for _each in SCALARS:
    dtype(_each)


def _rounded(name: str, value: float) -> float:
    if name == "float64":
        return value
    if name == "float32":
        try:
            return struct.unpack("<f", struct.pack("<f", value))[0]
        except OverflowError:
            return float("inf") if value > 0 else float("-inf")
    from . import _engine

    return _engine.rounded(name, value)


#: Decimal digits that always tell two values of the type apart.
_DIGITS = {"float64": 17, "float32": 9, "tfloat32": 5, "float16": 5, "bfloat16": 4}


def shortest(name: str, value: float) -> str:
    """The shortest decimal that reads back as the same value of the type: `0.1`, `1e-05`, `inf`."""
    if name == "float64" or value != value or value in (float("inf"), float("-inf")):
        return repr(value)
    for digits in range(1, _DIGITS.get(name, 3) + 1):
        text = f"{value:.{digits}g}"
        if _same(name, float(text), value):
            return repr(float(text))
    return repr(value)


#: Explicit bits of the fraction.
_FRACTION = {"float32": 23, "tfloat32": 10, "float16": 10, "bfloat16": 7, "float8_e5m2": 2, "float8_e3m4": 4}


def _same(name: str, text: float, value: float) -> bool:
    """Whether `text` is nearer to `value` than to the value's neighbours in the type."""
    if name == "float32":
        return _rounded(name, text) == value
    import math

    exponent = math.frexp(value)[1] - 1 if value else 0
    return abs(text - value) < 2.0 ** (exponent - _FRACTION.get(name, 3) - 1)


def issubdtype(first: Any, second: Any) -> bool:
    """Whether the first type is, or lies below, the second (`np.floating`, `np.integer`, or a type)."""
    kind = first if isinstance(first, type) and issubclass(first, generic) else dtype(first).type
    wanted = second if isinstance(second, type) and issubclass(second, generic) else dtype(second).type
    return issubclass(kind, wanted)


def _wider(a: dtype, b: dtype, family: str) -> dtype:
    """The type of mixed operands."""
    if a.name == b.name:
        return a
    if a.kind == "b" or b.kind == "b":
        return b if a.kind == "b" else a
    if a.kind == "f" and b.kind == "f":
        if a.itemsize == b.itemsize or max(a.itemsize, b.itemsize) == 1:
            return dtype("float32")
        return a if a.itemsize > b.itemsize else b
    if a.kind == "f" or b.kind == "f":
        real, whole = (a, b) if a.kind == "f" else (b, a)
        if family != "numpy" or real.itemsize > 2 * whole.itemsize or real.name == "float64":
            return real
        if whole.itemsize >= 4:
            return dtype("float64")
        return real if real.itemsize == 2 and whole.itemsize == 1 else dtype("float32")
    return _wider_int(a, b)


def _wider_int(a: dtype, b: dtype) -> dtype:
    if a.kind == b.kind:
        return a if a.itemsize > b.itemsize else b
    signed, unsigned = (a, b) if a.kind == "i" else (b, a)
    if signed.itemsize > unsigned.itemsize:
        return signed
    return dtype("float64") if unsigned.itemsize == 8 else dtype(f"int{unsigned.itemsize * 16}")


DEFAULT_FLOAT = {"numpy": "float64", "torch": "float32", "jax": "float32"}
DEFAULT_INT = {"numpy": "int64", "torch": "int64", "jax": "int32"}


def promote(strong: Iterable[dtype], weak: Iterable[Any], family: str = "numpy") -> dtype:
    """The type in which operands meet: `strong` are types of arrays and typed scalars, `weak` are Python numbers."""
    result: Optional[dtype] = None
    for each in strong:
        result = each if result is None else _wider(result, each, family)
    for value in weak:
        if isinstance(value, bool):
            result = result or dtype("bool")
        elif isinstance(value, int):
            result = dtype(DEFAULT_INT[family]) if result is None or result.kind == "b" else result
        elif isinstance(value, float):
            result = result if result is not None and result.kind == "f" else dtype(DEFAULT_FLOAT[family])
        else:
            raise missing(f"arithmetic with a {type(value).__name__}")
    return result or dtype(DEFAULT_FLOAT[family])


def result_type(*args: Any) -> dtype:
    """NumPy's promotion of types, arrays and numbers."""
    strong: List[dtype] = [dtype(a) for a in args if not isinstance(a, (bool, int, float)) or isinstance(a, generic)]
    return promote(strong, [a for a in args if isinstance(a, (bool, int, float)) and not isinstance(a, generic)])


class finfo:
    """Limits of a float type: `eps`, `max`, `min`, `tiny`, `bits`."""

    _LIMITS = {
        "float64": (2.0**-52, (2 - 2.0**-52) * 2.0**1023, 2.0**-1022),
        "float32": (2.0**-23, (2 - 2.0**-23) * 2.0**127, 2.0**-126),
        "float16": (2.0**-10, 65504.0, 2.0**-14),
        "bfloat16": (2.0**-7, (2 - 2.0**-7) * 2.0**127, 2.0**-126),
        "float8_e5m2": (2.0**-2, 57344.0, 2.0**-14),
        "float8_e4m3": (2.0**-3, 240.0, 2.0**-6),
        "float8_e4m3fn": (2.0**-3, 448.0, 2.0**-6),
    }

    def __init__(self, wanted: Any) -> None:
        """Limits of `wanted`, a float type."""
        self.dtype = dtype(wanted)
        if self.dtype.name not in self._LIMITS:
            raise ValueError(f"data type {self.dtype.name!r} not inexact")
        eps, largest, tiny = self._LIMITS[self.dtype.name]
        make = self.dtype.type
        self.eps, self.max, self.min, self.tiny = make(eps), make(largest), make(-largest), make(tiny)
        self.smallest_normal = self.tiny
        self.bits = self.dtype.itemsize * 8


class iinfo:
    """Limits of an integer type: `max`, `min`, `bits`."""

    def __init__(self, wanted: Any) -> None:
        """Limits of `wanted`, an integer type."""
        self.dtype = dtype(wanted)
        if self.dtype.kind not in "iu":
            raise ValueError(f"Invalid integer data type {self.dtype.kind!r}.")
        self.bits = self.dtype.itemsize * 8
        self.min = -(2 ** (self.bits - 1)) if self.dtype.kind == "i" else 0
        self.max = 2 ** (self.bits - (self.dtype.kind == "i")) - 1
