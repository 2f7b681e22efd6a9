"""What the cases in this folder are written with: `value` and `misuse` register them, `run` carries a kernel body out.

A value case compares with numbers that it computes itself, from Python's `math` and loops, never with the simulator's arrays.
A misuse case is a call that must fail with a message that helps, on the caller's line.
"""

from __future__ import annotations

import inspect
import math
import os
import re
from typing import Any, Callable, Dict, List, NamedTuple, Sequence, Set, Tuple

import numpy as np

import neuronxcc.nki as legacy_nki
import neuronxcc.nki.isa as legacy_isa
import neuronxcc.nki.language as legacy_nl
import nki
import nki.isa as nisa
import nki.language as nl
from nki._record.launch import reports
from nki._record.launch.settings import settings
from nki._record.program import locations, program
from nki._record.vocabulary.table import ROWS


class Dialect(NamedTuple):
    """A spelling of the language, by its modules."""

    name: str
    nki: Any
    nl: Any
    nisa: Any


NKI = Dialect("nki", nki, nl, nisa)
LEGACY = Dialect("neuronxcc", legacy_nki, legacy_nl, legacy_isa)
BOTH = (NKI, LEGACY)


class Case(NamedTuple):
    """One test: `call` raises when it fails."""

    #: Row of the instruction table, without `nki.`.
    function: str
    dialect: Dialect
    #: "value" or "misuse".
    kind: str
    label: str
    #: The family: the file that holds the case, without `.py`.
    family: str
    call: Callable[[], None]

    @property
    def id(self) -> str:
        """A name that says what failed."""
        return f"{self.dialect.name} {self.function} {self.kind}: {self.label}"


cases: List[Case] = []

Body = Callable[..., Any]


def value(function: str, dialects: Sequence[Dialect] = (NKI,), label: str = "") -> Callable[[Callable[[Dialect], None]], None]:
    """Registers a function that takes a dialect, runs kernels and compares; it must have recorded `function`."""

    def register(test: Callable[[Dialect], None]) -> None:
        for dialect in dialects:
            _add(function, dialect, "value", label or _label(test), test, lambda dialect=dialect: _value(function, dialect, test))

    return register


def misuse(
    function: str, message: str, dialects: Sequence[Dialect] = (NKI,), target: str = "trn2", version: str = "", cores: int = 1
) -> Callable[[Body], None]:
    """Registers a kernel body that takes a dialect and must fail inside itself with an error that matches `message`.

    `version`: of NKI; "": the newest.
    """

    def register(body: Body) -> None:
        for dialect in dialects:
            call = lambda dialect=dialect: _misuse(function, message, dialect, (target, version), body, cores)  # noqa: E731
            _add(function, dialect, "misuse", _label(body) or message, body, call)

    return register


def _add(function: str, dialect: Dialect, kind: str, label: str, test: Any, call: Callable[[], None]) -> None:
    row = ROWS.get(f"nki.{function}")
    if row is None or dialect.name not in row.signature:
        raise LookupError(f"nki.{function} is not in the instruction table for the dialect {dialect.name}")
    family = os.path.splitext(os.path.basename(inspect.unwrap(test).__code__.co_filename))[0]
    cases.append(Case(function, dialect, kind, label, family, call))


def _label(test: Any) -> str:
    return test.__name__.strip("_<>").replace("_", " ")


# -- running kernels --------------------------------------------------------------------------------------------------

_recorded: Set[str] = set()


def _choose(target: str, version: str) -> None:
    settings.target, settings.target_is_given = target, True
    settings.nki_version = version


def run(d: Dialect, body: Body, *inputs: Any, target: str = "trn2", version: str = "") -> Any:
    """Loads the inputs into SBUF, calls `body(*tiles)`, stores what it returns; that as nested lists (a tuple for several)."""

    def kernel(*arguments: Any) -> Any:
        made = body(*[_load(d, argument) for argument in arguments])
        results = [_store(d, tile) for tile in (made if isinstance(made, tuple) else (made,))]
        return tuple(results)

    return run_kernel(d, kernel, *inputs, target=target, version=version)


def run_kernel(d: Dialect, kernel: Body, *inputs: Any, target: str = "trn2", cores: int = 1, version: str = "") -> Any:
    """Runs a kernel that does its own loads and stores. `version`: of NKI; "": the newest."""
    arrays = [value if hasattr(value, "dtype") else array(value) for value in inputs]
    _choose(target, version)
    results = _launched(d.nki.jit(kernel), cores)(*arrays)
    note_recorded()
    lists = tuple(result.tolist() for result in (results if isinstance(results, tuple) else (results,)))
    return lists[0] if len(lists) == 1 else lists


def _launched(jitted: Any, cores: int) -> Any:
    return jitted if cores == 1 else jitted[cores]


def note_recorded() -> None:
    """For `value`: which functions the last kernel has used."""
    _recorded.update(program.PLANS[number].row.name[4:] for number in set(program.plan_column))


def array(values: Any, dtype: Any = "float32") -> Any:
    """A host array; of dtypes that only NKI has, too."""
    return np.array(values, dtype=str(dtype))


def tile(*shape: int, dtype: Any = "float32", buffer: Any = None, fill: Any = None) -> Any:
    """A new tile, in SBUF unless said otherwise."""
    made = nl.ndarray(shape, dtype=dtype, buffer=buffer or nl.sbuf)
    if fill is not None:
        nisa.memset(made, fill)
    return made


def psum(*shape: int, dtype: Any = "float32") -> Any:
    """A new PSUM tile."""
    return tile(*shape, dtype=dtype, buffer=nl.psum)


def written(d: Dialect, function: Callable[..., Any], dst: Any, *args: Any, **arguments: Any) -> Any:
    """The result of an instruction as each dialect gives it: today's writes `dst`, the legacy one returns a tile."""
    if d is LEGACY:
        return function(*args, **arguments)
    function(dst, *args, **arguments)
    return dst


#: Errors point at whoever called it, as with NKI Scope's own functions.
written.__code__ = written.__code__.replace(co_filename=locations.__file__)


def _load(d: Dialect, argument: Any) -> Any:
    if d is LEGACY:
        return legacy_nl.load(argument)
    loaded = tile(*argument.shape, dtype=argument.dtype)
    nisa.dma_copy(dst=loaded, src=argument)
    return loaded


def _store(d: Dialect, made: Any) -> Any:
    out = d.nl.ndarray(made.shape, dtype=made.dtype, buffer=d.nl.shared_hbm)
    if d is LEGACY:
        legacy_nl.store(out, made)
        return out
    if made.buffer is nl.psum:
        copied = tile(*made.shape, dtype=made.dtype)
        nisa.tensor_copy(dst=copied, src=made)
        made = copied
    nisa.dma_copy(dst=out, src=made)
    return out


def _value(function: str, dialect: Dialect, test: Callable[[Dialect], None]) -> None:
    _recorded.clear()
    test(dialect)
    if function not in _recorded:
        raise AssertionError(f"the case never called {function}: it recorded {', '.join(sorted(_recorded)) or 'nothing'}")


def _misuse(function: str, message: str, d: Dialect, chosen: Tuple[str, str], body: Body, cores: int) -> None:
    def kernel() -> Any:
        body(d)

    try:
        _choose(*chosen)
        _launched(d.nki.jit(kernel), cores)()
    except Exception as error:
        _check_error(function, message, reports.user_error(error), body)
    else:
        raise AssertionError("nothing was refused")


def _check_error(function: str, message: str, error: Dict[str, Any], body: Body) -> None:
    text = f"{error['kind']}: {error['message']}"
    if not re.search(message, text):
        raise AssertionError(f"expected {message!r}, got {text}")
    lines, first = inspect.getsourcelines(body)
    if error["file"] != body.__code__.co_filename or not first <= (error["line"] or 0) < first + len(lines):
        raise AssertionError(f"the error points at {error['file']}:{error['line']}, not into lines {first} to {first + len(lines) - 1}")
    if error["kind"] in ("AssertionError", "KeyError", "IndexError", "AttributeError") or "_record" in text:
        raise AssertionError(f"not an error for users: {text}")


# -- numbers ----------------------------------------------------------------------------------------------------------


def numbers(*shape: int, low: float = -2.0, high: float = 2.0, seed: int = 1, step: float = 1 / 64) -> Any:
    """Nested lists of multiples of `step` in [low, high]: exact in float32 and, with 1/64 and small ranges, in bfloat16."""
    state = (seed * 2654435761 + 12345) % 2**32

    def make(sizes: Tuple[int, ...]) -> Any:
        nonlocal state
        if sizes:
            return [make(sizes[1:]) for _ in range(sizes[0])]
        state = (state * 1664525 + 1013904223) % 2**32
        return low + step * ((state >> 8) % (int((high - low) / step) + 1))

    return make(shape)


def integers(*shape: int, low: int = 0, high: int = 100, seed: int = 1) -> Any:
    """Nested lists of integers in [low, high]."""
    return each(int, numbers(*shape, low=low, high=high, seed=seed, step=1))


def each(f: Callable[..., Any], *values: Any) -> Any:
    """`f` over nested lists of one shape, element by element."""
    if isinstance(values[0], list):
        return [each(f, *items) for items in zip(*values)]
    return f(*values)


def flat(values: Any) -> List[Any]:
    """All elements of nested lists, in order."""
    return [item for value in values for item in flat(value)] if isinstance(values, list) else [values]


def shape_of(values: Any) -> Tuple[int, ...]:
    """Extents of nested lists."""
    return (len(values), *shape_of(values[0])) if isinstance(values, list) else ()


def close(got: Any, want: Any, relative: float = 1e-6, absolute: float = 0.0) -> None:
    """Every element within a tolerance; infinities and NaN in the same places."""
    if shape_of(got) != shape_of(want):
        raise AssertionError(f"shape {shape_of(got)}, expected {shape_of(want)}")
    for at, (a, b) in enumerate(zip(flat(got), flat(want))):
        if a == b or (math.isnan(a) and math.isnan(b)):
            continue
        if not abs(a - b) <= max(relative * abs(b), absolute):
            raise AssertionError(f"element {at} of {shape_of(want)} is {a!r}, expected {b!r}")


def same(got: Any, want: Any) -> None:
    """Every element equal; NaN equals NaN."""
    close(got, want, 0.0, 0.0)
