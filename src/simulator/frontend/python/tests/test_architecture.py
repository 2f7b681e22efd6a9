"""The recorder's packages import one way, its modules without a cycle, and none sets a name of another from outside."""

from __future__ import annotations

import ast
import os
import re
import unittest
from typing import Dict, Iterator, List, NamedTuple, Set

_PYTHON = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_RECORDER = os.path.join(_PYTHON, "nki", "_record")


class _Import(NamedTuple):
    """A name that a module has from another one of the recorder. `bound`: what it is called there."""

    source: str
    target: str
    bound: str
    is_module: bool
    line: int


def _trees(root: str) -> Dict[str, ast.Module]:
    """package.module -> its syntax."""
    found = {}
    for folder, _, files in os.walk(root):
        for file in files:
            if file.endswith(".py") and file != "__init__.py":
                path = os.path.join(folder, file)
                with open(path, encoding="utf-8") as stream:
                    found[f"{os.path.basename(folder)}.{file[:-3]}"] = ast.parse(stream.read(), path)
    return found


def imports_of(module: str, tree: ast.AST, modules: Set[str]) -> Iterator[_Import]:
    """Every import, those inside functions too. An import by an absolute name counts as well."""
    package = module.split(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name.startswith("nki._record."):
                    yield _Import(module, name.name[len("nki._record.") :], "", True, node.lineno)
        if not isinstance(node, ast.ImportFrom):
            continue
        path = node.module or ""
        if node.level == 1:
            path = f"{package}.{path}".rstrip(".")
        elif node.level == 0 and path.startswith("nki._record"):
            path = path[len("nki._record") :].lstrip(".")
        elif node.level != 2:
            continue
        for name in node.names:
            whole = f"{path}.{name.name}"
            yield _Import(module, whole if whole in modules else path, name.asname or name.name, whole in modules, node.lineno)


def order() -> List[str]:
    """Packages as the recorder's own docstring lists them, the first one first."""
    with open(os.path.join(_RECORDER, "__init__.py"), encoding="utf-8") as stream:
        text = re.sub(r"\s+", " ", str(ast.get_docstring(ast.parse(stream.read()))))
    return text.split("before it in this list: ")[1].rstrip(".").split(", ")


def backwards(found: List[_Import], packages: List[str]) -> List[str]:
    """Imports of a package that stands later in the order."""
    place = {package: at for at, package in enumerate(packages)}
    return [
        f"{each.source}:{each.line} -> {each.target}"
        for each in found
        if place[each.source.split(".")[0]] < place[each.target.split(".")[0]]
    ]


def cycle(found: List[_Import]) -> List[str]:
    """Modules that import each other in a ring; none: []."""
    targets: Dict[str, List[str]] = {}
    for each in found:
        targets.setdefault(each.source, []).append(each.target)
    done: Set[str] = set()

    def visit(module: str, above: List[str]) -> List[str]:
        if module in above:
            return [*above[above.index(module) :], module]
        if module in done:
            return []
        for target in targets.get(module, []):
            ring = visit(target, [*above, module])
            if ring:
                return ring
        done.add(module)
        return []

    return next((ring for ring in (visit(module, []) for module in sorted(targets)) if ring), [])


def set_from_outside(tree: ast.AST, imported: Set[str]) -> List[int]:
    """Lines that set an attribute of an imported module or class."""
    lines = []
    for node in ast.walk(tree):
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, (ast.AnnAssign, ast.AugAssign)) else []
        )
        flat = [part for target in targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])]
        objects = [part.value for part in flat if isinstance(part, ast.Attribute)]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "setattr":
            objects.append(node.args[0])
        lines += [node.lineno for value in objects if isinstance(value, ast.Name) and value.id in imported]  # type: ignore[attr-defined]
    return lines


class Architecture(unittest.TestCase):
    """Of the recorder as it is."""

    trees: Dict[str, ast.Module]
    imports: List[_Import]

    @classmethod
    def setUpClass(cls) -> None:
        """Reads it."""
        cls.trees = _trees(_RECORDER)
        modules = set(cls.trees)
        cls.imports = [each for module, tree in cls.trees.items() for each in imports_of(module, tree, modules)]

    def test_reads_the_packages(self) -> None:
        """The order names those that are there."""
        self.assertGreater(len(self.imports), 200)
        self.assertEqual(sorted({module.split(".")[0] for module in self.trees}), sorted(order()))

    def test_packages_import_one_way(self) -> None:
        """Themselves and those before them."""
        self.assertEqual(backwards(self.imports, order()), [])

    def test_modules_do_not_import_in_a_ring(self) -> None:
        """Neither at their heads nor inside functions."""
        self.assertEqual(cycle(self.imports), [])

    def test_our_own_functions_do_not_import_in_a_ring(self) -> None:
        """The modules of nki_scope."""
        trees = _trees(os.path.join(_PYTHON, "nki_scope"))
        imports = [each for module, tree in trees.items() for each in imports_of(module, tree, set(trees))]
        self.assertIn(("nki_scope.sweeps", "nki_scope.profiles"), {(each.source, each.target) for each in imports})
        self.assertEqual(cycle(imports), [])

    def test_no_module_sets_what_another_holds(self) -> None:
        """The state of the kernel call is `context`, an object; modules and classes are what their own files make of them."""
        found = []
        for module, tree in self.trees.items():
            own = [each for each in self.imports if each.source == module]
            bound = {each.bound for each in own if each.is_module or each.bound[:1].isupper()}
            found += [f"{module}:{line}" for line in set_from_outside(tree, bound)]
        self.assertEqual(found, [])


class Rules(unittest.TestCase):
    """They find what they forbid."""

    def test_a_back_edge(self) -> None:
        """An import inside a function of a package that comes later."""
        tree = ast.parse("def late():\n    from ..launch.launch import run\n")
        found = list(imports_of("tensors.views", tree, {"launch.launch"}))
        self.assertEqual(backwards(found, order()), ["tensors.views:2 -> launch.launch"])

    def test_a_ring(self) -> None:
        """Of two modules of one package."""
        modules = {"calls.masking", "calls.shapes"}
        found = [
            *imports_of("calls.masking", ast.parse("from . import shapes"), modules),
            *imports_of("calls.shapes", ast.parse("def f():\n    from .masking import apply"), modules),
        ]
        self.assertEqual(cycle(found), ["calls.masking", "calls.shapes", "calls.masking"])

    def test_a_name_set_from_outside(self) -> None:
        """As an assignment, one of several, or by setattr."""
        text = "program.truth = f\na, Tensor.name = 1, 2\nsetattr(Tensor, 'x', 3)\nself.x = 1\nprogram.state.limit = 2\n"
        self.assertEqual(set_from_outside(ast.parse(text), {"program", "Tensor"}), [1, 2, 3])


if __name__ == "__main__":
    unittest.main()
