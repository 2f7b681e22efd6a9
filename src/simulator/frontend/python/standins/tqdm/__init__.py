"""`tqdm` without bars: scripts iterate as with tqdm, and nothing is drawn, for the progress of a run is shown by NKI Scope."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Iterable, Iterator, Optional, Type

from numpy._missing import missing

__all__ = ["tqdm", "trange"]


class tqdm:
    """An iterable, or a count that `update` advances. Keywords that say how a bar looks are accepted."""

    def __init__(
        self, iterable: Optional[Iterable[Any]] = None, desc: Optional[str] = None, total: Optional[float] = None, **_: Any
    ) -> None:
        """`total`: what `len` gives where the iterable has no length."""
        self.iterable = iterable
        self.desc = desc
        self.total = total if total is not None or not hasattr(iterable, "__len__") else len(iterable)  # type: ignore[arg-type]
        self.n: float = 0

    def __iter__(self) -> Iterator[Any]:
        """The items of the iterable, counted."""
        for item in () if self.iterable is None else self.iterable:
            yield item
            self.n += 1

    def __len__(self) -> int:
        """Number of items, where the iterable or `total` has it."""
        if self.total is None:
            raise TypeError("object of type 'tqdm' has no len(): its iterable has none, and no total was given")
        return int(self.total)

    def __enter__(self) -> tqdm:
        """The bar itself."""
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        """Nothing to close."""

    def update(self, n: float = 1) -> None:
        """Counts `n` more."""
        self.n += n

    def set_description(self, desc: Optional[str] = None, refresh: bool = True) -> None:
        """Keeps the description."""
        self.desc = desc

    def set_postfix(self, *_: Any, **__: Any) -> None:
        """Nothing is drawn."""

    def close(self) -> None:
        """Nothing to close."""

    @staticmethod
    def write(s: str, *_: Any, **__: Any) -> None:
        """Prints a line."""
        print(s)


def trange(*bounds: int, **options: Any) -> tqdm:
    """`tqdm(range(...))`."""
    return tqdm(range(*bounds), **options)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise missing(f"tqdm.{name}")
