"""Host arrays and the libraries that scripts hold them in: our NumPy stand-in, NumPy, torch, and `nki.typing.tensor` (shape only).

No library is imported here unless the script already has.
"""

from __future__ import annotations

import sys
from typing import Any, Callable, Iterable, Optional, Sequence, Tuple, Union

from ..vocabulary import dtypes, versions
from ..vocabulary.errors import HostError
from . import host

_HOST_ONLY = ("float64", "uint64", "complex64", "complex128")


class ShapeOnly:
    """`tensor[[250, 512], nl.float32]`: a tensor argument of which only shape and dtype are known. Its values are zeros."""

    def __init__(self, shape: Sequence[int], dtype: Any) -> None:
        """`dtype` of None: an annotation, which cannot be an argument."""
        self.shape: Tuple[int, ...] = tuple(int(extent) for extent in shape)
        self.dtype = None if dtype is None else dtypes.parse(dtype)

    def __repr__(self) -> str:
        """As it is written."""
        return f"tensor[{list(self.shape)}, {self.dtype}]"


class TensorType:
    """`nki.typing.tensor`, subscripted: `tensor[[p, f], dtype]` as an argument, `tensor[p, f]` as an annotation."""

    def __getitem__(self, key: Any) -> ShapeOnly:
        """The described tensor."""
        entries = key if isinstance(key, tuple) else (key,)
        if isinstance(entries[0], (tuple, list)):
            return ShapeOnly(entries[0], entries[1] if len(entries) > 1 else None)
        last = None if isinstance(entries[-1], int) else dtypes.find(entries[-1])
        return ShapeOnly(entries if last is None else entries[:-1], last)

    def __call__(self, *args: Any, **kwargs: Any) -> ShapeOnly:
        """Not a constructor."""
        raise TypeError("nki.typing.tensor is subscripted: tensor[[128, 512], nl.float32]")


def dtype_name(code: int) -> str:
    """Name of a dtype by its code in programs."""
    return next(str(dtype) for dtype in dtypes.ALL.values() if dtype.code == code)


def kernel_dtype(name: str, dtype: str) -> dtypes.Dtype:
    """dtype of an argument inside the kernel. TypeError for those the machine does not have."""
    if dtype in _HOST_ONLY or (dtype == "int64" and not versions.is_at_least("0.7")):
        raise TypeError(f"argument {name} is {dtype}, which the machine does not have: convert it first, for example .astype(np.float32)")
    return dtypes.parse(dtype, f"argument {name}")


def as_held(name: str, array: host.HostArray) -> host.HostArray:
    """The argument's array as its tensor holds it."""
    return words_of(array) if kernel_dtype(name, array.dtype) is dtypes.INT64 else array


def words_of(array: host.HostArray) -> host.HostArray:
    """An array of int64 as a program takes it: the words of each integer along one more axis (`tensors/words.py`)."""
    shape = (*array.shape, dtypes.WORDS)
    return host.operate("view", dtypes.WORD, shape, [array]) if array.exact is None else host.put(dtypes.WORD, shape, array.tobytes())


def of_words(words: host.HostArray) -> host.HostArray:
    """The array of int64 that such words are."""
    made = host.operate("view", "int64", words.shape[:-1], [words])
    made.exact = words
    return made


#: What results become: a library whose arrays are made of bytes, or what wraps a HostArray; "" when no argument says so.
Family = Union[str, Callable[[host.HostArray], Any]]


def family_of(values: Iterable[Any]) -> Family:
    """Family of the first array among the arguments, in containers too."""
    for value in values:
        if isinstance(value, dict):
            value = list(value.values())
        found = family_of(value) if isinstance(value, (tuple, list)) else _family(value)
        if found:
            return found
    return ""


def _family(value: Any) -> Family:
    if isinstance(value, host.HostArray):
        return ""
    if hasattr(value, "_array"):
        return getattr(type(value), "_wrap", "")
    root = type(value).__module__.split(".")[0]
    is_array = hasattr(value, "shape") and hasattr(value, "dtype")
    return root if root in ("numpy", "torch") and is_array else ""


def to_host(name: str, value: Any) -> Optional[host.HostArray]:
    """The host's array of an argument, or None when it is not an array."""
    if isinstance(value, type):
        return None  # a class, as np.float32: it has the attributes of its instances
    if isinstance(value, ShapeOnly):
        if value.dtype is None:
            raise TypeError(f"argument {name}: {value!r} has no dtype: tensor[[128, 512], nl.float32]")
        return host.operate("fill", value.dtype, value.shape, value=0)
    held = getattr(value, "_array", None)
    if isinstance(held, host.HostArray):
        return held
    if hasattr(value, "detach") and hasattr(value, "numpy"):
        return _from_torch(value)
    if hasattr(value, "__array_interface__") and hasattr(value, "tobytes") and getattr(value, "ndim", 0) > 0:
        return host.put(str(value.dtype.name), value.shape, value.tobytes())
    return None


def _from_torch(value: Any) -> host.HostArray:
    dtype = str(value.dtype).rsplit(".", 1)[-1]
    plain = value.detach().cpu().contiguous()
    if dtype.startswith(("bfloat16", "float8")):  # NumPy has no such types: the bits go over as integers
        torch = sys.modules["torch"]
        plain = plain.view(torch.int16 if dtype == "bfloat16" else torch.uint8)
    return host.put(dtype, tuple(value.shape), plain.numpy().tobytes())


def from_host(array: host.HostArray, family: Family, fetch: bool) -> Any:
    """A result in the caller's library; NumPy's where no argument says which."""
    if callable(family):
        return family(array)
    wrap = _stand_in()
    if not family and wrap is None:
        family = _numpy()
    if family and fetch:
        try:
            return _fetched(array, family)
        except HostError as error:
            if error.kind != "NumericsOff":
                raise
            return array  # it says that values are switched off when it is asked
    return array if wrap is None else wrap(array)


def _stand_in() -> Optional[Callable[[host.HostArray], Any]]:
    """What makes an array of our NumPy stand-in of a host array, where a script has imported that."""
    return getattr(getattr(sys.modules.get("numpy"), "ndarray", None), "_wrap", None)


def _numpy() -> str:
    """ "numpy" where it is the real one."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        return ""
    return "numpy" if _stand_in() is None else ""


def _fetched(array: host.HostArray, family: str) -> Any:
    data = array.tobytes()
    if family == "torch":
        return _to_torch(array, data)
    numpy = sys.modules["numpy"]
    return numpy.frombuffer(bytearray(data), dtype=_numpy_dtype(array.dtype)).reshape(array.shape)


def _carrier(name: str) -> str:
    """What holds a dtype in other libraries: packed elements are unsigned integers there, as kernels take them."""
    known = dtypes.find(name)
    return f"uint{8 * known.itemsize}" if known is not None and known.kind == "packed" else str(name)


def _numpy_dtype(name: str) -> Any:
    numpy = sys.modules["numpy"]
    name = _carrier(name)
    try:
        return numpy.dtype(name)
    except TypeError:
        try:
            import ml_dtypes
        except ImportError:
            raise TypeError(f"NumPy has no {name}: install ml_dtypes, which adds it") from None
        return numpy.dtype(getattr(ml_dtypes, name))


def cast(value: Any, dtype: dtypes.Dtype) -> Any:
    """An array (or number) of the host with another dtype, in its own library."""
    if hasattr(value, "detach"):
        return value.to(getattr(sys.modules["torch"], str(dtype)))
    import numpy

    return numpy.asarray(value).astype(_numpy_dtype(dtype))


def name_narrow_types() -> None:
    """Lets NumPy know bfloat16 and the float8 types by name (`x.astype("bfloat16")`), where ml_dtypes is installed.

    AWS's legacy package imports both, so that scripts find the names whatever they import first.
    """
    if "ml_dtypes" not in sys.modules and sys.platform != "emscripten":
        try:
            import ml_dtypes  # noqa: F401 - importing it registers the names
        except ImportError:
            pass


def _to_torch(array: host.HostArray, data: bytes) -> Any:
    torch = sys.modules["torch"]
    flat = torch.frombuffer(bytearray(data), dtype=getattr(torch, _carrier(array.dtype)))
    return flat.reshape(array.shape)


def write_back(value: Any, array: host.HostArray, fetch: bool) -> None:
    """An argument that the kernel wrote: the caller's array gets the new values."""
    if isinstance(getattr(value, "_array", None), host.HostArray) and not isinstance(value, host.HostArray):
        value._array = array
    elif isinstance(value, host.HostArray):
        value.exchange(array)
    elif not isinstance(value, ShapeOnly) and fetch:
        family = "torch" if hasattr(value, "detach") else "numpy"
        try:
            fetched = _fetched(array, family)
        except HostError as error:
            if error.kind != "NumericsOff":
                raise
            return
        if family == "torch":
            value.copy_(fetched)
        else:
            value[...] = fetched
