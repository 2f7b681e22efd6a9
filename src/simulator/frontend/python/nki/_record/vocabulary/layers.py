"""The named layers around what runs now, as one path: `model/layers.0/attention`. Scripts and kernels enter them: a `torch.nn.Module`,
`jax.named_scope`, `nki_scope.layer`. Who records something asks for the path.
"""

from __future__ import annotations

from contextlib import ContextDecorator
from typing import Any, List

SEPARATOR = "/"


class _Layers:
    """The path of this moment."""

    def __init__(self) -> None:
        #: "" outside of layers.
        self.path = ""
        self._outer: List[str] = []

    def enter(self, name: str) -> None:
        self._outer.append(self.path)
        self.path = f"{self.path}{SEPARATOR}{name}" if self.path else name

    def leave(self) -> None:
        self.path = self._outer.pop()


layers = _Layers()


class Layer(ContextDecorator):
    """A layer to enter with `with`, or around a function."""

    def __init__(self, name: str) -> None:
        """`name`: of one layer, or of several that lie in one another, with "/" between them."""
        if not isinstance(name, str) or not name.strip(SEPARATOR + " "):
            raise TypeError(f"a layer has a name, not {name!r}")
        self.name = name.strip(SEPARATOR + " ")

    def __enter__(self) -> Layer:
        """What runs from now on belongs to the layer."""
        layers.enter(self.name)
        return self

    def __exit__(self, *_: Any) -> None:
        """What runs from now on belongs to the layer around it."""
        layers.leave()
