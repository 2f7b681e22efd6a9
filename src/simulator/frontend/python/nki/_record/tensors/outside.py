"""A view by an access pattern that leaves its tensor. Kernels compute such patterns for the turn after their last one, and do not use them.

The compiler looks at what instructions access, and so the access of the elements is an error, not the view.
"""

from __future__ import annotations

from typing import Any

from .derived import DerivedTensor
from .tensor import Tensor


class OutsideTensor(DerivedTensor):
    """A view that nothing may access."""

    __slots__ = ("_why",)

    def __init__(self, view: Tensor, why: str) -> None:
        """`why`: the message of the error."""
        super().__init__(view)
        self._why = why

    def _obstacle(self) -> Exception:
        return IndexError(self._why)

    def ap(self, *args: Any, **options: Any) -> Tensor:
        """Another pattern over the storage, which ignores this one but for where it starts."""
        return self.direct.ap(*args, **options)
