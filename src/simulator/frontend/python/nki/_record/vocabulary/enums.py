"""The enums of `nki.isa`, made from the table."""

from __future__ import annotations

from enum import Enum
from typing import Dict, Type

from . import table


class _Member(Enum):
    """Enum members hash by identity, at C speed: they are part of every look-up of a known call.

    Members of one enum are ordered by value, as in `get_nc_version() >= nc_version.gen3`.
    """

    __hash__ = object.__hash__

    def __lt__(self, other: object) -> bool:
        """By value."""
        return self.value < other.value if type(other) is type(self) else NotImplemented  # type: ignore[attr-defined]

    def __le__(self, other: object) -> bool:
        """By value."""
        return self.value <= other.value if type(other) is type(self) else NotImplemented  # type: ignore[attr-defined]

    def __int__(self) -> int:
        """The value, as AWS numbers it."""
        return int(self.value)


def _make(name: str, members: Dict[str, object]) -> Type[Enum]:
    made = _Member(name, list(members.items()), module="nki.isa")
    made.__doc__ = f"`nki.isa.{name}`: {', '.join(members)}."
    return made


#: Enum name -> enum.
ENUMS: Dict[str, Type[Enum]] = {name: _make(name, members) for name, members in table.ENUMS.items()}

#: `nki.isa.vector_engine` and the like.
ENGINES = {f"{name}_engine": ENUMS["engine"][name] for name in ("tensor", "vector", "scalar", "gpsimd", "unknown")}
