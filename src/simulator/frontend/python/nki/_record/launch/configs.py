"""What `@nki.jit` takes beside a function since NKI 0.7: options of the compiler and of specialization. None of them changes values, and
what the compiler makes of them is not public: times are those of the defaults.

Source: aws-neuron-sdk nki/api/nki.compiler.rst and nki/api/generated/nki.jit of 2.33. It gives no defaults but AUTO, prefetch_auto's
and nki_alloc_fallback's.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, Dict, List, NamedTuple

from ..vocabulary import versions
from ..vocabulary.errors import NkiCheckWarning, NkiValidationError


class AddressRotation(Enum):
    """Which tiles the backend may move to other addresses: those without an address of their own, all, or none."""

    AUTO = "auto"
    ENABLE = "enable"
    DISABLE = "disable"


@dataclass(frozen=True)
class CompileConfig:
    """Options of the passes after specialization. TypeError for an `address_rotation` that is no AddressRotation."""

    address_rotation: AddressRotation = AddressRotation.AUTO
    non_ssa_legalization: bool = False
    dead_code_elim: bool = False
    barrier_check: bool = False
    prefetch_auto: bool = False
    nki_alloc_fallback: bool = True

    def __post_init__(self) -> None:
        """Checks address_rotation."""
        if not isinstance(self.address_rotation, AddressRotation):
            raise TypeError(f"CompileConfig: address_rotation is an AddressRotation, not {self.address_rotation!r}")

    def differences(self) -> List[str]:
        """The options that have another value than their default, as they would be written."""
        return [f"{field.name}={_written(value)}" for field in fields(self) if (value := getattr(self, field.name)) != field.default]


def _written(value: Any) -> str:
    return str(value) if isinstance(value, Enum) else repr(value)


@dataclass(frozen=True)
class SpecializationConfig:
    """Options of specialization. `allow_nested_config_override`: kernels that this one calls may have another compile_config."""

    allow_nested_config_override: bool = False


class Configs(NamedTuple):
    """Those of one kernel."""

    compile: CompileConfig
    specialization: SpecializationConfig
    #: False where the kernel has the defaults because it names neither.
    are_given: bool


def of_options(options: Dict[str, Any]) -> Configs:
    """The configs among a decorator's keywords. TypeError for what is none."""
    given = []
    for name, kind in (("compile_config", CompileConfig), ("specialization_config", SpecializationConfig)):
        value = options.get(name)
        if value is not None and not isinstance(value, kind):
            raise TypeError(f"nki.jit: {name} is an nki.compiler.{kind.__name__}, not {type(value).__name__}")
        given.append(value)
    return Configs(given[0] or CompileConfig(), given[1] or SpecializationConfig(), any(value is not None for value in given))


#: Those of a kernel that names none.
DEFAULTS = of_options({})


def check_version(configs: Configs) -> None:
    """NkiValidationError where the version of the kernel does not have them yet."""
    if configs.are_given:
        versions.check("nki.compiler.CompileConfig")


def check_nested(outer: Configs, inner: Configs, name: str) -> None:
    """A kernel calls another: NkiValidationError, or a warning where the outer one allows it, when their compile_config differs."""
    if not inner.are_given or inner.compile == outer.compile:
        return
    text = f"{name} has another compile_config than the kernel that calls it"
    if not outer.specialization.allow_nested_config_override:
        advice = "give both the same, or the calling one specialization_config=SpecializationConfig(allow_nested_config_override=True)"
        raise NkiValidationError(f"{text}: {advice}")
    warnings.warn(f"{text}: that of the calling kernel counts", NkiCheckWarning, stacklevel=3)  # the line that calls it
