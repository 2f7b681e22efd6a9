"""THE instruction table as Python reads it: `table.json`, written by the build from `src/simulator/isa/` and `hardware/`.

Holds rows, dtypes, names of operations, enums, and of each machine its names, the sizes kernels are written against and what it
can do. No behaviour.
"""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from .context import context


class Operand(NamedTuple):
    """A tensor operand of a row. `dtypes`: classes and names, None for all but packed ones; `free`: least, most elements per partition,
    the most as a number or as a name in `LIMITS`."""

    name: str
    slot: int
    role: str
    spaces: Tuple[str, ...]
    dtypes: Optional[Tuple[str, ...]]
    optional: bool
    free: Optional[Tuple[int, Union[int, str]]] = None


class Row:
    """One row of the table; see `isa/types.ts` for what each field means."""

    __slots__ = (
        "name",
        "signature",
        "operands",
        "attributes",
        "fixed",
        "implied",
        "renamed",
        "prepare",
        "tile_of_number",
        "waits_for",
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
        #: By dialect.
        self.implied: Dict[str, Dict[str, Any]] = data.get("implied") or {}
        self.renamed: Dict[str, Dict[str, str]] = data.get("renamed") or {}
        self.prepare: Optional[str] = data.get("prepare")
        self.tile_of_number: Optional[str] = data.get("tileOfNumber")
        self.waits_for: Optional[str] = data.get("waitsFor")
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
NKI_VERSIONS: List[str] = _DATA["nkiVersions"]
#: Public name -> why it is refused, and what to use instead.
REFUSED: Dict[str, str] = _DATA["refused"]
#: By public name: `Versions` of isa/versions.ts. Names that are not here are in all versions, unchanged.
VERSIONED: Dict[str, Dict[str, Any]] = _DATA["versioned"]


class Machine(NamedTuple):
    """A generation of the NeuronCore, from `hardware/forPython.ts`: names, sizes and what it can do."""

    generation: str
    target: str
    aliases: Tuple[str, ...]
    instruction_set: str
    limits: Dict[str, Any]
    features: Dict[str, bool]


def _machine(data: Dict[str, Any]) -> Machine:
    names = data["generation"], data["target"], tuple(data["aliases"]), data["instructionSet"]
    return Machine(*names, data["limits"], data["features"])


_KNOWN: Dict[str, Machine] = {data["generation"]: _machine(data) for data in _DATA["machines"]}
#: By generation, the oldest first.
MACHINES: Dict[str, Machine] = dict(_KNOWN)
DEFAULT_TARGET: str = _DATA["defaultTarget"]
#: Ranks of the largest machine.
MOST_RANKS: int = _DATA["mostRanks"]
_TARGETS: Dict[str, Machine] = {name: machine for machine in MACHINES.values() for name in (machine.target, *machine.aliases)}


class _Limits:
    """Sizes of the machine that the kernel being recorded runs on; of the default one before the first kernel."""

    def __getitem__(self, name: str) -> Any:
        return MACHINES[context.generation or _DEFAULT_GENERATION].limits[name]


LIMITS = _Limits()
_NAMED_LIMITS = {
    "PARTITIONS": "partitions",
    "PSUM_BANK_BYTES": "psumBankBytes",
    "STATIONARY_FREE": "stationaryFree",
    "MOVING_FREE": "movingFree",
}


def __getattr__(name: str) -> Any:
    """`table.PARTITIONS` and the like: sizes, too, so looked up when they are used."""
    if name in _NAMED_LIMITS:
        return LIMITS[_NAMED_LIMITS[name]]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def use_machine(data: Optional[Dict[str, Any]]) -> None:
    """The machine of an experiment takes the place of its generation's; None: all are as known."""
    MACHINES.update(_KNOWN)
    if data is not None:
        MACHINES[data["generation"]] = _machine(data)


def machine_of(target: str) -> Machine:
    """The machine of any spelling of a target (trn2, gen3, inf2...). ValueError for others."""
    found = _TARGETS.get(target.lower())
    if found is None:
        raise ValueError(f"unknown target {target!r}: NKI Scope simulates {', '.join(sorted(_TARGETS))}")
    return found


_DEFAULT_GENERATION = machine_of(DEFAULT_TARGET).generation


def has(generation: str, feature: str) -> bool:
    """True where machines of this generation have a feature (`Features` in hardware/machine.ts)."""
    return MACHINES[generation].features[feature]


def targets_with(feature: str) -> str:
    """Targets whose machines have a feature, for messages: `trn2, trn3`."""
    return ", ".join(machine.target for machine in MACHINES.values() if machine.features[feature])


def in_set(generation: str, generations: Sequence[str]) -> bool:
    """True where machines of this generation have what is in these instruction sets."""
    return MACHINES[generation].instruction_set in generations


def targets_in(generations: Sequence[str]) -> str:
    """Targets whose machines have what is in these instruction sets, for messages."""
    return ", ".join(machine.target for machine in MACHINES.values() if machine.instruction_set in generations)
