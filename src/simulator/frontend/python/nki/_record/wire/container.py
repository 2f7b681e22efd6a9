"""The column container, written as `src/simulator/columns/container.ts` reads it: NKIC, JSON header, 8-byte aligned columns."""

from __future__ import annotations

import json
import struct
from array import array
from typing import Any, Dict, List, Union

Column = Union["array[Any]", bytes]

_MAGIC = 0x43494B4E  # "NKIC", little-endian
_LAYOUT_VERSION = 1
_TYPECODES = {"B": "u8", "H": "u16", "I": "u32", "i": "i32", "f": "f32", "d": "f64"}


def encode(kind: str, version: int, meta: Dict[str, Any], columns: Dict[str, array]) -> bytes:
    """One container as bytes. `columns`: name -> array of typecode B, H, I, i, f or d."""
    sections: List[Dict[str, Any]] = []
    parts: List[bytes] = []
    offset = 0
    for name, column in columns.items():
        data = column.tobytes()
        sections.append({"name": name, "dtype": _TYPECODES[column.typecode], "offset": offset, "length": len(column)})
        parts.append(data + bytes(-len(data) % 8))
        offset += len(parts[-1])
    header = json.dumps({"kind": kind, "version": version, "meta": meta, "sections": sections}, separators=(",", ":")).encode()
    head = struct.pack("<III", _MAGIC, _LAYOUT_VERSION, len(header)) + header
    return b"".join([head, bytes(-len(head) % 8), *parts])
