"""`torch.Tensor` over the same lazy arrays as the NumPy stand-in: torch's names, defaults and promotion."""

from __future__ import annotations

import collections
from typing import Any, Dict

import numpy as np
from numpy import _reduce, _shape
from numpy._array import ndarray
from numpy._dtypes import dtype as Dtype
from numpy._missing import missing
from numpy._ufuncs import UFUNCS, elementwise


class dtype(Dtype):
    """A data type that prints as torch's do."""

    _own: Dict[str, dtype] = {}

    def __new__(cls, wanted: Any = "float32") -> dtype:
        """The one object of that type."""
        plain = Dtype(wanted)
        if plain.name not in cls._own:
            self = object.__new__(cls)
            self.name, self.type, self.itemsize, self.kind = plain.name, plain.type, plain.itemsize, plain.kind
            cls._own[plain.name] = self
        return cls._own[plain.name]

    def __repr__(self) -> str:
        """`torch.bfloat16`."""
        return f"torch.{self.name}"

    __str__ = __repr__
    __hash__ = Dtype.__hash__

    @property
    def is_floating_point(self) -> bool:
        """Whether it is a float."""
        return self.kind == "f"


class Size(tuple):
    """A shape."""

    def numel(self) -> int:
        """Number of elements."""
        count = 1
        for length in self:
            count *= length
        return count

    def __repr__(self) -> str:
        """As torch prints it."""
        return f"torch.Size({list(self)})"


class device:
    """Where a tensor lives; here it makes no difference."""

    def __init__(self, name: Any = "cpu", index: Any = None) -> None:
        """`cpu`, `xla`, …"""
        self.type = str(name).split(":")[0]
        self.index = index

    def __repr__(self) -> str:
        """As torch prints it."""
        return f"device(type='{self.type}')"


Extreme = collections.namedtuple("Extreme", "values indices")


def _reduction(name: str) -> Any:
    def method(self: Any, dim: Any = None, keepdim: bool = False, dtype: Any = None, **others: Any) -> Any:
        dim = others.pop("axis", dim)
        ddof = others.pop("correction", int(others.pop("unbiased", True))) if name in ("var", "std") else 0
        if others:
            raise missing(f"torch.{name}({next(iter(others))}=…)")
        if name in ("max", "min") and dim is not None:
            return Extreme(_reduce.reduce(name, self, dim, keepdim), _reduce.reduce(f"arg{name}", self, dim, keepdim))
        return _reduce.reduce(name, self, dim, keepdim, dtype, ddof=ddof)

    method.__name__ = name
    method.__doc__ = f"torch's {name} over a dimension, several or all."
    return method


class Tensor(ndarray):
    """A tensor of the simulator. Nothing is computed until values are asked for."""

    _family = "torch"
    device = device("cpu")
    requires_grad = False
    grad = None

    @property
    def dtype(self) -> Any:
        """torch's dtype."""
        return dtype(self._host.dtype)

    @property
    def shape(self) -> Any:
        """torch.Size."""
        return Size(self._host.shape)

    def size(self, dim: Any = None) -> Any:  # type: ignore[override]
        """The shape, or one length of it."""
        return self.shape if dim is None else self.shape[dim]

    def numel(self) -> int:
        """Number of elements."""
        return self.shape.numel()

    nelement = numel

    def dim(self) -> int:
        """Number of dimensions."""
        return self.ndim

    def element_size(self) -> int:
        """Bytes of an element."""
        return self.itemsize

    def numpy(self, force: bool = False) -> Any:
        """The same values as a NumPy array."""
        if self.dtype.name == "bfloat16":
            raise TypeError("Got unsupported ScalarType BFloat16")
        return ndarray._wrap(self._array)

    def to(self, *args: Any, dtype: Any = None, **_: Any) -> Any:
        """Another dtype; devices make no difference."""
        for arg in args:
            if isinstance(arg, Tensor):
                dtype = arg.dtype
            elif not isinstance(arg, (str, int, device)):
                dtype = arg
        return self if dtype is None else self.astype(dtype)

    def _same(self, *_: Any, **__: Any) -> Any:
        return self

    cpu = detach = contiguous = cuda = requires_grad_ = _same

    def type(self, dtype: Any = None) -> Any:
        """The dtype, or the values in another."""
        return self.dtype if dtype is None else self.astype(dtype)

    def clone(self) -> Any:
        """A copy."""
        return _shape.copy(self)

    def view(self, *sizes: Any) -> Any:
        """Another shape, or the same bytes as another dtype."""
        if len(sizes) == 1 and not isinstance(sizes[0], (int, tuple, list)):
            return _shape.view(self, sizes[0])
        return self.reshape(*sizes)

    def t(self) -> Any:
        """The transposed matrix."""
        return _shape.transpose(self)

    def transpose(self, dim0: int, dim1: int) -> Any:
        """Two dimensions exchanged."""
        return _shape.swapaxes(self, dim0, dim1)

    def permute(self, *dims: Any) -> Any:
        """Dimensions in another order."""
        return _shape.transpose(self, dims[0] if len(dims) == 1 and not isinstance(dims[0], int) else dims)

    def unsqueeze(self, dim: int) -> Any:
        """A new dimension of length one."""
        return _shape.expand_dims(self, dim)

    def squeeze(self, dim: Any = None) -> Any:
        """Without dimensions of length one."""
        if isinstance(dim, int) and self.shape[dim] != 1:
            return self
        return _shape.squeeze(self, dim)

    def expand(self, *sizes: Any) -> Any:
        """Broadcast; -1 keeps a length."""
        wanted = list(sizes[0] if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes)
        own = (1,) * (len(wanted) - self.ndim) + tuple(self.shape)
        return _shape.broadcast_to(self, [n if size == -1 else size for n, size in zip(own, wanted)])

    def repeat(self, *counts: Any) -> Any:
        """Tiled."""
        return _shape.tile(self, counts[0] if len(counts) == 1 and not isinstance(counts[0], int) else counts)

    def repeat_interleave(self, repeats: int, dim: Any = None) -> Any:
        """Each element several times."""
        return _shape.repeat(self, repeats, dim)

    def flatten(self, start_dim: int = 0, end_dim: int = -1) -> Any:
        """Neighbouring dimensions made one."""
        begin, end = start_dim % self.ndim, end_dim % self.ndim
        return _shape.reshape(self, tuple(self.shape[:begin]) + (-1,) + tuple(self.shape[end + 1 :]))

    def softmax(self, dim: int = -1, dtype: Any = None) -> Any:
        """exp(x - max) over its sum."""
        source = self if dtype is None else self.astype(dtype)
        powers = UFUNCS["exp"](source - _reduce.reduce("max", source, dim, True))
        return powers / _reduce.reduce("sum", powers, dim, True)

    def cumsum(self, dim: int) -> Any:
        """Running sums."""
        return _reduce.cumsum(self, dim)

    def chunk(self, chunks: int, dim: int = 0) -> Any:
        """Equal parts."""
        return tuple(_shape.split(self, chunks, dim))

    def argmax(self, dim: Any = None, keepdim: bool = False) -> Any:
        """Index of the largest."""
        return _reduce.reduce("argmax", self, dim, keepdim)

    def matmul(self, other: Any) -> Any:
        """Matrix product."""
        return self @ other

    mm = bmm = matmul

    def fill_(self, value: Any) -> Any:
        """One number everywhere."""
        self[...] = value
        return self

    def zero_(self) -> Any:
        """Zeros."""
        return self.fill_(0)

    def copy_(self, source: Any) -> Any:
        """The values of another tensor."""
        self[...] = source
        return self

    def masked_fill(self, mask: Any, value: Any) -> Any:
        """`value` where the mask is true."""
        return elementwise("where", [mask, value, self], "choose")

    def __repr__(self) -> str:
        """`tensor(…)`, digits as NumPy prints them."""
        return f"tensor({self})" if self.ndim == 0 else np.array_repr(ndarray._wrap(self._array)).replace("array(", "tensor(", 1)

    def __getattr__(self, name: str) -> Any:
        """Elementwise functions as methods; anything else is missing here."""
        if name in ELEMENTWISE:
            return lambda *args: UFUNCS[ELEMENTWISE[name]](self, *args)
        if name in ("reshape", "ravel", "astype", "clip", "round", "dot", "diagonal"):
            return super().__getattr__(name)
        if name.startswith("__"):
            raise AttributeError(name)
        raise missing(f"torch.Tensor.{name}")


#: torch's name -> NumPy's.
ELEMENTWISE = {
    **{name: name for name in "exp exp2 expm1 log log2 log10 log1p sqrt rsqrt sin cos tan sinh cosh tanh sigmoid erf square".split()},
    **{name: name for name in "reciprocal floor ceil trunc sign isnan isinf isfinite maximum minimum fmod remainder".split()},
    **{name: name for name in "logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor".split()},
    **{
        "add": "add",
        "sub": "subtract",
        "mul": "multiply",
        "div": "divide",
        "pow": "power",
        "abs": "absolute",
        "neg": "negative",
        "round": "rint",
    },
    **{"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"},
    **{"subtract": "subtract", "multiply": "multiply", "divide": "divide", "negative": "negative", "absolute": "absolute"},
}

for _name in ("sum", "prod", "mean", "var", "std", "max", "min", "any", "all"):
    setattr(Tensor, _name, _reduction(_name))

_CASTS = {
    "float": "float32",
    "half": "float16",
    "bfloat16": "bfloat16",
    "double": "float64",
    "int": "int32",
    "long": "int64",
    "bool": "bool",
}


def _cast(wanted: str) -> Any:
    return lambda self: self.astype(wanted)


for _name, _wanted in _CASTS.items():
    setattr(Tensor, _name, _cast(_wanted))
