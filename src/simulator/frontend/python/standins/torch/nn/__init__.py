"""`torch.nn`: its functions, and `Module` as the base of classes that compute with them. No layers, no gradients."""

from __future__ import annotations

from typing import Any, Iterable, Iterator

from numpy._missing import missing as _missing

from nki._record.vocabulary.layers import Layer as _Layer

from . import functional

__all__ = ["Module", "ModuleList", "functional"]


class Module:
    """A class with a `forward`, called by calling the object. What runs then belongs to the layer of its name: that of the attribute which
    holds it in another module, else its class's."""

    def __setattr__(self, name: str, value: Any) -> None:
        """A module is named by its attribute."""
        if isinstance(value, Module):
            value._name(name)
        super().__setattr__(name, value)

    def _name(self, name: str) -> None:
        super().__setattr__("_layer_name", name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What `forward` gives."""
        with _Layer(getattr(self, "_layer_name", type(self).__name__)):
            return self.forward(*args, **kwargs)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What a subclass computes."""
        raise NotImplementedError(f"{type(self).__name__} has no forward")

    def _same(self, *_: Any, **__: Any) -> Any:
        return self

    to = eval = train = cpu = _same


class ModuleList(Module):
    """Modules in a list. Their names are those of the list with their numbers: `layers.0`."""

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        """The modules in their order."""
        self._modules = list(modules)
        self._name("")

    def _name(self, name: str) -> None:
        for number, module in enumerate(self._modules):
            module._name(f"{name}.{number}" if name else str(number))

    def __iter__(self) -> Iterator[Module]:
        """In their order."""
        return iter(self._modules)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._modules)

    def __getitem__(self, index: Any) -> Any:
        """The module of that number."""
        return self._modules[index]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise _missing(f"torch.nn.{name}")
