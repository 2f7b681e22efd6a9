"""`torch.nn`: its functions, and `Module` as the base of classes that compute with them. No layers, no gradients."""

from __future__ import annotations

from typing import Any

from numpy._missing import missing as _missing

from . import functional

__all__ = ["Module", "functional"]


class Module:
    """A class with a `forward`, called by calling the object."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What `forward` gives."""
        return self.forward(*args, **kwargs)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What a subclass computes."""
        raise NotImplementedError(f"{type(self).__name__} has no forward")

    def _same(self, *_: Any, **__: Any) -> Any:
        return self

    to = eval = train = cpu = _same


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise _missing(f"torch.nn.{name}")
