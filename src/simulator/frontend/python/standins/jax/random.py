"""`jax.random`: keys and draws. The numbers are not jax's for the same key: they come from NumPy's PCG64 seeded by the key's words."""

from __future__ import annotations

from typing import Any

from numpy.random import Generator as _Generator

from ._array import Array


class _Key:
    """A key: the words that seed a stream."""

    def __init__(self, words: Any) -> None:
        self.words = list(words)


def PRNGKey(seed: int) -> _Key:
    """The key of a seed."""
    return _Key([seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF])


key = PRNGKey


def split(key: _Key, num: int = 2) -> Any:
    """Keys that differ from one another and from the first."""
    return [_Key(key.words + [i + 1]) for i in range(num)]


def fold_in(key: _Key, data: int) -> _Key:
    """A key that depends on a number."""
    return _Key(key.words + [0, data & 0xFFFFFFFF])


def _array(drawn: Any, dtype: Any) -> Any:
    return Array._wrap(drawn._array).astype(dtype)


def uniform(key: _Key, shape: Any = (), dtype: Any = "float32", minval: float = 0.0, maxval: float = 1.0) -> Any:
    """Uniform in [minval, maxval)."""
    return _array(_Generator(key.words).uniform(minval, maxval, shape), dtype)


def normal(key: _Key, shape: Any = (), dtype: Any = "float32") -> Any:
    """Standard normal."""
    return _array(_Generator(key.words).standard_normal(shape), dtype)


def randint(key: _Key, shape: Any, minval: int, maxval: int, dtype: Any = "int32") -> Any:
    """Integers of [minval, maxval)."""
    return _array(_Generator(key.words).integers(minval, maxval, shape), dtype)
