"""Random numbers: the same as NumPy's for the same seed, drawn lazily in the host.

`seed`, `rand` and the other functions of this module use one `RandomState` (MT19937, NumPy's frozen distributions); `default_rng` is PCG64.
Without a seed NumPy's numbers differ from run to run; here they are those of seed 0, so that a profile can be repeated.
"""

from __future__ import annotations

from math import prod
from typing import Any, List, Optional, Tuple

from . import _engine
from ._array import ndarray
from ._choice import distinct, weighted
from ._create import arange, array, asarray, shape_of
from ._dtypes import dtype as Dtype
from ._dtypes import iinfo
from ._missing import missing
from ._shape import take

_UNSEEDED = 0


def _seed_attribute(seed: Any) -> Any:
    if seed is None:
        return str(_UNSEEDED)
    if isinstance(seed, (list, tuple)) or getattr(seed, "ndim", 0):
        return [int(word) for word in seed]
    return str(int(seed))


class _Stream:
    """A random stream of the host; draws follow one another though each is lazy."""

    def __init__(self, algorithm: str, seed: Any) -> None:
        self._stream = _engine.op("generator", [], (0,), "uint32", algorithm=algorithm, seed=_seed_attribute(seed))

    def _draw(self, name: str, size: Any, dtype: str, operands: Tuple[Any, ...] = (), **attributes: Any) -> Any:
        """An array of draws; one Python number when `size` is None."""
        shape = () if size is None else shape_of(size)
        made = ndarray._wrap(_engine.op(name, operands, shape, dtype, generator=self._stream.handle, **attributes))
        return made.item() if size is None else made

    def _spread(self, name: str, size: Any, first: Any, second: Any, names: Tuple[str, str]) -> Any:
        """Draws with two parameters; arrays of parameters are missing."""
        for parameter in (first, second):
            if getattr(parameter, "ndim", 0) or isinstance(parameter, (list, tuple)):
                raise missing(f"numpy.random.{name} with arrays of parameters")
        return self._draw(f"random.{name}", size, "float64", **{names[0]: float(first), names[1]: float(second)})

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """Uniform in [low, high), float64."""
        return self._spread("uniform", size, low, high, ("low", "high"))

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Normal, float64."""
        return self._spread("normal", size, loc, scale, ("loc", "scale"))

    def _integers(self, low: int, high: int, size: Any, dtype: Any) -> Any:
        """Integers of [low, high]."""
        kind = Dtype(dtype)
        if low > high:
            raise ValueError("low >= high")
        if kind.kind in "iu" and not iinfo(kind).min <= low <= high <= iinfo(kind).max:
            raise ValueError(f"the range [{low}, {high}] is out of bounds for {kind}")
        return self._draw("random.integers", size, kind.name, low=int(low), high=int(high))

    def permutation(self, x: Any) -> Any:
        """A shuffled range or copy."""
        source = arange(x) if isinstance(x, int) else asarray(x)
        return self._draw("random.shuffle", source.shape, source.dtype.name, (source._array,))

    def shuffle(self, x: Any) -> None:
        """Shuffles rows in place."""
        if isinstance(x, list):
            order = self.permutation(len(x)).tolist()
            x[:] = [x[i] for i in order]
            return
        x[...] = self.permutation(x)

    def _uniforms(self, count: int) -> List[float]:
        return self.uniform(size=count).tolist()

    def __getattr__(self, name: str) -> Any:
        """What only NumPy has."""
        if name.startswith("__"):
            raise AttributeError(name)
        raise missing(f"numpy.random.{type(self).__name__}.{name}")


class RandomState(_Stream):
    """NumPy's legacy generator: MT19937 with its frozen distributions."""

    def __init__(self, seed: Any = None) -> None:
        """`seed`: below 2**32, or a list of such."""
        super().__init__("mt19937", seed)

    def seed(self, seed: Any = None) -> None:
        """Starts again from a seed."""
        RandomState.__init__(self, seed)

    def random_sample(self, size: Any = None) -> Any:
        """Uniform in [0, 1), float64."""
        return self.uniform(size=size)

    random = sample = ranf = random_sample

    def rand(self, *shape: int) -> Any:
        """Uniform in [0, 1) of a shape."""
        return self.uniform(size=shape or None)

    def standard_normal(self, size: Any = None) -> Any:
        """Standard normal, float64."""
        return self.normal(size=size)

    def randn(self, *shape: int) -> Any:
        """Standard normal of a shape."""
        return self.normal(size=shape or None)

    def randint(self, low: int, high: Optional[int] = None, size: Any = None, dtype: Any = int) -> Any:
        """Integers of [low, high), or of [0, low)."""
        begin, end = (0, low) if high is None else (low, high)
        return self._integers(int(begin), int(end) - 1, size, dtype)

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
        """Random elements."""
        pool = arange(a) if isinstance(a, int) else array(a)
        count = _count(size)
        if p is not None:
            chosen = _shaped(weighted(self._uniforms, p, len(pool), count, replace), size)
        elif replace:
            chosen = self.randint(0, len(pool), size)
        else:
            if count > len(pool):
                raise ValueError("Cannot take a larger sample than population when 'replace=False'")
            chosen = self.permutation(len(pool))[:count].reshape(() if size is None else shape_of(size))
        return pool[chosen]


class Generator(_Stream):
    """NumPy's new generator over PCG64."""

    def __init__(self, seed: Any = None) -> None:
        """`seed`: a non-negative integer or a list of 32-bit words."""
        super().__init__("pcg64", seed)

    def random(self, size: Any = None, dtype: Any = float) -> Any:
        """Uniform in [0, 1), float64 or float32."""
        name = "random.single" if Dtype(dtype).name == "float32" else "random.uniform"
        return self._draw(name, size, Dtype(dtype).name)

    def standard_normal(self, size: Any = None, dtype: Any = float) -> Any:
        """Standard normal, float64."""
        if Dtype(dtype).name != "float64":
            raise missing("numpy.random.Generator.standard_normal(dtype=float32)")
        return self.normal(size=size)

    def integers(self, low: int, high: Optional[int] = None, size: Any = None, dtype: Any = int, endpoint: bool = False) -> Any:
        """Integers of [low, high), with `endpoint` of [low, high]."""
        begin, end = (0, low) if high is None else (low, high)
        return self._integers(int(begin), int(end) if endpoint else int(end) - 1, size, dtype)

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True) -> Any:
        """Random elements, or parts of an array along an axis."""
        pool = arange(a) if isinstance(a, int) else array(a)
        positions = self._positions(pool.shape[axis], size, replace, p, shuffle)
        return pool[positions] if axis == 0 else take(pool, positions, axis)

    def _positions(self, population: int, size: Any, replace: bool, p: Any, shuffle: bool) -> Any:
        if p is not None:
            return _shaped(weighted(self._uniforms, p, population, _count(size), replace), size)
        if replace:
            return self.integers(0, population, size)
        return _shaped(distinct(lambda high: self.integers(0, high, endpoint=True), population, _count(size), shuffle), size)


def _count(size: Any) -> int:
    return 1 if size is None else prod(shape_of(size))


def _shaped(positions: List[int], size: Any) -> Any:
    return positions[0] if size is None else array(positions, dtype="int64").reshape(shape_of(size))


def default_rng(seed: Any = None) -> Any:
    """A PCG64 generator."""
    return seed if isinstance(seed, Generator) else Generator(seed)


_state: List[RandomState] = []


def _global() -> RandomState:
    """The module's own state, made at its first use: importing NumPy needs no host."""
    if not _state:
        _state.append(RandomState())
    return _state[0]


def seed(seed: Any = None) -> None:
    """Seeds the functions of this module."""
    _global().seed(seed)


_FUNCTIONS = "rand randn random random_sample sample ranf uniform normal standard_normal randint choice permutation shuffle".split()


def _function(name: str) -> Any:
    def function(*args: Any, **kwargs: Any) -> Any:
        return getattr(_global(), name)(*args, **kwargs)

    function.__name__ = name
    function.__doc__ = getattr(RandomState, name).__doc__
    return function


globals().update({name: _function(name) for name in _FUNCTIONS})


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise missing(f"numpy.random.{name}")
