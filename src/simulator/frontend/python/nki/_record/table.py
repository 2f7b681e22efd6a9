"""THE instruction table as Python reads it: `table.json`, written by the build from `src/simulator/isa/`.

Holds rows, dtypes, names of operations, enums and the sizes kernels are written against. No behaviour.
"""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, NamedTuple, Optional, Tuple


class Operand(NamedTuple):
    """A tensor operand of a row. `dtypes`: classes and names, None for all but packed ones; `free`: least, most elements per partition."""

    name: str
    slot: int
    role: str
    spaces: Tuple[str, ...]
    dtypes: Optional[Tuple[str, ...]]
    optional: bool
    free: Optional[Tuple[int, int]] = None


class Row:
    """One row of the table; see `isa/types.ts` for what each field means."""

    __slots__ = (
        "name",
        "signature",
        "operands",
        "attributes",
        "fixed",
        "shape",
        "semantics",
        "engines",
        "engine_generations",
        "generations",
        "choices",
        "result_dtype",
        "integer_result_dtype",
        "result_space",
        "summary",
        "source",
        "short_name",
    )

    def __init__(self, data: Dict[str, Any]) -> None:
        """From a row of table.json."""
        self.name: str = data["name"]
        self.short_name: str = self.name.rsplit(".", 1)[1]
        self.signature: Dict[str, str] = data["signature"]
        self.operands: Tuple[Operand, ...] = tuple(_operand(name, slot, rule) for slot, (name, rule) in enumerate(data["operands"].items()))
        self.attributes: Dict[str, str] = data["attributes"]
        self.fixed: Dict[str, Any] = data.get("fixed") or {}
        self.shape: str = data["shape"]
        self.semantics: str = data["semantics"]
        self.engines: Tuple[str, ...] = tuple(data["engines"])
        self.engine_generations: Dict[str, List[str]] = data.get("engineGenerations") or {}
        self.generations: Tuple[str, ...] = tuple(data["generations"])
        self.choices: Dict[str, List[str]] = data.get("choices") or {}
        #: By dialect.
        self.result_dtype: Dict[str, str] = _by_dialect(data.get("resultDtype"))
        self.integer_result_dtype: Dict[str, str] = data.get("integerResultDtype") or {}
        self.result_space: str = data.get("resultSpace") or "sbuf"
        self.summary: str = data["summary"]
        self.source: str = data["source"]


def _by_dialect(value: Any) -> Dict[str, str]:
    return value if isinstance(value, dict) else {"nki": value, "neuronxcc": value} if value else {}


def _operand(name: str, slot: int, rule: Dict[str, Any]) -> Operand:
    dtypes = rule.get("dtypes")
    spaces = tuple(rule.get("spaces") or ("sbuf", "psum"))
    free = rule.get("free")
    limits = None if free is None else (free, free) if isinstance(free, int) else tuple(free)
    return Operand(name, slot, rule["role"], spaces, tuple(dtypes) if dtypes else None, bool(rule.get("optional")), limits)


def _load() -> Dict[str, Any]:
    path = os.environ.get("NKI_SCOPE_TABLE") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "table.json")
    with open(path, encoding="utf-8") as file:
        return json.load(file)


_DATA = _load()

ROWS: Dict[str, Row] = {data["name"]: Row(data) for data in _DATA["rows"]}
DTYPES: List[Dict[str, Any]] = _DATA["dtypes"]
ALU_OPS = frozenset(_DATA["aluOps"])
BIT_OPS = frozenset(_DATA["bitOps"])
UNARY_OPS = frozenset(_DATA["unaryAluOps"])
PARTITION_REDUCTIONS = frozenset(_DATA["partitionReductions"])
ACTIVATIONS = frozenset(_DATA["activationFunctions"])
ENUMS: Dict[str, Dict[str, Any]] = _DATA["enums"]
LIMITS: Dict[str, Any] = _DATA["limits"]

PARTITIONS: int = LIMITS["partitions"]
PSUM_BANK_BYTES: int = LIMITS["psumBankBytes"]
STATIONARY_FREE: int = LIMITS["stationaryFree"]
MOVING_FREE: int = LIMITS["movingFree"]


def generation_of(target: str) -> Tuple[str, str]:
    """Any spelling of a target (trn2, gen3, inf2...) -> (target, generation), for example ("trn2", "v3"). ValueError for others."""
    found = LIMITS["targets"].get(target.lower())
    if found is None:
        raise ValueError(f"unknown target {target!r}: NKI Scope simulates {', '.join(sorted(LIMITS['targets']))}")
    return found["target"], found["generation"]
