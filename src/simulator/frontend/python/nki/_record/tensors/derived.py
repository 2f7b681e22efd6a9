"""What the views share whose elements strides alone do not address: they look like a strided view that they are made from."""

from __future__ import annotations

from typing import Any, Tuple

from .memory import Layout
from .tensor import Tensor


class DerivedTensor(Tensor):
    """A view that cannot be an operand as it is: `_layout` raises, with the reason."""

    __slots__ = ("direct",)

    def __init__(self, direct: Tensor) -> None:
        """`direct`: the view that it is made from."""
        self.direct = direct
        self._storage = direct._storage
        self.offset = direct.offset

    @property
    def _layout(self) -> Layout:  # type: ignore[override]
        """Raises what stands in the way."""
        raise self._obstacle()

    def _obstacle(self) -> Exception:
        raise NotImplementedError

    @property
    def shape(self) -> Tuple[int, ...]:
        """Extents of the view it is made from."""
        return self.direct.shape

    @property
    def strides(self) -> Tuple[int, ...]:
        """Elements between neighbours, there."""
        return self.direct.strides

    @property
    def dtype(self) -> Any:
        """Data type."""
        return self.direct.dtype

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self.direct.itemsize
