"""Reads from the source: the `for` loops (and comprehensions) around a line, and the variable that a statement assigns.

Each file is parsed once with `ast`. Only `while` loops that test one variable, a register (`while reg:`), count. `locations.py` reads the
values of loop variables.
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import Dict, List, NamedTuple, Set, Tuple, Union


class Loop(NamedTuple):
    """A loop variable. Lines are 1-based; the body is `first`..`last`."""

    name: str
    line: int
    first: int
    last: int


_Scope = Tuple[str, int]
_Comprehension = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_COMPREHENSION_NAMES = {ast.ListComp: "<listcomp>", ast.SetComp: "<setcomp>", ast.DictComp: "<dictcomp>", ast.GeneratorExp: "<genexpr>"}


class SourceShape(ast.NodeVisitor):
    """Loops and assignments of one file."""

    def __init__(self, text: str) -> None:
        """Reads the text; one that does not parse has no loops."""
        self._loops: Dict[_Scope, List[Loop]] = {}
        self._targets: Dict[int, str] = {}
        self._temporary: Set[int] = set()
        self._asserted: Set[int] = set()
        self._scopes: List[_Scope] = [("<module>", 0)]
        try:
            self.visit(ast.parse(text))
        except (SyntaxError, ValueError, RecursionError):
            pass  # no loops known: instructions still have their lines

    def loops_around(self, code: CodeType, line: int) -> Tuple[Loop, ...]:
        """Loops of this function whose body contains `line`, outermost first."""
        scope = (code.co_name, 0 if code.co_name == "<module>" else code.co_firstlineno)
        return tuple(loop for loop in self._loops.get(scope, ()) if loop.first <= line <= loop.last)

    def target_at(self, line: int) -> str:
        """Name that the statement on `line` assigns, or ""."""
        return self._targets.get(line, "")

    def is_temporary(self, line: int) -> bool:
        """True when the statement on `line` stores the result of a call or operator into something."""
        return line in self._temporary

    def is_asserted(self, line: int) -> bool:
        """True when `line` is one of an `assert`."""
        return line in self._asserted

    def visit_Assert(self, node: ast.Assert) -> None:
        """An `assert`."""
        self._asserted.update(range(node.lineno, _end(node) + 1))
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        """A `for` statement."""
        self._add(self._scopes[-1], node.target, node.lineno, node.body[0].lineno, _end(node.body[-1]))
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        """A `while` statement."""
        if isinstance(node.test, ast.Name):
            self._add(self._scopes[-1], node.test, node.lineno, node.body[0].lineno, _end(node.body[-1]))
        self.generic_visit(node)

    def visit_FunctionDef(self, node: Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]) -> None:
        """A function: loops outside it do not enclose its lines."""
        first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
        self._scopes.append((getattr(node, "name", "<lambda>"), first))
        self.generic_visit(node)
        self._scopes.pop()

    visit_AsyncFunctionDef = visit_FunctionDef
    visit_Lambda = visit_FunctionDef

    def visit_Assign(self, node: ast.Assign) -> None:
        """An assignment to one name."""
        self._note_value(node, node.value)
        self._assign(node, node.targets[0])

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """`a += ...`."""
        self._note_value(node, node.value)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """An annotated assignment."""
        self._assign(node, node.target)

    def generic_visit(self, node: ast.AST) -> None:
        """Comprehensions are loops of the enclosing function; before Python 3.12 they have their own scope."""
        if isinstance(node, _Comprehension):
            own = (_COMPREHENSION_NAMES[type(node)], node.lineno)
            for generator in node.generators:
                for scope in {self._scopes[-1], own}:
                    self._add(scope, generator.target, generator.target.lineno, node.lineno, _end(node))
        super().generic_visit(node)

    def _add(self, scope: _Scope, target: ast.AST, line: int, first: int, last: int) -> None:
        names = [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]
        # of `for i, tile in enumerate(tiles)` the integer counts: which it is shows when the frame is read
        self._loops.setdefault(scope, []).extend(Loop(name, line, first, last) for name in names)

    def _assign(self, node: Union[ast.Assign, ast.AnnAssign], target: ast.AST) -> None:
        if isinstance(target, ast.Name):
            for line in range(node.lineno, _end(node) + 1):
                self._targets[line] = target.id
        self.generic_visit(node)

    def _note_value(self, statement: ast.stmt, value: ast.AST) -> None:
        if isinstance(value, (ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare)):
            self._temporary.update(range(statement.lineno, _end(statement) + 1))


def _end(node: ast.AST) -> int:
    return node.end_lineno or node.lineno  # type: ignore[attr-defined]


_files: Dict[Tuple[str, int], SourceShape] = {}


def of_file(path: str, text: str) -> SourceShape:
    """The shape of a file's text, read once per text."""
    key = (path, hash(text))
    shape = _files.get(key)
    if shape is None:
        shape = _files[key] = SourceShape(text)
    return shape
