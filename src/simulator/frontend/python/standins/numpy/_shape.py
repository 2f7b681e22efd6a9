"""Functions that move values: reshape, transpose, join, split, repeat, pad."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple

from . import _engine
from ._array import ndarray
from ._create import asarray, full, shape_of
from ._dtypes import dtype as Dtype
from ._dtypes import promote
from ._missing import missing
from ._ufuncs import broadcast_shape, kind_of


def normal_axis(axis: Any, ndim: int) -> int:
    """A non-negative axis.

    Raises:
        ValueError: out of range.
    """
    if not -ndim <= axis < ndim:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {ndim}")
    return axis % ndim


def _reshaped(source: Any, shape: Tuple[int, ...]) -> Any:
    def change(to: Tuple[int, ...], array: Any) -> Any:
        return _engine.op("reshape", [array], to, array.dtype)

    old = source.shape
    return source._view(lambda base: change(shape, base), lambda base, view: change(old, view))


def reshape(a: Any, shape: Any, order: str = "C") -> Any:
    """The same values in another shape; one length may be -1."""
    if order not in ("C", "A"):
        raise missing(f"numpy.reshape(order={order!r})")
    source = asarray(a)
    sizes = [shape] if isinstance(shape, int) else [int(n) for n in shape]
    if -1 in sizes:
        known = 1
        for n in sizes:
            known *= n if n != -1 else 1
        sizes[sizes.index(-1)] = source._count // known if known else 0
    total = 1
    for n in sizes:
        total *= n
    if total != source._count:
        raise ValueError(f"cannot reshape array of size {source._count} into shape {tuple(sizes)}")
    return _reshaped(source, tuple(sizes))


def ravel(a: Any) -> Any:
    """One dimension."""
    return reshape(a, -1)


def transpose(a: Any, axes: Any = None) -> Any:
    """The axes in another order (reversed by default)."""
    source = asarray(a)
    order = list(reversed(range(source.ndim))) if axes is None else [normal_axis(axis, source.ndim) for axis in axes]
    if sorted(order) != list(range(source.ndim)):
        raise ValueError("axes don't match array")
    back = [order.index(axis) for axis in range(source.ndim)]

    def turn(by: List[int], array: Any) -> Any:
        return _engine.op("transpose", [array], [array.shape[axis] for axis in by], array.dtype, axes=by)

    return source._view(lambda base: turn(order, base), lambda base, view: turn(back, view))


def swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    """Two axes exchanged."""
    source = asarray(a)
    order = list(range(source.ndim))
    i, j = normal_axis(axis1, source.ndim), normal_axis(axis2, source.ndim)
    order[i], order[j] = order[j], order[i]
    return transpose(source, order)


def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """Axes at other places."""
    array = asarray(a)
    origin = [normal_axis(axis, array.ndim) for axis in ([source] if isinstance(source, int) else source)]
    target = [normal_axis(axis, array.ndim) for axis in ([destination] if isinstance(destination, int) else destination)]
    order = [axis for axis in range(array.ndim) if axis not in origin]
    for place, axis in sorted(zip(target, origin)):
        order.insert(place, axis)
    return transpose(array, order)


def expand_dims(a: Any, axis: Any) -> Any:
    """New axes of length one."""
    source = asarray(a)
    axes = [axis] if isinstance(axis, int) else list(axis)
    ndim = source.ndim + len(axes)
    new = {normal_axis(one, ndim) for one in axes}
    lengths = iter(source.shape)
    return reshape(source, [1 if place in new else next(lengths) for place in range(ndim)])


def squeeze(a: Any, axis: Any = None) -> Any:
    """Without axes of length one."""
    source = asarray(a)
    if axis is None:
        return reshape(source, [n for n in source.shape if n != 1])
    axes = {normal_axis(one, source.ndim) for one in ([axis] if isinstance(axis, int) else axis)}
    if any(source.shape[one] != 1 for one in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return reshape(source, [n for place, n in enumerate(source.shape) if place not in axes])


def broadcast_to(a: Any, shape: Any) -> Any:
    """The values repeated to a shape, without copies."""
    source = asarray(a)
    sizes = shape_of(shape)
    if broadcast_shape(source.shape, sizes) != sizes:
        raise ValueError(f"operands could not be broadcast together with remapped shapes {source.shape} and {sizes}")
    return source._wrap(_engine.op("broadcast_to", [source._array], sizes, source.dtype.name))


def broadcast_arrays(*arrays: Any) -> List[Any]:
    """All at their common shape."""
    made = [asarray(a) for a in arrays]
    shape = broadcast_shape(*[a.shape for a in made])
    return [broadcast_to(a, shape) for a in made]


def concatenate(arrays: Sequence[Any], axis: Optional[int] = 0, dtype: Any = None) -> Any:
    """Joined along an axis."""
    made = [asarray(a) for a in arrays]
    if not made:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        made, axis = [ravel(a) for a in made], 0
    place = normal_axis(axis, made[0].ndim)
    rest = {tuple(n for i, n in enumerate(a.shape) if i != place) for a in made}
    if len(rest) > 1 or len({a.ndim for a in made}) > 1:
        raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")
    cls = kind_of(made)
    kind = Dtype(dtype) if dtype is not None else promote([a.dtype for a in made], [], cls._family)
    shape = list(made[0].shape)
    shape[place] = sum(a.shape[place] for a in made)
    return cls._wrap(_engine.op("concatenate", [a.astype(kind)._array for a in made], shape, kind.name, axis=place))


def stack(arrays: Sequence[Any], axis: int = 0) -> Any:
    """Joined along a new axis."""
    return concatenate([expand_dims(a, axis) for a in arrays], axis)


def vstack(arrays: Sequence[Any]) -> Any:
    """Joined as rows."""
    return concatenate([a if a.ndim > 1 else reshape(a, (1, -1)) for a in map(asarray, arrays)], 0)


def hstack(arrays: Sequence[Any]) -> Any:
    """Joined as columns."""
    made = [asarray(a) for a in arrays]
    return concatenate(made, 0 if made[0].ndim <= 1 else 1)


def split(a: Any, indices_or_sections: Any, axis: int = 0) -> List[Any]:
    """Equal parts, or parts between indices."""
    source = asarray(a)
    place = normal_axis(axis, source.ndim)
    length = source.shape[place]
    if isinstance(indices_or_sections, int):
        if length % indices_or_sections:
            raise ValueError("array split does not result in an equal division")
        part = length // indices_or_sections
        cuts = list(range(part, length, part))
    else:
        cuts = [int(i) for i in indices_or_sections]
    lead = (slice(None),) * place
    return [source[lead + (slice(begin, end),)] for begin, end in zip([0] + cuts, cuts + [length])]


def repeat(a: Any, repeats: Any, axis: Optional[int] = None) -> Any:
    """Each element `repeats` times."""
    if not isinstance(repeats, int):
        raise missing("numpy.repeat with counts per element")
    source = ravel(a) if axis is None else asarray(a)
    place = normal_axis(0 if axis is None else axis, source.ndim)
    shape = source.shape
    wide = expand_dims(source, place + 1)
    wide = broadcast_to(wide, shape[: place + 1] + (repeats,) + shape[place + 1 :])
    return reshape(wide, shape[:place] + (shape[place] * repeats,) + shape[place + 1 :])


def tile(a: Any, reps: Any) -> Any:
    """The array repeated `reps` times along each axis."""
    source = asarray(a)
    counts = [reps] if isinstance(reps, int) else list(reps)
    ndim = max(source.ndim, len(counts))
    counts = [1] * (ndim - len(counts)) + counts
    shape = (1,) * (ndim - source.ndim) + source.shape
    wide = reshape(source, [n for length in shape for n in (1, length)])
    wide = broadcast_to(wide, [n for count, length in zip(counts, shape) for n in (count, length)])
    return reshape(wide, [count * length for count, length in zip(counts, shape)])


def pad(array: Any, pad_width: Any, mode: str = "constant", constant_values: Any = 0) -> Any:
    """A border of one number."""
    if mode != "constant":
        raise missing(f"numpy.pad(mode={mode!r})")
    source = asarray(array)
    widths = _pad_widths(pad_width, source.ndim)
    shape = [before + length + after for length, (before, after) in zip(source.shape, widths)]
    result = full(shape, constant_values, source.dtype, type(source))
    result[tuple(slice(before, before + length) for length, (before, _) in zip(source.shape, widths))] = source
    return result


def _pad_widths(width: Any, ndim: int) -> List[Tuple[int, int]]:
    if isinstance(width, int):
        return [(width, width)] * ndim
    items = list(width)
    if all(isinstance(item, int) for item in items):
        return [(items[0], items[-1])] * ndim
    pairs = [(item[0], item[-1]) if isinstance(item, (tuple, list)) else (item, item) for item in items]
    return pairs * ndim if len(pairs) == 1 else pairs


def flip(a: Any, axis: Any = None) -> Any:
    """Reversed along axes."""
    source = asarray(a)
    axes = range(source.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
    turned = {normal_axis(one, source.ndim) for one in axes}
    return source[tuple(slice(None, None, -1 if place in turned else 1) for place in range(source.ndim))]


def roll(a: Any, shift: int, axis: Optional[int] = None) -> Any:
    """Shifted around."""
    source = asarray(a)
    if axis is None:
        return reshape(roll(ravel(source), shift, 0), source.shape)
    place = normal_axis(axis, source.ndim)
    cut = -shift % source.shape[place] if source.shape[place] else 0
    lead = (slice(None),) * place
    return concatenate([source[lead + (slice(cut, None),)], source[lead + (slice(None, cut),)]], place)


def meshgrid(*arrays: Any, indexing: str = "xy") -> List[Any]:
    """Coordinate matrices."""
    ndim = len(arrays)
    made = [reshape(a, [-1 if place == i else 1 for place in range(ndim)]) for i, a in enumerate(map(asarray, arrays))]
    grids = broadcast_arrays(*made)
    return [swapaxes(grid, 0, 1) for grid in grids] if indexing == "xy" and ndim > 1 else grids


def _triangle(a: Any, keep: str, k: int) -> Any:
    source = asarray(a)
    return source._wrap(_engine.op("triangle", [source._array], source.shape, source.dtype.name, keep=keep, k=k))


def tril(m: Any, k: int = 0) -> Any:
    """The lower triangle, zeros above diagonal `k`."""
    return _triangle(m, "lower", k)


def triu(m: Any, k: int = 0) -> Any:
    """The upper triangle, zeros below diagonal `k`."""
    return _triangle(m, "upper", k)


def take(a: Any, indices: Any, axis: Optional[int] = None) -> Any:
    """Elements along an axis by index."""
    source = ravel(a) if axis is None else asarray(a)
    place = normal_axis(0 if axis is None else axis, source.ndim)
    chosen = asarray(indices)
    shape = source.shape[:place] + (chosen._count,) + source.shape[place + 1 :]
    made = source._wrap(_engine.op("take", [source._array, reshape(chosen, -1)._array], shape, source.dtype.name, axis=place))
    return reshape(made, source.shape[:place] + chosen.shape + source.shape[place + 1 :])


def take_along_axis(arr: Any, indices: Any, axis: int) -> Any:
    """Each element of the result picks its own index along `axis`."""
    source, chosen = asarray(arr), asarray(indices)
    place = normal_axis(axis, source.ndim)
    shape = tuple(chosen.shape[i] if i == place else n for i, n in enumerate(source.shape))
    picks = broadcast_to(chosen, shape)
    return source._wrap(_engine.op("take_along_axis", [source._array, picks._array], shape, source.dtype.name, axis=place))


def astype(a: Any, dtype: Any, copy: bool = True, **_: Any) -> Any:
    """The values in another type."""
    source = asarray(a)
    wanted = Dtype(dtype)
    if wanted == source.dtype:
        return source._wrap(source._array)
    return source._wrap(_engine.op("cast", [source._array], source.shape, wanted.name))


def view(a: Any, dtype: Any = None) -> Any:
    """The same bytes as another type; the last axis shrinks or grows with the size (a copy here)."""
    source = asarray(a)
    if dtype is None or (isinstance(dtype, type) and issubclass(dtype, ndarray)):
        return source[...]
    wanted = Dtype(dtype)
    shape = list(source.shape)
    if wanted.itemsize != source.itemsize:
        width = shape[-1] * source.itemsize
        if width % wanted.itemsize:
            raise ValueError("the last axis must be divisible by the new item size")
        shape[-1] = width // wanted.itemsize
    return source._wrap(_engine.op("view", [source._array], shape, wanted.name))


def copy(a: Any, order: str = "K") -> Any:
    """An array that follows nobody's changes."""
    source = asarray(a)
    return source._wrap(source._array)
