"""Makes the Python functions of `nki.isa` and `nki.language` from the table: a `def` with the row's own signature, so that
`help()` and `inspect.signature` are right, and a body that records a known call with a few look-ups.

The body of `tensor_tensor(dst, data1, data2, op, engine, name)` is, in short:

    entry = plans[dst._layout, data1._layout, data2._layout, op, engine]   # unknown: calls.record validates and makes it
    frame, iteration, site = position(caller)
    pending += (plan, frame, iteration); operands += (tensor, offset) of each
"""

from __future__ import annotations

import ast
import difflib
import sys
from types import FrameType
from typing import Any, Callable, Dict, List, Optional, Tuple

from ..program import locations, program, schedule
from ..tensors.memory import MemoryRegion
from ..tensors.strided import NkiTensor
from ..tensors.tensor import Tensor
from ..vocabulary import refusals, table, versions
from ..vocabulary.context import context
from ..vocabulary.enums import ENUMS
from ..vocabulary.errors import NkiValidationError
from ..vocabulary.instructions import INSTRUCTION
from ..vocabulary.table import ROWS, Operand, Row
from . import accumulation, calls, expansion, masking, shapes

#: Before the look-up, if `accumulate` may be left out: the first write does not accumulate.
_SETTLE_ACCUMULATE = "if accumulate is None: accumulate = type(dst) is _Tensor and _accumulates(dst)"

#: Known calls of every function; emptied when the target changes.
_all_plans: List[Dict[Any, Any]] = []


def forget_known_calls() -> None:
    """Every call is validated again: the target has changed."""
    calls.reset_plans()
    for plans in _all_plans:
        plans.clear()


def generate(dialect: str, prefix: str) -> Dict[str, Callable[..., Any]]:
    """Functions of a dialect whose rows are named `prefix.*`, by short name."""
    rows = [row for row in ROWS.values() if dialect in row.signature and row.name.startswith(prefix + ".")]
    return {row.short_name: _function(row, dialect) for row in rows}


def _function(row: Row, dialect: str) -> Callable[..., Any]:
    signature = row.signature[dialect]
    source = f"def {row.short_name}{signature}:\n" + "".join(f"    {line}\n" for line in _body(row, dialect, signature))
    namespace = _namespace(row, dialect)
    public = row.name if dialect == "nki" else f"neuronxcc.{row.name}"
    exec(compile(source, f"<nki-scope {public}>", "exec"), namespace)  # noqa: S102 - our own text, from our own table
    function = namespace[row.short_name]
    function.__doc__ = _doc(row)
    function.__module__ = public.rsplit(".", 1)[0]
    return function


def _namespace(row: Row, dialect: str) -> Dict[str, Any]:
    plans: Dict[Any, Any] = {}
    _all_plans.append(plans)
    return {
        **ENUMS,
        **{region: MemoryRegion[region] for region in MemoryRegion.__members__},
        "_row": row,
        "_plans": plans,
        "_implied": row.implied.get(dialect, {}),
        "_getframe": sys._getframe,
        "_first": _first if dialect == "nki" else _first_of_legacy,
        "_unknown": _unknown,
        "_accumulates": accumulation.accumulates,
        "_mark": accumulation.mark,
        "_everywhere": masking.holds_everywhere,
        "_note": schedule.note,
        "_again": calls.again,
        "_position": locations.position,
        "_pending": program.pending,
        "_state": program.state,
        "_flush": program.flush,
        "_pend": program.pending.extend,
        "_operands": program.pending_operands.extend,
        "_Tensor": NkiTensor,
        "_instruction": INSTRUCTION,
    }


# -- the body ---------------------------------------------------------------------------------------------------------


def _body(row: Row, dialect: str, signature: str) -> List[str]:
    parameters, extra = _parameters(signature)
    renamed = row.renamed.get(dialect, {})
    prologue = [f"{operand} = {parameter}" for parameter, operand in renamed.items()]
    parameters = [renamed.get(name, name) for name in parameters]
    known = [name for name in parameters if name not in ("mask", "name")]
    given = "{" + ", ".join(f"{name!r}: {name}" for name in parameters if name != "mask") + ", **_implied}"
    key = "(" + "".join(_key(row, name) + ", " for name in known) + ")"
    lines = [f"if {extra} and set({extra}) - {{'name'}}: _unknown(_row.name, {extra})"] if extra else []
    lines += prologue
    if "accumulate" in parameters:
        lines.append(_SETTLE_ACCUMULATE)
    if "mask" in parameters:
        tensors = "".join(f"{operand.name}, " for operand in row.operands if operand.name in parameters)
        holds = f"_everywhere(mask, ({tensors}))"
        lines.append(f"if mask is not None and not {holds}: return _first(_row, None, _getframe(1), {{**{given}, 'mask': mask}}, None)")
    lines.append(f"try: entry = _plans[{key}]")
    lines.append(f"except (KeyError, TypeError, AttributeError): return _first(_row, _plans, _getframe(1), {given}, lambda: {key})")
    lines.append("frame, iteration, site = _position(_getframe(1))")
    makes_tile = shapes.defines_result(row) and "dst" not in parameters
    if makes_tile:
        lines.append(f"dst = _again(entry, {'name or site.name' if 'name' in parameters else 'site.name'}, frame)")
    lines.append("if len(_pending) >= _state.threshold: _flush()")
    lines.append("_pend((entry.id, frame, iteration))")
    lines += _emit(row, parameters)
    if any("psum" in operand.spaces for operand in row.operands if operand.name == "dst"):
        lines.append("if entry.marks: _mark(dst)")
    if dialect == "nki" and "name" in parameters and not makes_tile:
        lines.append("if name is not None: _note(name)")
    if makes_tile:
        lines.append("return dst")
    elif dialect == "nki" and row.name.startswith("nki.isa."):
        lines.append("return _instruction")
    return lines


def _parameters(signature: str) -> Tuple[List[str], Optional[str]]:
    """(names in order, name of **kwargs)."""
    parsed = ast.parse(f"def f{signature}: pass").body[0]
    assert isinstance(parsed, ast.FunctionDef)
    arguments = parsed.args
    names = [argument.arg for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]]
    return names, arguments.kwarg.arg if arguments.kwarg else None


def _key(row: Row, name: str) -> str:
    operand = next((operand for operand in row.operands if operand.name == name), None)
    if operand is not None:
        return f"({name}._layout if type({name}) is _Tensor else {name})" if _may_be_absent(operand) else f"{name}._layout"
    kind = row.attributes.get(name)
    if kind in ("pattern", "json"):
        return f"repr({name})"
    if kind == "predicate":
        return f"str([(term.shape, term.coefficients, term.constant) for term in {name}.terms])"
    if kind in ("axes", "shape"):
        return f"(tuple({name}) if type({name}) is list else {name})"
    return name


def _may_be_absent(operand: Operand) -> bool:
    return operand.optional or operand.role == "scalar"


def _emit(row: Row, parameters: List[str]) -> List[str]:
    """Appends (tensor, offset) of every operand, in the table's order."""
    lines: List[str] = []
    always: List[str] = []
    for operand in row.operands:
        pair = f"{operand.name}._storage.id, {operand.name}.offset"
        if not _may_be_absent(operand):
            always.append(pair)
            continue
        if operand.name not in parameters:
            continue
        if always:
            lines.append(f"_operands(({', '.join(always)}))")
            always = []
        lines.append(f"if type({operand.name}) is _Tensor: _operands(({pair}))")
    if always:
        lines.append(f"_operands(({', '.join(always)}))")
    return lines


def _first(row: Row, plans: Optional[Dict[Any, Any]], frame: FrameType, arguments: Dict[str, Any], key: Any) -> Any:
    """Handles a call that is not known yet, or that has a mask."""
    versions.check(row.name)
    name = arguments.get("name")
    entry, tile = calls.record(row, frame, arguments)
    if name is not None:
        schedule.note(name)
    if entry is not None and plans is not None:
        try:
            plans[key()] = entry
        except TypeError:
            pass  # an argument without a hash: validated again each time
    return tile if tile is not None or not row.name.startswith("nki.isa.") else INSTRUCTION


def _first_of_legacy(row: Row, plans: Optional[Dict[Any, Any]], frame: FrameType, arguments: Dict[str, Any], key: Any) -> Any:
    """As `_first`, in kernels of the legacy dialect.

    Source: aws-neuron-sdk nki/migration/index.rst "neuronxcc.nki.* inside kernels".
    """
    if context.dialect == "nki":
        raise NkiValidationError(f"neuronxcc.{row.name} cannot be called in a kernel of nki.jit: use the namespace nki")
    if row.semantics == "where" and masking.is_mask(arguments["condition"]):
        if isinstance(arguments["y"], Tensor):
            return expansion.chosen(calls.record, frame, arguments)
        return _first(ROWS["nki.isa.affine_select"], None, frame, masking.selecting(arguments), key)
    return _first(row, plans, frame, arguments, key)


def _unknown(name: str, extra: Dict[str, Any]) -> None:
    raise TypeError(f"{name}() has no parameter {', '.join(map(repr, extra))}")


def _doc(row: Row) -> str:
    operands = [f"    {o.name}: {o.role}, in {' or '.join(o.spaces)}{', optional' if o.optional else ''}" for o in row.operands]
    values = [f"    {name}: {kind}" for name, kind in row.attributes.items()]
    parts = [row.summary, "Operands:\n" + "\n".join(operands)]
    if values:
        parts.append("Attributes:\n" + "\n".join(values))
    parts.append(f"Engines: {', '.join(row.engines)}. NeuronCore: {', '.join(row.generations)}.\nSource: {row.source}")
    return "\n\n".join(parts)


# -- names that are not there -----------------------------------------------------------------------------------------


#: Ratio of `difflib` above which a name is a slip of the pen.
_LIKELY = 0.85


def missing(module: str, namespace: Dict[str, Any]) -> Callable[[str], Any]:
    """A module's `__getattr__`: an error for refused names, and for others an AttributeError with similar names."""

    def attribute(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        why = refusals.NAMES.get(f"{module}.{name}")
        if why is not None:
            return refusals.refused(f"{module}.{name}", why)
        if f"{module}.{name}" in table.REFUSED:
            raise AttributeError(str(refusals.refuse(f"{module}.{name}")))
        versions.check_removed(f"{module}.{name}")
        public = sorted(key for key in namespace if not key.startswith("_"))
        near = difflib.get_close_matches(name, public, 3, _LIKELY) or difflib.get_close_matches(name, public, 1)
        advice = f" Did you mean {' or '.join(near)}?" if near else ""
        raise AttributeError(f"NKI Scope knows no {module}.{name}.{advice}")

    return attribute


#: Functions of today's `nki.language` by name: operators on tensors record these. `dynamic_range` is a generator, by hand.
LANGUAGE = {name: made for name, made in generate("nki", "nki.language").items() if name != "dynamic_range"}
