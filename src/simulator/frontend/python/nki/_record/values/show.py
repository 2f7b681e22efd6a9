"""Tensors as people read them: `print(tile)`, `nl.device_print`, the variables of a debugger.

Inside a kernel a tensor shows the values it has at this call; of a large one the corners are asked for, no more.
Where a line of output comes from is `printing.py`'s.
"""

from __future__ import annotations

from itertools import product
from typing import Any, Dict, List, Sequence, Tuple

from ..tensors.tensor import Tensor
from ..vocabulary.errors import HostError, NkiValidationError
from . import live
from .live import Recording

#: Tensors with more elements are shown by their corners, as NumPy does it.
_WHOLE = 1000
_EDGE = 3
_DIGITS = 6


def described(call: Recording, tensor: Tensor) -> str:
    """With values where they can be known, and why not where they cannot."""
    head = tensor._described()
    try:
        return f"{head}\n{_text(call, tensor)}"
    except (HostError, NkiValidationError, IndexError) as error:
        return f"{head} ({error})"


def _text(call: Recording, tensor: Tensor) -> str:
    kept = [_kept(extent, tensor.size) for extent in tensor.shape]
    values = _values(call, tensor, kept)
    words = {position: _word(value) for position, value in values.items()}
    width = max(map(len, words.values()))
    return _nested(words, width, kept, (), 0)


def _kept(extent: int, size: int) -> List[range]:
    """Positions of an axis that are shown, as one run or two."""
    if size <= _WHOLE or extent <= 2 * _EDGE:
        return [range(extent)]
    return [range(_EDGE), range(extent - _EDGE, extent)]


def _values(call: Recording, tensor: Tensor, kept: Sequence[List[range]]) -> Dict[Tuple[int, ...], Any]:
    """Shown position -> value, one question for each corner."""
    found: Dict[Tuple[int, ...], Any] = {}
    for runs in product(*kept):
        offset = tensor.offset + sum(run.start * stride for run, stride in zip(runs, tensor.strides))
        layout = tensor._layout.replaced(tuple(map(len, runs)), tensor.strides, tensor._layout.partition_axis)
        corner = tensor._at(layout, offset)
        found.update(zip(product(*runs), live.numbers(corner, live.read(call, corner, "print"))))
    return found


def _word(value: Any) -> str:
    return f"{value:.{_DIGITS}g}" if isinstance(value, float) else str(value)


def _nested(words: Dict[Tuple[int, ...], str], width: int, kept: Sequence[List[range]], at: Tuple[int, ...], depth: int) -> str:
    """Brackets around brackets, aligned under each other."""
    if depth == len(kept):
        return words[at].rjust(width)
    parts: List[str] = []
    for number, run in enumerate(kept[depth]):
        if number:
            parts.append("...")
        parts.extend(_nested(words, width, kept, (*at, position), depth + 1) for position in run)
    between = ", " if depth == len(kept) - 1 else ",\n" + " " * (depth + 1)
    return "[" + between.join(parts) + "]"
