"""Elementwise functions: one table of ufuncs (name, engine operation, rule of the result's type), and the call that serves them all."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

from . import _engine
from ._array import ndarray
from ._dtypes import DEFAULT_FLOAT, generic, promote
from ._dtypes import dtype as Dtype
from ._missing import missing


def kind_of(args: Sequence[Any]) -> Any:
    """The array class of a result: the most special among the arguments."""
    best: Any = ndarray
    for arg in args:
        if isinstance(arg, ndarray) and issubclass(type(arg), best):
            best = type(arg)
    return best


def broadcast_shape(*shapes: Tuple[int, ...]) -> Tuple[int, ...]:
    """NumPy's broadcasting.

    Raises:
        ValueError: the shapes do not fit.
    """
    out: List[int] = []
    for place in range(max((len(shape) for shape in shapes), default=0)):
        lengths = {shape[-1 - place] for shape in shapes if place < len(shape)} - {1}
        if len(lengths) > 1:
            raise ValueError("operands could not be broadcast together with shapes " + " ".join(str(shape) for shape in shapes))
        out.append(lengths.pop() if lengths else 1)
    return tuple(reversed(out))


def _operand(arg: Any, name: str) -> Any:
    """Arrays and numbers as they are, sequences as arrays. A tile of a kernel says what to use instead."""
    if isinstance(arg, (ndarray, bool, int, float)):
        return arg
    if isinstance(arg, (list, tuple)) or hasattr(arg, "_array"):
        from ._create import asarray

        return asarray(arg)
    if hasattr(arg, "_no_array_of_the_host"):
        raise arg._no_array_of_the_host(name)
    raise TypeError(f"unsupported operand type: {type(arg).__name__}")


def elementwise(name: str, args: Sequence[Any], rule: str = "same", dtype: Any = None, **attributes: Any) -> Any:
    """Applies an engine operation to broadcast arguments.

    `rule`: the result's type is that of the promoted arguments (`same`), their float (`float`) or `bool`; the first of three arguments
    may be a condition (`choose`). All numbers and no array gives a number.
    """
    operands = [_operand(arg, name) for arg in args]
    cls = kind_of(operands)
    typed = operands[1:] if rule == "choose" else operands
    strong = [x.dtype for x in typed if isinstance(x, (ndarray, generic))]
    weak = [x for x in typed if not isinstance(x, (ndarray, generic))]
    meeting = promote(strong, weak, cls._family)
    if rule == "float" and meeting.kind != "f":
        meeting = Dtype(_float_for(meeting, cls._family))
    result = Dtype(dtype) if dtype is not None else Dtype("bool") if rule == "bool" else meeting
    arrays = [x for x in operands if isinstance(x, ndarray)]
    shape = broadcast_shape(*[x.shape for x in arrays])
    scalars = [None if isinstance(x, ndarray) else x for x in operands]
    made = _engine.op(name, [x._array for x in arrays], shape, result.name, **{"scalars": scalars, "as": meeting.name, **attributes})
    if arrays:
        return cls._wrap(made)
    return result.type(_engine.values(made)[0])


def _float_for(meeting: Any, family: str) -> str:
    """The float in which NumPy computes functions of integers."""
    if family != "numpy":
        return DEFAULT_FLOAT[family]
    return "float16" if meeting.itemsize == 1 else "float32" if meeting.itemsize == 2 else "float64"


class ufunc:
    """An elementwise function with a name; kernels pass them as operations (`op=np.add`)."""

    def __init__(self, name: str, nin: int, operation: str, rule: str) -> None:
        """`operation` is the engine's; `rule` as in `elementwise`."""
        self.__name__ = name
        self.nin = nin
        self._operation = operation
        self._rule = rule
        self.__doc__ = f"NumPy's {name}, elementwise and lazy."

    def __repr__(self) -> str:
        """As NumPy prints it."""
        return f"<ufunc '{self.__name__}'>"

    def __call__(self, *args: Any, out: Optional[Any] = None, where: Any = True, dtype: Any = None, **others: Any) -> Any:
        """The function of broadcast arguments; `out` receives the values."""
        if others:
            raise missing(f"numpy.{self.__name__}({next(iter(others))}=…)")
        if len(args) == self.nin + 1 and out is None:
            out, args = args[-1], args[:-1]
        if len(args) != self.nin:
            raise TypeError(f"{self.__name__}() takes {self.nin} positional arguments but {len(args)} were given")
        result = elementwise(self._operation, args, self._rule, dtype)
        if where is not True:
            result = _where(where, result, out if out is not None else 0)
        if out is None:
            return result
        target = out[0] if isinstance(out, tuple) else out
        target[...] = result
        return target

    def reduce(self, array: Any, axis: Any = 0, dtype: Any = None, keepdims: bool = False) -> Any:
        """The function applied along `axis` until it is gone."""
        from . import _reduce

        names = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any"}
        if self.__name__ not in names:
            raise missing(f"numpy.{self.__name__}.reduce")
        return _reduce.reduce(names[self.__name__], array, axis, keepdims, dtype)

    def accumulate(self, array: Any, axis: int = 0, dtype: Any = None) -> Any:
        """All intermediate results along `axis`."""
        from . import _reduce

        return _reduce.accumulate(self._operation, array, axis, dtype)

    def outer(self, a: Any, b: Any) -> Any:
        """The function of all pairs."""
        from ._create import asarray

        left, right = asarray(a), asarray(b)
        return self(left.reshape(left.shape + (1,) * right.ndim), right)


#: name -> (arguments, rule, engine operation when it is called otherwise)
_TABLE: Dict[str, Tuple[int, str, Optional[str]]] = {
    **{
        name: (1, "same", None)
        for name in ("positive", "negative", "absolute", "sign", "square", "reciprocal", "floor", "ceil", "trunc", "rint")
    },
    **{
        name: (1, "float", None)
        for name in (
            "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh erf rsqrt sigmoid".split()
        )
    },
    **{name: (1, "bool", None) for name in ("isnan", "isinf", "isfinite", "logical_not")},
    **{
        name: (2, "same", None)
        for name in (
            "add subtract multiply floor_divide remainder fmod power maximum minimum fmax fmin copysign ldexp "
            "bitwise_and bitwise_or bitwise_xor left_shift right_shift".split()
        )
    },
    "divide": (2, "float", None),
    "arctan2": (2, "float", None),
    "hypot": (2, "float", None),
    **{
        name: (2, "bool", None)
        for name in "equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor".split()
    },
    "invert": (1, "same", None),
}

UFUNCS: Dict[str, ufunc] = {name: ufunc(name, nin, op or name, rule) for name, (nin, rule, op) in _TABLE.items()}

#: NumPy's other names of the same functions.
ALIASES = {
    "true_divide": "divide",
    "mod": "remainder",
    "abs": "absolute",
    "fabs": "absolute",
    "pow": "power",
    "conjugate": "positive",
    "bitwise_not": "invert",
    "bitwise_left_shift": "left_shift",
    "bitwise_right_shift": "right_shift",
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "atan2": "arctan2",
}
UFUNCS.update({alias: UFUNCS[name] for alias, name in ALIASES.items()})


def _where(condition: Any, x: Any, y: Any) -> Any:
    return elementwise("where", [condition, x, y], "choose")


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """`x` where the condition holds, else `y`; with one argument the positions of true elements."""
    if x is None and y is None:
        from ._create import asarray
        from ._gather import nonzero

        return nonzero(asarray(condition))
    return _where(condition, x, y)


def clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, **names: Any) -> Any:
    """Values limited to [a_min, a_max]; None leaves a side open."""
    low, high = names.get("min", a_min), names.get("max", a_max)
    result = a
    if low is not None:
        result = UFUNCS["maximum"](result, low)
    if high is not None:
        result = UFUNCS["minimum"](result, high)
    if out is not None:
        out[...] = result
        return out
    return result


def around(a: Any, decimals: int = 0) -> Any:
    """Rounded to `decimals` places, halves to even."""
    if decimals == 0:
        return UFUNCS["rint"](a)
    scale = 10.0**decimals
    return UFUNCS["rint"](a * scale) / scale


def isclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    """|a - b| ≤ atol + rtol·|b|, elementwise."""
    return elementwise("isclose", [a, b], "bool", None, rtol=float(rtol), atol=float(atol), equal_nan=bool(equal_nan))
