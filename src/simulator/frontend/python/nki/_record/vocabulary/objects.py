"""`NKIObject`: the base of kernels' own classes, built as leniently as NKI builds them.

Fields without annotation, a missing `__init__` and construction by keyword all work; a field that is not given and has no default is
None. `@dataclass` over it makes the same of it.
Source: aws-neuron-sdk nki/get-started/nki-language-guide.rst "Class Support".
"""

from __future__ import annotations

import sys
from typing import Any, Dict


class NKIObject:
    """Base class for kernel configuration objects."""

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        """Values without an annotation are fields too, and None is every field's default; also for `@dataclass`, which comes after this."""
        super().__init_subclass__(**options)
        if "__slots__" in cls.__dict__:
            return
        annotated = _annotated(cls)
        plain = {name: Any for name, value in vars(cls).items() if name not in annotated and _is_field(name, value)}
        if plain:
            cls.__annotations__ = {**annotated, **plain}
        for name in annotated:
            if not hasattr(cls, name):
                setattr(cls, name, None)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Positional values go to annotated fields in order; keywords become attributes."""
        names = list(dict.fromkeys(name for kind in reversed(type(self).__mro__) for name in _annotated(kind)))
        if len(args) > len(names):
            raise TypeError(f"{type(self).__name__} takes {len(names)} positional values, not {len(args)}")
        for name, value in [*zip(names, args), *kwargs.items()]:
            setattr(self, name, value)
        after = getattr(self, "__post_init__", None)
        if after is not None:
            after()


def _annotated(cls: type) -> Dict[str, Any]:
    """A class's own annotations. Python 3.14 evaluates them when they are asked for, and names in them may not exist."""
    if sys.version_info >= (3, 14):
        import annotationlib

        return annotationlib.get_annotations(cls, format=annotationlib.Format.FORWARDREF)
    return cls.__dict__.get("__annotations__", {})


def _is_field(name: str, value: Any) -> bool:
    """A plain value: no method, property or class, and nothing that `@dataclass` refuses as a default."""
    return not (name.startswith("__") or isinstance(value, type) or callable(value) or hasattr(value, "__get__") or value.__hash__ is None)
