"""`NKIObject`: the base of kernels' own classes, built as leniently as NKI builds them.

Fields without annotation, a missing `__init__` and construction by keyword all work. `@dataclass` over it keeps its own `__init__`.
"""

from __future__ import annotations

from typing import Any


class NKIObject:
    """Base class for kernel configuration objects."""

    __slots__ = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Positional values go to annotated fields in order; keywords become attributes."""
        names = list(getattr(type(self), "__annotations__", {}))
        if len(args) > len(names):
            raise TypeError(f"{type(self).__name__} takes {len(names)} positional values, not {len(args)}")
        for name, value in [*zip(names, args), *kwargs.items()]:
            setattr(self, name, value)
