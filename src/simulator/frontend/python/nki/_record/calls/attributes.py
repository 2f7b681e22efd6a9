"""Converts attributes as users write them to the canonical JSON form of the program, with one short function per `AttributeType`.

Operations come as `nl.add`, `np.add`, `np.max` or names; engines and enums as members; numbers as Python's or NumPy's.
"""

from __future__ import annotations

import difflib
import math
from enum import Enum
from operator import index as as_index
from typing import Any, Callable, Dict, List, Sequence

from ..tensors.index import Mask
from ..vocabulary import dtypes, table
from ..vocabulary.errors import NkiValidationError

#: Other names under which libraries have the same operation.
_ALIASES = {
    "max": "maximum",
    "amax": "maximum",
    "fmax": "maximum",
    "min": "minimum",
    "amin": "minimum",
    "fmin": "minimum",
    "sum": "add",
    "prod": "multiply",
    "true_divide": "divide",
    "absolute": "abs",
    "remainder": "mod",
    "bitwise_not": "invert",
    "bitwise_invert": "invert",
    "identity": "copy",
    "bitwise_left_shift": "left_shift",
    "bitwise_right_shift": "right_shift",
    "arithmetic_shift_right": "right_shift",
    "logical_shift_left": "left_shift",
}

#: Modes that the legacy dialect takes by name.
_LEGACY_MODES = {"double_row_gen3": "double_row"}

_ENGINES = {"tensor": "Tensor", "vector": "Vector", "scalar": "Scalar", "gpsimd": "GpSimd", "sync": "Sync"}


def operation_name(value: Any) -> str:
    """Name of a function given as an operation: nl.add, np.add, "add" -> add."""
    if isinstance(value, str):
        return value
    return str(getattr(value, "__name__", value))


def _operation(value: Any, parameter: str, known: Any, kind: str) -> str:
    name = operation_name(value)
    name = name if name in known else _ALIASES.get(name, name)
    if name in known:
        return name
    near = difflib.get_close_matches(name, sorted(known), 3)
    advice = f"; did you mean {' or '.join('nl.' + match for match in near)}?" if near else f": it knows {', '.join(sorted(known))}"
    raise NkiValidationError(f"{parameter}={name} is not {kind} that NKI Scope knows{advice}")


def _alu(value: Any, parameter: str) -> str:
    return _operation(value, parameter, table.ALU_OPS, "an ALU operation")


def _arithmetic(value: Any, parameter: str) -> str:
    name = _alu(value, parameter)
    if name in table.BIT_OPS:
        raise NkiValidationError(f"{parameter}={name} works on bits; this function takes arithmetic operations only")
    return name


def _partition_reduction(value: Any, parameter: str) -> str:
    return _operation(value, parameter, table.PARTITION_REDUCTIONS, "a reduction over partitions")


def _activation(value: Any, parameter: str) -> str:
    return _operation(value, parameter, table.ACTIVATIONS, "an activation function")


def _float(value: Any, parameter: str) -> Any:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{parameter} takes a number or a tensor, not {type(value).__name__}") from None
    if math.isfinite(number):
        return number
    # JSON has no such numbers: JavaScript's Number() reads these back
    return "NaN" if math.isnan(number) else ("Infinity" if number > 0 else "-Infinity")


def _int(value: Any, parameter: str) -> int:
    try:
        return as_index(value)
    except TypeError:
        if isinstance(value, float) and value.is_integer():
            return int(value)
        raise TypeError(f"{parameter} takes an integer, not {value!r}") from None


def _ints(value: Any, parameter: str) -> List[int]:
    return [_int(item, parameter) for item in (value if isinstance(value, (tuple, list)) else [value])]


def _engine(value: Any, parameter: str) -> str:
    name = value.name if isinstance(value, Enum) else str(value)
    return _ENGINES.get(name.lower(), "unknown")


def _enum(value: Any, parameter: str) -> str:
    if not isinstance(value, Enum):
        members = table.ENUMS.get(parameter, {})  # by its number, as AWS's kernels write dge_mode=3
        named = next((name for name, number in members.items() if number == value and type(value) is int), None)
        if named is not None or value in _LEGACY_MODES:
            return named or _LEGACY_MODES[value]
        raise TypeError(f"{parameter} takes a member of an nki.isa enum, not {value!r}")
    return value.name.lower()


def _pattern(value: Any, parameter: str) -> List[List[int]]:
    steps = [_ints(entry, parameter) for entry in value] if isinstance(value, (tuple, list)) else []
    if not steps or any(len(entry) != 2 for entry in steps):
        raise TypeError(f"{parameter} takes a list of [step, count], not {value!r}")
    if len(steps) > 4:
        raise NkiValidationError(f"{parameter} has {len(steps)} dimensions; the most is 4")
    return steps


def _predicate(value: Any, parameter: str) -> List[List[Any]]:
    if not isinstance(value, Mask):
        raise TypeError(f"{parameter} takes a comparison of index expressions (nl.arange), not {type(value).__name__}")
    return [[term.constant, list(term.coefficients)] for term in value.terms]


_CANONICAL: Dict[str, Callable[[Any, str], Any]] = {
    "float": _float,
    "int": _int,
    "bool": lambda value, parameter: bool(value),
    "alu": _alu,
    "arithmetic": _arithmetic,
    "activation": _activation,
    "partitionReduction": _partition_reduction,
    "axes": _ints,
    "shape": _ints,
    "dtype": lambda value, parameter: str(dtypes.parse(value, parameter)),
    "engine": _engine,
    "enum": _enum,
    "string": lambda value, parameter: str(value),
    "pattern": _pattern,
    "predicate": _predicate,
    "json": lambda value, parameter: value,
}


def canonical(kind: str, value: Any, parameter: str) -> Any:
    """`value` in the program's form. TypeError or NkiValidationError names the parameter."""
    return _CANONICAL[kind](value, parameter)


def free_axes(axes: Sequence[int], ndim: int) -> List[int]:
    """Axes counted from the front, ascending. NkiValidationError for the partition axis or one that is not there."""
    result = sorted({axis + ndim if axis < 0 else axis for axis in axes})
    for axis in result:
        if axis == 0:
            raise NkiValidationError(
                "axis 0 is the partition axis: reduce along it with nisa.tensor_partition_reduce or a matmul with ones"
            )
        if not 0 < axis < ndim:
            raise NkiValidationError(f"axis {axis} of a tile of {ndim} axes")
    return result


def last_axes(count: int, ndim: int) -> List[int]:
    """The last axes of a tile, ascending."""
    return list(range(ndim - count, ndim))
