"""A small torch for kernel scripts in NKI Scope's bundled interpreter: tensors over the lazy arrays of the NumPy stand-in.

Random numbers are not torch's for the same seed: they come from NumPy's MT19937, seeded by `manual_seed`, so that runs repeat.
What is missing raises an error that names it and offers the user's own interpreter, where the real torch is used.
"""

from __future__ import annotations

import contextlib as _contextlib
from typing import Any

import numpy as _np
from numpy import _create
from numpy import _linear as _lin
from numpy import _reduce as _red
from numpy import _shape as _shp
from numpy import random as _random
from numpy._missing import missing as _missing
from numpy._ufuncs import UFUNCS as _UFUNCS
from numpy._ufuncs import elementwise as _elementwise

from ._tensor import ELEMENTWISE as _ELEMENTWISE
from ._tensor import Size, Tensor, device, dtype

__version__ = "2.0.0+nki.scope"

float32 = float = dtype("float32")
float64 = double = dtype("float64")
float16 = half = dtype("float16")
bfloat16 = dtype("bfloat16")
float8_e4m3fn = dtype("float8_e4m3fn")
float8_e5m2 = dtype("float8_e5m2")
int8, int16, int32, int64 = (dtype(f"int{bits}") for bits in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (dtype(f"uint{bits}") for bits in (8, 16, 32, 64))
short, int, long = int16, int32, int64
bool = dtype("bool")
inf, nan, pi = _np.inf, _np.nan, _np.pi


def _sizes(sizes: Any) -> Any:
    return sizes[0] if len(sizes) == 1 else sizes


def _filler(value: Any) -> Any:
    def function(*sizes: Any, dtype: Any = None, device: Any = None, requires_grad: Any = False, **others: Any) -> Any:
        shape = others.pop("size", None)
        return _create.full(_sizes(sizes) if shape is None else shape, value, dtype or float32, Tensor)

    function.__doc__ = f"A tensor of {value} (torch leaves `empty` undefined)."
    return function


zeros, ones, empty = _filler(0), _filler(1), _filler(0)


def full(size: Any, fill_value: Any, dtype: Any = None, **_: Any) -> Any:
    """One number everywhere."""
    return _create.full(size, fill_value, dtype, Tensor)


def zeros_like(input: Any, dtype: Any = None, **_: Any) -> Any:
    """Zeros with the shape and dtype of another tensor."""
    return _create.full(input.shape, 0, dtype or input.dtype, Tensor)


def ones_like(input: Any, dtype: Any = None, **_: Any) -> Any:
    """Ones with the shape and dtype of another tensor."""
    return _create.full(input.shape, 1, dtype or input.dtype, Tensor)


empty_like = zeros_like


def full_like(input: Any, fill_value: Any, dtype: Any = None, **_: Any) -> Any:
    """One number with the shape and dtype of another tensor."""
    return _create.full(input.shape, fill_value, dtype or input.dtype, Tensor)


def tensor(data: Any, dtype: Any = None, **_: Any) -> Any:
    """A tensor of nested sequences or an array."""
    return _create.array(data, dtype, cls=Tensor)


as_tensor = tensor


def from_numpy(ndarray: Any) -> Any:
    """The array as a tensor (a copy here)."""
    return Tensor._wrap(ndarray._array)


def arange(start: Any, end: Any = None, step: Any = 1, dtype: Any = None, **_: Any) -> Any:
    """Numbers from `start` below `end` by `step`."""
    return _create.arange(start, end, step, dtype, Tensor)


def linspace(start: Any, end: Any, steps: Any, dtype: Any = None, **_: Any) -> Any:
    """Numbers at even distances."""
    return _create.linspace(start, end, steps, dtype=dtype, cls=Tensor)


def eye(n: Any, m: Any = None, dtype: Any = None, **_: Any) -> Any:
    """Ones on the diagonal."""
    return _create.eye(n, m, dtype=dtype, cls=Tensor)


_generator = []


def manual_seed(seed: Any) -> None:
    """Seeds this module's stream (NumPy's MT19937: not torch's numbers)."""
    _generator[:] = [_random.RandomState(seed % 2**32)]


def _stream() -> Any:
    if not _generator:
        manual_seed(0)
    return _generator[0]


def _drawn(name: str) -> Any:
    def function(*sizes: Any, dtype: Any = None, device: Any = None, generator: Any = None, requires_grad: Any = False) -> Any:
        shape = _create.shape_of(_sizes(sizes))
        return Tensor._wrap(getattr(_stream(), name)(size=shape)._array).astype(dtype or float32)

    function.__doc__ = f"A tensor of {name} numbers."
    return function


rand, randn = _drawn("random_sample"), _drawn("standard_normal")


def rand_like(input: Any, dtype: Any = None, **_: Any) -> Any:
    """Uniform numbers with the shape and dtype of another tensor."""
    return rand(input.shape, dtype=dtype or input.dtype)


def randn_like(input: Any, dtype: Any = None, **_: Any) -> Any:
    """Normal numbers with the shape and dtype of another tensor."""
    return randn(input.shape, dtype=dtype or input.dtype)


def randint(low: Any, high: Any = None, size: Any = None, dtype: Any = None, **_: Any) -> Any:
    """Integers of [low, high), or of [0, low) when called with a size second."""
    if isinstance(high, (tuple, list)):
        low, high, size = 0, low, high
    drawn = _stream().randint(low, high, _create.shape_of(size))
    return Tensor._wrap(drawn._array).astype(dtype or int64)


def randperm(n: Any, **_: Any) -> Any:
    """A shuffled range."""
    return Tensor._wrap(_stream().permutation(n)._array)


def _elementwise_function(name: str) -> Any:
    def function(*args: Any, **others: Any) -> Any:
        return _UFUNCS[name](*args, **others)

    function.__doc__ = f"torch's {name}, elementwise."
    return function


globals().update({_name: _elementwise_function(_target) for _name, _target in _ELEMENTWISE.items()})
true_divide = _elementwise_function("divide")
matmul = mm = bmm = _lin.matmul
einsum, outer = _lin.einsum, _lin.outer


def _method(name: str) -> Any:
    def function(input: Any, *args: Any, **others: Any) -> Any:
        return getattr(input, name)(*args, **others)

    function.__doc__ = f"The method {name} as a function."
    return function


_METHODS = "sum prod mean var std max min any all argmax softmax cumsum transpose permute reshape squeeze unsqueeze flatten t clone chunk"
globals().update({_name: _method(_name) for _name in _METHODS.split()})
repeat_interleave, numel = _method("repeat_interleave"), _method("numel")


def where(condition: Any, input: Any, other: Any) -> Any:
    """`input` where the condition holds, else `other`."""
    return _elementwise("where", [condition, input, other], "choose")


def clamp(input: Any, min: Any = None, max: Any = None) -> Any:
    """Values limited to [min, max]."""
    return _np.clip(input, min, max)


clip = clamp


def clamp_min(input: Any, min: Any) -> Any:
    """Values of at least `min`."""
    return clamp(input, min=min)


def clamp_max(input: Any, max: Any) -> Any:
    """Values of at most `max`."""
    return clamp(input, max=max)


def cat(tensors: Any, dim: Any = 0) -> Any:
    """Joined along a dimension."""
    return _shp.concatenate(tensors, dim)


concat = cat


def stack(tensors: Any, dim: Any = 0) -> Any:
    """Joined along a new dimension."""
    return _shp.stack(tensors, dim)


def split(tensor: Any, split_size: Any, dim: Any = 0) -> Any:
    """Parts of a size."""
    length = tensor.shape[dim]
    return tuple(_shp.split(tensor, list(range(split_size, length, split_size)), dim))


def tril(input: Any, diagonal: Any = 0) -> Any:
    """The lower triangle."""
    return _shp.tril(input, diagonal)


def triu(input: Any, diagonal: Any = 0) -> Any:
    """The upper triangle."""
    return _shp.triu(input, diagonal)


def flip(input: Any, dims: Any) -> Any:
    """Reversed along dimensions."""
    return _shp.flip(input, dims)


def gather(input: Any, dim: Any, index: Any) -> Any:
    """Each element of the result picks its own index along `dim`."""
    return _shp.take_along_axis(input, index, dim)


def index_select(input: Any, dim: Any, index: Any) -> Any:
    """Elements along a dimension by index."""
    return _shp.take(input, index, dim)


def isclose(input: Any, other: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """|input - other| ≤ atol + rtol·|other|, elementwise."""
    return _np.isclose(input, other, rtol, atol, equal_nan)


def allclose(input: Any, other: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Whether all elements are close: computes."""
    return _lin.allclose(input, other, rtol, atol, equal_nan)


def equal(input: Any, other: Any) -> Any:
    """Whether shapes and elements are equal: computes."""
    return _lin.array_equal(input, other)


def norm(input: Any, p: Any = None, dim: Any = None, keepdim: Any = False) -> Any:
    """The Euclidean norm."""
    return _lin.norm(input, None if p in (None, "fro", 2) else p, dim, keepdim)


def sort(input: Any, dim: Any = -1) -> Any:
    """Ascending values and their indices."""
    from ._tensor import Extreme

    return Extreme(_red.sort(input, dim), _red.argsort(input, dim))


def topk(input: Any, k: Any, dim: Any = -1, largest: Any = True, sorted: Any = True) -> Any:
    """The `k` largest (or smallest) values along `dim`, in order, and their indices. Of equal values the first come first."""
    from ._tensor import Extreme

    order = _red.argsort(-input if largest else input, dim)
    first = _shp.take(order, _create.arange(k), dim)
    return Extreme(_shp.take_along_axis(input, first, dim), first)


def median(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
    """The median, the lower of two, with its index where a dimension is given."""
    from ._tensor import Extreme

    along, axis = (_shp.reshape(input, (-1,)), 0) if dim is None else (input, dim)
    middle = _shp.take(_red.argsort(along, axis), _create.arange((along.shape[axis] - 1) // 2, (along.shape[axis] + 1) // 2), axis)
    values = _shp.take_along_axis(along, middle, axis)
    if dim is None:
        return values[0]
    return Extreme(values, middle) if keepdim else Extreme(_shp.squeeze(values, axis), _shp.squeeze(middle, axis))


def is_tensor(obj: Any) -> Any:
    """Whether it is a tensor."""
    return isinstance(obj, Tensor)


@_contextlib.contextmanager
def no_grad() -> Any:
    """There are no gradients here."""
    yield


#: Functions that are methods of a tensor, too.
_ALSO_METHODS = "clamp clamp_min clamp_max split tril triu flip gather index_select isclose allclose equal norm sort topk median"
for _name in _ALSO_METHODS.split():
    setattr(Tensor, _name, globals()[_name])


def __getattr__(name: str) -> Any:
    if name in ("nn", "testing"):
        import importlib

        return importlib.import_module(f"torch.{name}")
    if name.startswith("__"):
        raise AttributeError(name)
    raise _missing(f"torch.{name}")


__all__ = ["Size", "Tensor", "device", "dtype"]
