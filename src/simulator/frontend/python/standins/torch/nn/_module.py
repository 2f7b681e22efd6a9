"""The base of classes that compute with tensors, and modules that hold others."""

from __future__ import annotations

from typing import Any, Iterable, Iterator

from nki._record.vocabulary.layers import Layer as _Layer


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


class Sequential(ModuleList):
    """Modules one after another. Their names are their numbers."""

    def __init__(self, *modules: Module) -> None:
        """The modules in their order."""
        super().__init__(modules)

    def _name(self, name: str) -> None:
        super()._name("")
        Module._name(self, name or type(self).__name__)

    def forward(self, input: Any) -> Any:
        """What the last one gives."""
        for module in self:
            input = module(input)
        return input
