"""A view by an access pattern that leaves its tensor. Kernels compute such patterns for the turn after their last one, and do not use them.

The compiler looks at what instructions access, and so whoever asks for the elements gets the error, not whoever makes the view.
"""

from __future__ import annotations

from typing import Any

from ..vocabulary.dtypes import Dtype
from .memory import Layout
from .tensor import Tensor


class OutsideTensor(Tensor):
    """A view that nothing may access."""

    __slots__ = ("_view", "_why")

    def __init__(self, view: Tensor, why: str) -> None:
        """`why`: the message of the error."""
        self._storage = view._storage
        self.offset = view.offset
        self._view = view
        self._why = why

    @property
    def _layout(self) -> Layout:  # type: ignore[override]
        """Raises: an instruction asks for it, or a view."""
        raise IndexError(self._why)

    @property
    def shape(self) -> Any:
        """As the pattern says."""
        return self._view.shape

    @property
    def strides(self) -> Any:
        """As the pattern says."""
        return self._view.strides

    @property
    def dtype(self) -> Dtype:
        """Data type."""
        return self._view.dtype

    def ap(self, *args: Any, **options: Any) -> Tensor:
        """Another pattern over the storage, which ignores this one but for where it starts."""
        return self._view.ap(*args, **options)
