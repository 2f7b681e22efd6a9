"""Where a script calls a kernel, or an operation inside a layer: as `CallSite` of the protocol, with the texts of files that the host has
not got yet."""

from __future__ import annotations

import linecache
from typing import Any, Dict, Set

from ..program import encoding, locations
from ..vocabulary.context import context

_sent: Set[str] = set()
#: A kernel was called: what the script reads may be on the device.
_launched = False


def begin() -> None:
    """A new host has no texts yet."""
    global _launched
    _launched = False
    _sent.clear()


def of_launch() -> Dict[str, Any]:
    """The site of a kernel call."""
    global _launched
    _launched = True
    return here()


def of_read() -> Dict[str, Any]:
    """Field of a request for values: the site, where the values may have to be read from the device."""
    return {"site": here()} if _launched and context.call is None else {}


def here() -> Dict[str, Any]:
    """The site of the call that is under way."""
    site = locations.call_site()
    files = {frame["file"] for frame in site["frames"]} - _sent
    _sent.update(files)
    return {**site, "sources": [encoding.source_file(path, "".join(linecache.getlines(path))) for path in sorted(files)]}
