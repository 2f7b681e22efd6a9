"""The algebra of strided views: (shape, strides) in, (shape, strides, offset) out. Pure functions, elements throughout.

Element (i0, i1, ...) of a view is element `offset + sum(i_k * strides[k])` of its storage. Knows no memories and no dtypes.
Source: aws-neuron-sdk nki/get-started/nki-language-guide.rst "Anatomy of a tensor", "View primitives".
"""

from __future__ import annotations

from operator import index as as_index
from typing import Any, Dict, List, Sequence, Tuple

Ints = Tuple[int, ...]


class Shape(tuple):
    """A tensor's shape as kernels see it: a tuple that equals the list with the same extents.

    Source: aws-neuron-sdk nki/get-started/about/indexing-overview.rst and nki/deep-dives/nki-aps.rst, which assert lists;
    nki/get-started/nki-language-guide.rst asserts tuples.
    """

    __slots__ = ()
    __hash__ = tuple.__hash__

    def __eq__(self, other: object) -> bool:
        """Also with a list."""
        return tuple.__eq__(self, tuple(other) if type(other) is list else other)

    def __ne__(self, other: object) -> bool:
        """Also with a list."""
        return not self == other


def contiguous(shape: Sequence[int]) -> Ints:
    """Row-major strides of a dense `shape`."""
    strides: List[int] = []
    step = 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


def elements(shape: Sequence[int]) -> int:
    """Product of a shape."""
    result = 1
    for extent in shape:
        result *= extent
    return result


def is_dense(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """True when the elements follow each other in row-major order without a gap."""
    step = 1
    for extent, stride in zip(reversed(shape), reversed(strides)):
        if extent != 1 and stride != step:
            return False
        step *= extent
    return True


def take(extent: int, stride: int, key: Any, axis: int) -> Tuple[int, int, int]:
    """An int or slice along one axis -> (offset, count, stride). IndexError names axis, range and size when it leaves the axis."""
    if isinstance(key, slice):
        return _take_slice(extent, stride, key, axis)
    if not hasattr(key, "__index__"):
        raise TypeError(f"an index is an integer, a slice, a register or a tensor of integers, not {type(key).__name__} {key!r}")
    position = as_index(key)
    if not -extent <= position < extent:
        raise IndexError(f"index {position} is out of range of axis {axis}, which has size {extent}")
    return (position + extent if position < 0 else position) * stride, 1, stride


def _take_slice(extent: int, stride: int, key: slice, axis: int) -> Tuple[int, int, int]:
    step = 1 if key.step is None else as_index(key.step)
    if step < 1:
        raise IndexError(f"slice step {step} on axis {axis}: NKI slices go forward, with a step of at least 1")
    start = 0 if key.start is None else as_index(key.start)
    stop = extent if key.stop is None else as_index(key.stop)
    first, last = (start + extent if start < 0 else start), (stop + extent if stop < 0 else stop)
    if not 0 <= first <= last <= extent:
        raise IndexError(f"slice {start}:{stop} is out of range of axis {axis}, which has size {extent}")
    return first * stride, (last - first + step - 1) // step, stride * step


def expand_key(key: Any, ndim: int) -> List[Any]:
    """A subscript as one entry per axis: Ellipsis filled in, missing axes whole. None entries (new axes) stay."""
    entries = list(key) if isinstance(key, tuple) else [key]
    used = sum(entry is not None and entry is not Ellipsis for entry in entries)
    dots = sum(entry is Ellipsis for entry in entries)
    if dots > 1:
        raise IndexError("an index can hold only one '...'")
    if used > ndim:
        raise IndexError(f"{used} indices for a tensor of {ndim} axes")
    whole: List[Any] = [slice(None)] * (ndim - used)
    if dots:
        at = next(i for i, entry in enumerate(entries) if entry is Ellipsis)
        return entries[:at] + whole + entries[at + 1 :]
    return entries + whole


def reshape(shape: Sequence[int], strides: Sequence[int], wanted: Sequence[int]) -> Tuple[Ints, Ints]:
    """View of the same elements in the same order under another shape; one entry may be -1.

    ValueError when the counts differ or the layout cannot express it without a copy.
    """
    target = fill_unknown(wanted, elements(shape))
    old = [(extent, stride) for extent, stride in zip(shape, strides) if extent != 1]
    result: List[int] = []
    i = 0
    pending: List[int] = []
    for extent in target:
        pending.append(extent)
        if elements(pending) == 1:
            continue
        size = 1
        j = i
        while j < len(old) and size < elements(pending):
            size *= old[j][0]
            j += 1
        if size != elements(pending):
            continue
        result.extend(_split(old[i:j], pending, shape, target))
        i, pending = j, []
    result.extend(1 for _ in pending)
    if len(result) != len(target):
        raise ValueError(_cannot(shape, target))
    return target, tuple(result)


def _split(group: Sequence[Tuple[int, int]], wanted: Sequence[int], shape: Sequence[int], target: Sequence[int]) -> Ints:
    """Strides of `wanted` over a run of old axes with the same number of elements."""
    for (_, outer), (extent, inner) in zip(group, group[1:]):
        if outer != extent * inner:
            raise ValueError(_cannot(shape, target))
    unit = group[-1][1]
    return tuple(stride * unit for stride in contiguous(wanted))


def _cannot(shape: Sequence[int], target: Sequence[int]) -> str:
    return f"cannot view shape {tuple(shape)} as {tuple(target)} without a copy: its elements do not follow each other in memory"


def fill_unknown(wanted: Sequence[int], count: int) -> Ints:
    """`wanted` with its one -1 replaced so that it holds `count` elements."""
    sizes = [as_index(extent) for extent in wanted]
    if sizes.count(-1) > 1:
        raise ValueError(f"shape {tuple(sizes)} has more than one -1")
    if -1 in sizes:
        known = elements([extent for extent in sizes if extent != -1])
        sizes[sizes.index(-1)] = count // known if known else 0
    if elements(sizes) != count:
        raise ValueError(f"shape {tuple(sizes)} has {elements(sizes)} elements, the tensor has {count}")
    return tuple(sizes)


def broadcast_shapes(shapes: Sequence[Sequence[int]]) -> Ints:
    """The common shape under NumPy's rules. ValueError when there is none."""
    ndim = max(len(shape) for shape in shapes)
    result: List[int] = []
    for axis in range(-ndim, 0):
        extents = {shape[axis] for shape in shapes if len(shape) >= -axis} - {1}
        if len(extents) > 1:
            raise ValueError("shapes " + " and ".join(str(tuple(shape)) for shape in shapes) + " do not broadcast together")
        result.append(extents.pop() if extents else 1)
    return tuple(result)


def broadcast(shape: Sequence[int], strides: Sequence[int], wanted: Sequence[int]) -> Ints:
    """Strides of a view of `wanted` that repeats the axes of size 1 (stride 0). ValueError when it does not broadcast."""
    if len(wanted) < len(shape):
        raise ValueError(f"shape {tuple(shape)} does not broadcast to {tuple(wanted)}")
    lead = len(wanted) - len(shape)
    result = [0] * lead
    for extent, stride, size in zip(shape, strides, wanted[lead:]):
        if extent not in (1, size):
            raise ValueError(f"shape {tuple(shape)} does not broadcast to {tuple(wanted)}")
        result.append(stride if extent == size else 0)
    return tuple(result)


def check_pairs(pattern: Sequence[Any]) -> None:
    """TypeError for an access pattern that is not made of pairs."""
    for pair in pattern:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise TypeError(f"ap takes a list of pairs, [[stride, count], ...], not {pattern!r}")


def rearrange(shape: Sequence[int], source: Sequence[Any], target: Sequence[Any], sizes: Dict[str, int]) -> Tuple[Ints, Ints, Ints]:
    """Einops-style patterns -> (shape with every group split, permutation of those axes, final shape with groups merged)."""
    for pattern in (source, target):
        if isinstance(pattern, str):
            raise TypeError(f"rearrange takes tuples of names, as in ('p', ('a', 'b')), not the string {pattern!r}")
    names, split = _split_pattern(shape, source, dict(sizes))
    wanted = [name for entry in target for name in (entry if isinstance(entry, (tuple, list)) else (entry,))]
    if sorted(wanted) != sorted(names):
        raise ValueError(f"rearrange: the patterns name different axes: {names} and {wanted}")
    extents = dict(zip(names, split))
    merged = tuple(elements([extents[name] for name in (entry if isinstance(entry, (tuple, list)) else (entry,))]) for entry in target)
    return tuple(split), tuple(names.index(name) for name in wanted), merged


def _split_pattern(shape: Sequence[int], source: Sequence[Any], sizes: Dict[str, int]) -> Tuple[List[str], List[int]]:
    if len(source) != len(shape):
        raise ValueError(f"rearrange: the pattern {source} has {len(source)} axes, the tensor {len(shape)}")
    names: List[str] = []
    split: List[int] = []
    for entry, extent in zip(source, shape):
        group = list(entry) if isinstance(entry, (tuple, list)) else [entry]
        split.extend(fill_unknown([extent if len(group) == 1 else sizes.get(name, -1) for name in group], extent))
        names.extend(group)
    return names, split
