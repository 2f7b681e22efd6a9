"""Versions of NKI: the one that the kernel is written for, and what it has. The data is `isa/versions.ts`'s.

Kernels of the legacy dialect have no version: nothing here holds for them.
"""

from __future__ import annotations

from typing import Any, Dict, List

from . import table
from .context import context
from .errors import NkiValidationError

#: The oldest first.
ALL: List[str] = table.NKI_VERSIONS
NEWEST = ALL[-1]


def parse(text: str) -> str:
    """A version as people write it (0.6, 0.6.0). ValueError for others."""
    found = ".".join(text.strip().split(".")[:2])
    if found not in ALL:
        raise ValueError(f"unknown version of NKI {text!r}: NKI Scope knows {', '.join(ALL)}")
    return found


def is_at_least(version: str) -> bool:
    """True for kernels of today's dialect that are written for this version or a later one."""
    return context.dialect == "nki" and ALL.index(context.nki_version or NEWEST) >= ALL.index(version)


def check(name: str) -> None:
    """NkiValidationError for a name (nki.isa.topk) that the version of the kernel does not have yet, or no longer."""
    known: Dict[str, Any] = table.VERSIONED.get(name) or {}
    if not known or context.dialect != "nki":
        return
    spelled = _spelled(name)
    if known.get("removed") and is_at_least(known["removed"]):
        raise NkiValidationError(f"NKI {known['removed']} has no {spelled}: {known['instead']}{_other(known)}")
    if not is_at_least(known["since"]):
        raise NkiValidationError(f"{spelled} came with NKI {known['since']}, and this kernel is for NKI {context.nki_version}")


#: Modules as kernels import them.
_SHORT = {"language": "nl", "isa": "nisa", "collectives": "nki.collectives", "compiler": "nki.compiler"}


def check_removed(name: str) -> None:
    """AttributeError for a name that is not here because NKI has removed it: with what to write instead."""
    known: Dict[str, Any] = table.VERSIONED.get(name) or {}
    if "removed" in known:
        raise AttributeError(f"NKI {known['removed']} has no {_spelled(name)}: {known['instead']}")


def _spelled(name: str) -> str:
    """As kernels write it."""
    _, module, rest = name.split(".", 2)
    return f"{_SHORT[module]}.{rest}"


def _other(known: Dict[str, Any]) -> str:
    last = ALL[ALL.index(known["removed"]) - 1]
    return f". Kernels for NKI {last} run with {chosen_by(last)}"


def chosen_by(version: str) -> str:
    """How users say that a kernel is for this version: on the command line, in the editor, for a project."""
    return f"--nki-version {version}, nkiScope.nkiVersion, or a requirement such as nki=={version}.*"
