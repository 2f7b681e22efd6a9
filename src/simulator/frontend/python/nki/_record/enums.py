"""The enums of `nki.isa`, made from the table."""

from __future__ import annotations

from enum import Enum
from typing import Dict, Type

from . import table


class _Member(Enum):
    """Enum members hash by identity, at C speed: they are part of every look-up of a known call."""

    __hash__ = object.__hash__


def _make(name: str, members: Dict[str, object]) -> Type[Enum]:
    made = _Member(name, list(members.items()), module="nki.isa")
    made.__doc__ = f"`nki.isa.{name}`: {', '.join(members)}."
    return made


#: Enum name -> enum.
ENUMS: Dict[str, Type[Enum]] = {name: _make(name, members) for name, members in table.ENUMS.items()}
