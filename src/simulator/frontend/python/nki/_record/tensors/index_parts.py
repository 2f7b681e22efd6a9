"""`image[i_c, i // width, i % width]`, where the parts are not affine: one walk through two neighbouring axes."""

from __future__ import annotations

from typing import Any, List, Sequence, Tuple

from ..vocabulary.errors import NkiUnsupportedError
from .index import ALONE, Part


def joined(tensor: Any, entries: Sequence[Any]) -> Tuple[Any, List[Any]]:
    """The tensor with the axes that parts name as one, and the entries over those. NkiUnsupportedError for a part without its other one."""
    result = list(entries)
    for at in reversed([at for at, entry in enumerate(entries) if isinstance(entry, Part) and entry.is_quotient]):
        quotient, remainder = entries[at], entries[at + 1] if at + 1 < len(entries) else None
        if not _belong(quotient, remainder) or tensor.shape[at + 1] != quotient.divisor:
            raise NkiUnsupportedError(ALONE)
        tensor = tensor.flatten_dims(at, at + 1)
        result[at : at + 2] = [quotient.whole]
    if any(isinstance(entry, Part) for entry in result):
        raise NkiUnsupportedError(ALONE)
    return tensor, result


def _belong(quotient: Part, remainder: Any) -> bool:
    if not isinstance(remainder, Part) or remainder.is_quotient or remainder.divisor != quotient.divisor:
        return False
    a, b = quotient.whole, remainder.whole
    return (a.shape, a.coefficients, a.constant) == (b.shape, b.coefficients, b.constant)
