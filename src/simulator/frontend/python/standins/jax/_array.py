"""`jax.Array` over the same lazy arrays as the NumPy stand-in: jax's defaults and promotion."""

from __future__ import annotations

from typing import Any

from numpy._array import ndarray


class Array(ndarray):
    """An array of the simulator. Nothing is computed until values are asked for."""

    _family = "jax"

    def block_until_ready(self) -> Any:
        """The array: computing is the host's business."""
        return self

    @property
    def at(self) -> Any:
        """`x.at[key].set(value)`: a changed copy."""
        return _At(self)


class _At:
    def __init__(self, source: Any) -> None:
        self._source = source

    def __getitem__(self, key: Any) -> Any:
        return _Place(self._source, key)


class _Place:
    """What `at[key]` selects."""

    def __init__(self, source: Any, key: Any) -> None:
        self._source, self._key = source, key

    def set(self, value: Any) -> Any:
        """A copy with the values replaced."""
        result = self._source.copy()
        result[self._key] = value
        return result

    def add(self, value: Any) -> Any:
        """A copy with the values added."""
        return self.set(self._source[self._key] + value)
