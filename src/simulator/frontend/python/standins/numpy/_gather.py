"""Indexing by integer arrays and masks: gathers and scatters over flat positions."""

from __future__ import annotations

from typing import Any, List, Tuple

from . import _engine
from ._index import is_array_key, window


def _as_indices(items: List[Any]) -> List[Any]:
    """Lists become arrays; masks become one index array per axis."""
    from ._create import asarray

    result: List[Any] = []
    for item in items:
        if not is_array_key(item):
            result.append(item)
            continue
        array = asarray(item)
        result.extend(nonzero(array) if array.dtype.kind == "b" else [array])
    return result


def nonzero(mask: Any) -> Tuple[Any, ...]:
    """Positions of the true elements, one index array per axis. How many there are must be known: computes."""
    from ._create import arange

    truth = mask.astype("bool")
    count = int(truth.sum())
    flat = mask._wrap(_engine.op("compress", [arange(mask._count)._array, truth.reshape(-1)._array], (count,), "int64"))
    result = []
    for length in reversed(mask.shape):
        result.append(flat % length)
        flat = flat // length
    return tuple(reversed(result))


def gather(source: Any, items: List[Any]) -> Any:
    """`source[items]` with index arrays among the items."""
    from ._shape import broadcast_arrays, transpose

    items = _as_indices(items)
    chosen = window(items, source.shape)
    basic = source._wrap(
        _engine.op("slice", [source._array], chosen.shape, source.dtype.name, start=chosen.start, step=chosen.step, axes=chosen.axes)
    )
    kept = [item for item in items if item is None or isinstance(item, slice) or is_array_key(item)]
    places = [place for place, item in enumerate(kept) if is_array_key(item)]
    indices = broadcast_arrays(*[kept[place] for place in places])
    rest = [axis for axis in range(basic.ndim) if axis not in places]
    adjacent = places == list(range(places[0], places[-1] + 1))
    flat = None
    length = 1
    for place, index in zip(reversed(places), reversed(indices)):
        one = index if len(places) == 1 else index % basic.shape[place]
        flat = one * length if flat is None else flat + one * length
        length *= basic.shape[place]
    # not the method: torch's takes two dimensions
    turned = transpose(basic, places + rest).reshape((length,) + tuple(basic.shape[axis] for axis in rest))
    shape = (flat._count,) + turned.shape[1:]
    taken = source._wrap(_engine.op("take", [turned._array, flat.reshape(-1)._array], shape, source.dtype.name, axis=0))
    result = taken.reshape(flat.shape + turned.shape[1:])
    if not adjacent or places[0] == 0:
        return result
    order = list(range(flat.ndim, flat.ndim + places[0])) + list(range(flat.ndim)) + list(range(flat.ndim + places[0], result.ndim))
    return transpose(result, order)


def scatter(target: Any, items: List[Any], change: Any) -> Any:
    """The HostArray of `target` after `target[items] = change`."""
    from ._create import arange
    from ._ufuncs import where

    if len(items) == 1 and str(getattr(items[0], "dtype", "")) == "bool" and items[0].shape == target.shape and change._count == 1:
        return where(items[0], change.reshape(()), target)._array
    positions = gather(arange(target._count).reshape(target.shape), items)
    wide = change if change.shape == positions.shape else change + positions._wrap(_zeros(positions.shape, change.dtype.name))
    return _engine.op("put", [target._array, positions._array, wide._array], target.shape, target.dtype.name)


def _zeros(shape: Tuple[int, ...], dtype: str) -> Any:
    return _engine.op("fill", [], shape, dtype, value=0)
