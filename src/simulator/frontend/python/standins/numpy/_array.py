"""`ndarray`: a handle on a lazy array of the host, with NumPy's attributes, operators and methods. What the methods do is in the files of
functions beside this one.

A basic slice, reshape or transpose is a view as in NumPy: writing through it changes its base, and it follows its base. An element
(`a[0, 0]`) and a full reduction (`a.sum()`) stay lazy arrays of no dimensions that act as numbers; NumPy gives scalars there.
"""

from __future__ import annotations

from typing import Any, Callable, Iterator, List, Optional, Tuple

from . import _engine
from ._dtypes import dtype as Dtype
from ._index import expand, is_array_key, window
from ._missing import missing


class ndarray:
    """An array of the simulator. Nothing is computed until values are asked for."""

    _family = "numpy"
    __array_priority__ = 0

    def __init__(self, shape: Any = (), dtype: Any = float) -> None:
        """Zeros of a shape (NumPy leaves them undefined)."""
        sizes = (shape,) if isinstance(shape, int) else tuple(int(n) for n in shape)
        self._adopt(_engine.op("fill", [], sizes, Dtype(dtype).name, value=0))

    def _adopt(self, host_array: Any) -> None:
        self._host = host_array
        self._base: Optional[ndarray] = None
        self._seen: Any = None
        self._forward: Optional[Callable[[Any], Any]] = None
        self._backward: Optional[Callable[[Any, Any], Any]] = None

    @classmethod
    def _wrap(cls, host_array: Any) -> Any:
        """The array around a HostArray."""
        self = cls.__new__(cls)
        self._adopt(host_array)
        return self

    def _view(self, forward: Callable[[Any], Any], backward: Callable[[Any, Any], Any]) -> Any:
        """A view: `forward(base)` makes its values, `backward(base, view)` the base's values after a write."""
        base = self._array
        view = self._wrap(forward(base))
        view._base, view._seen, view._forward, view._backward = self, base, forward, backward
        return view

    @property
    def _array(self) -> Any:
        """The current HostArray."""
        if self._base is not None:
            base = self._base._array
            if base is not self._seen:
                self._host, self._seen = self._forward(base), base  # type: ignore[misc]
        return self._host

    @_array.setter
    def _array(self, host_array: Any) -> None:
        self._host = host_array
        if self._base is not None:
            self._base._array = self._backward(self._base._array, host_array)  # type: ignore[misc]
            self._seen = self._base._array

    @property
    def shape(self) -> Tuple[int, ...]:
        """Lengths of the axes."""
        return tuple(self._host.shape)

    @property
    def dtype(self) -> Any:
        """The data type."""
        return Dtype(self._host.dtype)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self._host.shape)

    @property
    def _count(self) -> int:
        """Number of elements. (torch's `size` is a method.)"""
        size = 1
        for length in self._host.shape:
            size *= length
        return size

    @property
    def size(self) -> int:
        """Number of elements."""
        return self._count

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self._count * self.itemsize

    @property
    def T(self) -> Any:
        """The axes reversed."""
        from . import _shape

        return _shape.transpose(self)  # not the method: torch's takes two dimensions

    def _values(self) -> List[Any]:
        """All elements as Python numbers, C order: computes."""
        return _engine.values(self._array)

    def __len__(self) -> int:
        """Length of the first axis."""
        if self.ndim == 0:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        """The rows."""
        return (self[i] for i in range(len(self)))

    def item(self, *index: int) -> Any:
        """One element as a Python number: computes."""
        if index:
            chosen = self.reshape(-1)[index[0]] if len(index) == 1 else self[index]
            return chosen._values()[0]
        if self._count != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._values()[0]

    def tolist(self) -> Any:
        """Nested lists of Python numbers: computes."""
        return _nested(self._values(), tuple(self.shape))

    def tobytes(self) -> bytes:
        """Packed little-endian bytes, C order: computes."""
        return _engine.get(self._array)

    def __bool__(self) -> bool:
        """Truth of one element: computes."""
        if self._count != 1:
            raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")
        return bool(self.item())

    def __float__(self) -> float:
        """The one element."""
        return float(self.item())

    def __int__(self) -> int:
        """The one element."""
        return int(self.item())

    def __index__(self) -> int:
        """The one integer of an array without dimensions."""
        if self.ndim or self.dtype.kind not in "iu":
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return int(self.item())

    def __complex__(self) -> complex:
        """The one element."""
        return complex(self.item())

    def __round__(self, digits: Optional[int] = None) -> Any:
        """The one element, rounded."""
        return round(self.item(), digits)

    __hash__ = None  # type: ignore[assignment]

    def __format__(self, spec: str) -> str:
        """An array without dimensions formats as its number."""
        return format(self.item(), spec) if self.ndim == 0 else format(str(self), spec)

    def __repr__(self) -> str:
        """As NumPy prints it; long arrays are summarised."""
        from ._print import array_repr

        return array_repr(self)

    def __str__(self) -> str:
        """The values alone."""
        from ._print import array_str

        return array_str(self)

    def __getitem__(self, key: Any) -> Any:
        """A view of a basic key, or a copy gathered by index arrays and masks."""
        items = expand(key, self.ndim)
        if any(is_array_key(item) for item in items):
            from ._gather import gather

            return gather(self, items)
        chosen = window(items, self.shape)

        def forward(base: Any) -> Any:
            return _engine.op("slice", [base], chosen.shape, base.dtype, start=chosen.start, step=chosen.step, axes=chosen.axes)

        def backward(base: Any, view: Any) -> Any:
            return _update(base, view, chosen)

        return self._view(forward, backward)

    def __setitem__(self, key: Any, value: Any) -> None:
        """Replaces what the key selects; the value broadcasts."""
        from ._create import asarray

        items = expand(key, self.ndim)
        change = asarray(value, cls=type(self)).astype(self.dtype)
        if any(is_array_key(item) for item in items):
            from ._gather import scatter

            self._array = scatter(self, items, change)
            return
        chosen = window(items, self.shape)
        while change.ndim > len(chosen.shape) and change.shape[0] == 1:
            change = change[0]
        _check_fits(change.shape, chosen.shape)
        self._array = _update(self._array, change._array, chosen)

    def __getattr__(self, name: str) -> Any:
        """Methods live in a table; anything else is missing here."""
        from ._methods import METHODS

        if name in METHODS:
            return METHODS[name].__get__(self)
        if name.startswith("__"):
            raise AttributeError(name)
        raise missing(f"numpy.ndarray.{name}")


def _nested(numbers: List[Any], shape: Tuple[int, ...]) -> Any:
    if not shape:
        return numbers[0]
    if len(shape) == 1:
        return numbers
    row = len(numbers) // shape[0] if shape[0] else 0
    return [_nested(numbers[i * row : (i + 1) * row], shape[1:]) for i in range(shape[0])]


def _update(base: Any, change: Any, chosen: Any) -> Any:
    return _engine.op(
        "update", [base, change], base.shape, base.dtype, start=chosen.start, step=chosen.step, axes=chosen.axes, window=list(chosen.shape)
    )


def _check_fits(shape: Tuple[int, ...], target: Tuple[int, ...]) -> None:
    tail = target[len(target) - len(shape) :] if len(shape) <= len(target) else None
    if tail is None or any(n not in (1, m) for n, m in zip(shape, tail)):
        raise ValueError(f"could not broadcast input array from shape {shape} into shape {target}")
