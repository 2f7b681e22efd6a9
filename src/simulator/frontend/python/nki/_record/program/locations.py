"""Source positions of instructions: the frames of the user's code between the kernel function and the call, and the iteration of every
loop around them.

The hot path is one dictionary look-up per frame: the constant data of a position in the bytecode is computed once and kept as a `Site`.
Loop variables are read from the frame, so plain `range` works, too. `iterations.py` finds loops in the source.
"""

from __future__ import annotations

import inspect
import linecache
import os
import sys
from operator import itemgetter
from types import CodeType, FrameType
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple

from ..vocabulary.context import OUTSIDE
from ..vocabulary.errors import NkiValidationError
from ..vocabulary.layers import layers
from ..vocabulary.register import VirtualRegister
from . import iterations, program

# in the spelling of code objects: `sys.path` may have relative or linked folders
_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname((lambda: None).__code__.co_filename)))
_PARENT = os.path.dirname(_PACKAGE)
_OURS = (
    _PACKAGE + os.sep,
    os.path.join(_PARENT, "neuronxcc") + os.sep,
    os.path.join(_PARENT, "standins") + os.sep,
    os.path.join(os.path.dirname(_PARENT), "standins") + os.sep,
    "<nki-scope",
)
_STANDARD_LIBRARY = os.path.dirname(os.path.abspath(os.__file__)) + os.sep


class Loops:
    """The loops around a position, shared by all positions that they are around."""

    __slots__ = ("variables", "values", "rows")

    def __init__(self, variables: Tuple[Tuple[str, int], ...]) -> None:
        """(variable, loop number), outermost first."""
        self.variables = variables
        #: The values of all variables, or of the one.
        self.values = itemgetter(*[name for name, _ in variables])
        #: (parent row, values) -> row, of the program being recorded.
        self.rows: Dict[Tuple[int, Any], int] = {}


class Site:
    """One position in a function's bytecode, called from one place: its frame row and the loops around it."""

    __slots__ = ("frame", "loops", "name", "temporary", "asserted")

    def __init__(self, frame: int, loops: Optional[Loops], name: str, temporary: bool, asserted: bool) -> None:
        """`frame`: row of the frame tree."""
        self.frame = frame
        #: The statement assigns the result of a call or an operator: no variable holds it.
        self.temporary = temporary
        #: The statement is an `assert`.
        self.asserted = asserted
        #: None: outside of loops.
        self.loops = loops
        #: Variable that the statement assigns, or "": allocations are named after it.
        self.name = name


class _Code:
    """The data of a code object. Keeps it alive, so that its id is not reused."""

    __slots__ = ("code", "ours", "sites")

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.ours = _is_ours(code.co_filename)
        #: (bytecode offset, caller's frame row, path of the layer).
        self.sites: Dict[Tuple[int, int, str], Site] = {}


_codes: Dict[int, _Code] = {}
#: (parent row, loop number, value) -> row, of the program being recorded.
_rows = program.state.iterations
#: By their variables: the loops of the program being recorded.
_loops: Dict[Tuple[Tuple[str, int], ...], Loops] = {}
#: Row of the launch grid's instance, or -1 without a grid.
_root = -1


def is_own_file(filename: str) -> bool:
    """True for the files of this package and the text it makes functions of."""
    return filename.startswith(_OURS)


def _is_ours(filename: str) -> bool:
    if filename.startswith(_OURS) or filename.startswith("<frozen"):
        return True
    return filename.startswith(_STANDARD_LIBRARY) and "site-packages" not in filename


def is_user_file(filename: str) -> bool:
    """True for files of the user: neither ours nor Python's own, nor text that was never a file."""
    return not _is_ours(filename) and not filename.startswith("<")


def _learn(code: CodeType) -> _Code:
    known = _codes[id(code)] = _Code(code)
    return known


def call_kernel(function: Callable[..., Any], args: Sequence[Any], kwargs: Dict[str, Any]) -> Any:
    """The one place from which a kernel function is called: the root of its call stacks."""
    return function(*args, **kwargs)


_LAUNCHER = call_kernel.__code__


def call_body(loop: str, iteration: int, body: Callable[[Any], Any], argument: Any) -> Any:
    """The one place from which our own loops call a body of the user's: what it records belongs to this `iteration` of `loop`."""
    return body(argument)


_LOOP_RUNNER = call_body.__code__


def enter_program(ids: Tuple[int, ...]) -> None:
    """What follows belongs to this instance of the launch grid: its outermost iteration, on the line of the kernel's `def`."""
    global _root
    _root = -1
    for axis, value in enumerate(ids):
        name = "program_id" if len(ids) == 1 else f"program_id({axis})"
        loop = _loop_number(program.state.frame_files[0], program.state.frame_lines[0], name)
        _root = _rows.setdefault((_root, loop, value), len(_rows))


def reset() -> None:
    """Drops the rows of the last program; data about the source stays. Call it after `program.reset`."""
    global _rows, _root
    _rows, _root = program.state.iterations, -1
    _loops.clear()
    for known in _codes.values():
        known.sites.clear()


def position(frame: Optional[FrameType]) -> Tuple[int, int, Site]:
    """(frame row, iteration row or -1, site) of the innermost user frame at or above `frame`."""
    if frame is None:
        raise NkiValidationError(OUTSIDE)
    known = _codes.get(id(frame.f_code)) or _learn(frame.f_code)
    if known.ours:
        return position(frame.f_back)
    caller = frame.f_back
    if caller is not None and caller.f_code is _LAUNCHER:
        parent, row = -1, _root
    else:
        parent, row = _caller(caller)
    key = (frame.f_lasti, parent, layers.path)
    site = known.sites.get(key)
    if site is None:
        site = known.sites[key] = _new_site(frame, parent)
    if site.loops:
        row = _iteration(site.loops, row, frame.f_locals)
    return site.frame, row, site


def _iteration(loops: Loops, parent: int, variables: Mapping[str, Any]) -> int:
    """The row of the current iteration of the loops. Only the first call in an iteration checks each loop."""
    try:
        key = (parent, loops.values(variables))
        known = loops.rows.get(key)
        if known is not None:
            return known
    except (KeyError, TypeError):
        key = None  # a variable has no value yet, or one without a hash
    row, plain = parent, key is not None
    for name, loop in loops.variables:
        value = variables.get(name)
        if type(value) is not int:
            plain = False
            if type(value) is not VirtualRegister:
                continue
            value = value.iteration
        found = _rows.get((row, loop, value))
        if found is None:
            found = _rows[row, loop, value] = len(_rows)
        row = found
    if plain:
        loops.rows[key] = row
    return row


def _caller(frame: Optional[FrameType]) -> Tuple[int, int]:
    """(frame row, iteration row) of the call into the user's function; (-1, -1) when the launcher called it."""
    while frame is not None:
        if frame.f_code is _LAUNCHER:
            return -1, _root
        known = _codes.get(id(frame.f_code)) or _learn(frame.f_code)
        if not known.ours:
            index, iteration, _ = position(frame)
            return index, iteration
        if frame.f_code is _LOOP_RUNNER:
            return _in_loop(frame)
        frame = frame.f_back
    raise NkiValidationError(OUTSIDE)


def _in_loop(runner: FrameType) -> Tuple[int, int]:
    """For a body that one of our own functions calls in a loop: one iteration level more than the call of that function."""
    index, parent = _caller(runner.f_back)
    loop = _loop_number(program.state.frame_files[index], program.state.frame_lines[index], runner.f_locals["loop"])
    return index, _rows.setdefault((parent, loop, runner.f_locals["iteration"]), len(_rows))


def _new_site(frame: FrameType, parent: int) -> Site:
    code = frame.f_code
    source = "".join(linecache.getlines(code.co_filename, frame.f_globals))
    file = program.file_index(code.co_filename, source)
    line = frame.f_lineno
    row = _frame_row(parent, file, line, code.co_name)
    shape = iterations.of_file(code.co_filename, source)
    loops = tuple((loop.name, _loop_number(file, loop.line, loop.name)) for loop in shape.loops_around(code, line))
    around = _loops.setdefault(loops, Loops(loops)) if loops else None
    return Site(row, around, shape.target_at(line), shape.is_temporary(line), shape.is_asserted(line))


def _frame_row(parent: int, file: int, line: int, function: str) -> int:
    """One row per (parent, file, line, function, layer), for all calls on the line."""
    rows = program.state.frame_rows
    key = (parent, file, line, function, layers.path)
    row = rows.get(key)
    if row is None:
        row = rows[key] = program.add_frame(*key)
    return row


def _loop_number(file: int, line: int, name: str) -> int:
    numbers = program.state.loop_numbers
    key = (file, line, name)
    number = numbers.get(key)
    if number is None:
        number = numbers[key] = len(program.state.loops)
        program.state.loops.append((name, line))
    return number


#: Of a call site: what is further out is left out.
_MOST_SITE_FRAMES = 32


def call_site() -> Dict[str, Any]:
    """Where the script is now: the user's frames, outermost first, and the layer (`CallSite` of the protocol)."""
    frames = []
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None and len(frames) < _MOST_SITE_FRAMES:
        code = frame.f_code
        if not (_codes.get(id(code)) or _learn(code)).ours and not code.co_filename.startswith("<"):
            frames.append({"file": code.co_filename, "line": frame.f_lineno, "function": code.co_name})
        frame = frame.f_back
    return {"frames": frames[::-1], "layer": layers.path}


def frame_of_function(function: Any) -> int:
    """The frame row of a kernel's `def`: the position of its arguments."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:
        raise TypeError(f"a kernel is a Python function, not {type(function).__name__}")
    source = "".join(linecache.getlines(code.co_filename))
    return _frame_row(-1, program.file_index(code.co_filename, source), code.co_firstlineno, code.co_name)
