"""Making arrays. `cls` is the array class of the result (torch and jax have their own over the same arrays)."""

from __future__ import annotations

import math
from typing import Any, List, Optional, Tuple

from . import _engine
from ._array import ndarray
from ._dtypes import DEFAULT_FLOAT, DEFAULT_INT, generic, promote
from ._dtypes import dtype as Dtype
from ._missing import missing


def shape_of(shape: Any) -> Tuple[int, ...]:
    """A shape from an int or a sequence."""
    sizes = (shape,) if isinstance(shape, int) else tuple(int(n) for n in shape)
    if any(n < 0 for n in sizes):
        raise ValueError("negative dimensions are not allowed")
    return sizes


def _float(dtype: Any, cls: Any) -> str:
    return DEFAULT_FLOAT[cls._family] if dtype is None else Dtype(dtype).name


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "b"
    return "i" if isinstance(value, int) else "f"


def full(shape: Any, fill_value: Any, dtype: Any = None, cls: Any = ndarray, **_: Any) -> Any:
    """One number everywhere; an array as the number broadcasts."""
    sizes = shape_of(shape)
    if isinstance(fill_value, (ndarray, list, tuple)):
        from ._shape import broadcast_to

        source = asarray(fill_value, dtype, cls)
        return broadcast_to(source, sizes).copy()
    if dtype is None:
        dtype = fill_value.dtype if isinstance(fill_value, generic) else number_type(fill_value, cls)
    return cls._wrap(_engine.op("fill", [], sizes, Dtype(dtype).name, value=fill_value))


def number_type(value: Any, cls: Any) -> str:
    """The default type of a Python number in the class's library."""
    return {"b": "bool", "i": DEFAULT_INT[cls._family], "f": DEFAULT_FLOAT[cls._family]}[_kind(value)]


def zeros(shape: Any, dtype: Any = None, order: Any = None, cls: Any = ndarray) -> Any:
    """Zeros."""
    return full(shape, 0, _float(dtype, cls), cls)


def ones(shape: Any, dtype: Any = None, order: Any = None, cls: Any = ndarray) -> Any:
    """Ones."""
    return full(shape, 1, _float(dtype, cls), cls)


def empty(shape: Any, dtype: Any = None, order: Any = None, cls: Any = ndarray) -> Any:
    """Zeros (NumPy leaves them undefined)."""
    return zeros(shape, dtype, cls=cls)


def full_like(a: Any, fill_value: Any, dtype: Any = None, shape: Any = None, **_: Any) -> Any:
    """`full` with the shape and type of another array."""
    source = asarray(a)
    return full(source.shape if shape is None else shape, fill_value, source.dtype if dtype is None else dtype, type(source))


def zeros_like(a: Any, dtype: Any = None, **others: Any) -> Any:
    """Zeros with the shape and type of another array."""
    return full_like(a, 0, dtype, **others)


def empty_like(a: Any, dtype: Any = None, **others: Any) -> Any:
    """Zeros (NumPy leaves them undefined) with the shape and type of another array."""
    return zeros_like(a, dtype, **others)


def ones_like(a: Any, dtype: Any = None, **others: Any) -> Any:
    """Ones with the shape and type of another array."""
    return full_like(a, 1, dtype, **others)


def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None, cls: Any = ndarray) -> Any:
    """Numbers from `start` below `stop` by `step`."""
    begin, end = (0, start) if stop is None else (start, stop)
    begin, end = _plain(begin), _plain(end)
    by = 1 if step is None else _plain(step)
    if by == 0:
        raise ZeroDivisionError("division by zero")
    count = max(0, math.ceil((end - begin) / by))
    if dtype is None:
        dtype = DEFAULT_FLOAT[cls._family] if "f" in (_kind(begin), _kind(end), _kind(by)) else DEFAULT_INT[cls._family]
    return cls._wrap(_engine.op("arange", [], (count,), Dtype(dtype).name, start=begin, step=by))


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, (ndarray, generic)) else value


def linspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None, cls: Any = ndarray
) -> Any:
    """`num` numbers at even distances from `start` to `stop`."""
    if retstep:
        raise missing("numpy.linspace(retstep=True)")
    begin, end = float(start), float(stop)
    return cls._wrap(_engine.op("linspace", [], (int(num),), _float(dtype, cls), start=begin, stop=end, endpoint=bool(endpoint)))


def eye(N: int, M: Optional[int] = None, k: int = 0, dtype: Any = None, cls: Any = ndarray) -> Any:
    """Ones on diagonal `k`, zeros elsewhere."""
    return cls._wrap(_engine.op("eye", [], (int(N), int(N if M is None else M)), _float(dtype, cls), k=k))


def identity(n: int, dtype: Any = None) -> Any:
    """The square matrix with ones on the diagonal."""
    return eye(n, dtype=dtype)


def _flatten(value: Any, out: List[Any]) -> Tuple[int, ...]:
    """Appends the numbers of nested sequences; gives their shape."""
    if isinstance(value, (bool, int, float)):
        out.append(value)
        return ()
    if hasattr(value, "tolist"):
        return _flatten(value.tolist(), out)
    if isinstance(value, complex) or isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise missing(f"an array of {type(value).__name__}")
    shapes = [_flatten(item, out) for item in value]
    if any(shape != shapes[0] for shape in shapes):
        raise ValueError("setting an array element with a sequence. The requested array has an inhomogeneous shape")
    return (len(shapes),) + (shapes[0] if shapes else ())


def array(object: Any, dtype: Any = None, copy: Any = True, ndmin: int = 0, cls: Any = ndarray, **_: Any) -> Any:
    """An array of nested sequences, a number or another array."""
    if isinstance(object, (list, tuple)) and object and all(isinstance(item, ndarray) for item in object):
        from ._shape import stack

        made = cls._wrap(stack(object)._array)
    elif hasattr(object, "_array"):
        made = cls._wrap(object._array)
    elif isinstance(object, generic):
        made = full((), object, object.dtype, cls)
    elif isinstance(object, (bool, int, float)):
        made = full((), object, cls=cls)
    else:
        made = _from_sequence(object, dtype, cls)
    if dtype is not None:
        made = made.astype(dtype)
    return made.reshape((1,) * (ndmin - made.ndim) + made.shape) if made.ndim < ndmin else made


def _from_sequence(object: Any, dtype: Any, cls: Any) -> Any:
    numbers: List[Any] = []
    shape = _flatten(object, numbers)
    kinds = {_kind(x) for x in numbers}
    kind = "f" if "f" in kinds or not numbers else "i" if "i" in kinds else "b"
    made = cls._wrap(_engine.from_numbers(numbers, shape, kind))
    if numbers and all(isinstance(x, generic) for x in numbers):
        return made.astype(promote([x.dtype for x in numbers], [], cls._family))
    wanted = {"b": "bool", "i": DEFAULT_INT[cls._family], "f": DEFAULT_FLOAT[cls._family]}[kind]
    return made if dtype is not None else made.astype(wanted)


def asarray(a: Any, dtype: Any = None, cls: Any = ndarray, **_: Any) -> Any:
    """The array itself where possible."""
    if isinstance(a, ndarray) and (dtype is None or a.dtype == Dtype(dtype)):
        return a
    return array(a, dtype, cls=type(a) if isinstance(a, ndarray) else cls)


def frombuffer(buffer: Any, dtype: Any = float, count: int = -1, offset: int = 0) -> Any:
    """An array over bytes (copied)."""
    wanted = Dtype(dtype)
    data = bytes(buffer)[offset:]
    length = len(data) // wanted.itemsize if count < 0 else count
    return ndarray._wrap(_engine.put(wanted.name, (length,), data[: length * wanted.itemsize]))
