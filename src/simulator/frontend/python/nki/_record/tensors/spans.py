"""The partitions and columns of a storage on chip between which a view lies: enough to tell views that cannot touch."""

from __future__ import annotations

from typing import List, Optional, Tuple

#: First and last partition, first and last column.
Span = Tuple[int, int, int, int]


def of(row_elements: int, offset: int, strides: List[int], counts: List[int]) -> Optional[Span]:
    """Of a view with an offset and strides in elements. None in HBM, and where it is walked backwards or beyond the end of a partition.

    Args:
        row_elements: elements per partition; 0 in HBM.
    """
    if row_elements == 0 or min(strides, default=0) < 0:
        return None
    row, column = divmod(offset, row_elements)
    rows, columns = 0, 0
    for stride, count in zip(strides, counts):
        if stride < row_elements:
            columns += stride * (count - 1)
        elif stride % row_elements == 0:
            rows += stride // row_elements * (count - 1)
        elif count > 1:
            return None
    return None if column + columns >= row_elements else (row, row + rows, column, column + columns)


def apart(a: Optional[Span], b: Optional[Span]) -> bool:
    """True when no element can be in both."""
    return a is not None and b is not None and (a[0] > b[1] or b[0] > a[1] or a[2] > b[3] or b[2] > a[3])
