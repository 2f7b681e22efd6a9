"""Finds the kernels of a checkout, and runs one driver on it. Called by `scripts/kernels.mjs`; prints JSON.

python run.py list CHECKOUT            [{file, kernel, dialect, without: [status, reason], drivers: [number, ...]}, ...]
python run.py run CHECKOUT NUMBER      {status: passed | wrong | refused | failed, detail, error}
python run.py run CHECKOUT NUMBER OUT  the same, in the file OUT: under `capture` standard output is not this script's alone
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import sys
import traceback
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Dict, Iterator, List

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from drivers import (  # noqa: E402, F401 - they register their drivers
    library,
    library_moe,
    library_moe_mx,
    library_moe_mx_blocks,
    library_moe_mx_parts,
    library_ranks,
    samples,
    samples_legacy,
    team,
    team_ranks,
)
from harness import DRIVERS, Driver, difference, without_driver  # noqa: E402

#: Decorators that make a kernel.
_MARKS = ("jit", "nki_jit", "trace", "baremetal", "benchmark", "profile")
#: Folders of a checkout that hold kernels (others: tests, documentation).
_SOURCES = ("src", "contributed")


def kernels(checkout: str) -> List[Dict[str, Any]]:
    """Every function marked as a kernel, and those that a driver names although they are not marked."""
    found = {(file, name): dialect for file in _files(checkout) for name, dialect in _kernels_of(checkout, file)}
    for each in DRIVERS:
        if os.path.exists(os.path.join(checkout, each.file)):
            found.setdefault((each.file, each.kernel), _dialect(checkout, each.file))
    return [
        {
            "file": file,
            "kernel": name,
            "dialect": dialect,
            "without": without_driver(file, name),
            "drivers": [number for number, each in enumerate(DRIVERS) if (each.file, each.kernel) == (file, name)],
            "cases": [each.case for each in DRIVERS if (each.file, each.kernel) == (file, name)],
            "targets": [each.target for each in DRIVERS if (each.file, each.kernel) == (file, name)],
        }
        for (file, name), dialect in sorted(found.items())
    ]


def _files(checkout: str) -> Iterator[str]:
    for source in _SOURCES:
        for folder, _, names in os.walk(os.path.join(checkout, source)):
            for name in names:
                if name.endswith(".py"):
                    yield os.path.relpath(os.path.join(folder, name), checkout).replace(os.sep, "/")


def _text(checkout: str, file: str) -> str:
    with open(os.path.join(checkout, file), encoding="utf-8") as stream:
        return stream.read()


def _dialect(checkout: str, file: str) -> str:
    return "neuronxcc" if "neuronxcc" in _text(checkout, file) else "nki"


def _kernels_of(checkout: str, file: str) -> Iterator[Any]:
    try:
        tree = ast.parse(_text(checkout, file))
    except SyntaxError:
        return
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and any(_is_mark(mark) for mark in node.decorator_list):
            yield node.name, _dialect(checkout, file)


def _is_mark(mark: ast.expr) -> bool:
    target = mark.func if isinstance(mark, ast.Call) else mark
    name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
    return name in _MARKS


def run(checkout: str, each: Driver) -> Dict[str, str]:
    """Runs a driver; says how it went."""
    try:
        got, wanted = each.call(_module(checkout, each.file), np.random.default_rng(7))
        differs, largest = difference(got, wanted, each.tolerance)
        error = "" if np.isnan(largest) else f"{largest:.2g}"
        return {"status": "wrong" if differs else "passed", "detail": differs or "", "error": error}
    except BaseException as error:  # noqa: B036 - the row of the table says what it was
        from nki import NkiUnsupportedError

        refused = isinstance(error, (NkiUnsupportedError, ModuleNotFoundError)) or "not supported by this version" in str(error)
        text = " ".join(str(error).split()) or type(error).__name__
        return {"status": "refused" if refused else "failed", "detail": f"{_place(checkout, error)}{type(error).__name__}: {text}"}


def _module(checkout: str, file: str) -> Any:
    """The kernel's module, imported under the name that its neighbours import it by."""
    parts = file[: -len(".py")].split("/")
    roots = {"nkilib_src": 2, "nki_samples": 1}
    depth = roots.get(parts[1], len(parts) - 1) if "-" not in file else len(parts) - 1
    sys.path[:0] = [os.path.join(checkout, *parts[:depth]), os.path.join(checkout, *parts[:-1])]
    return importlib.import_module(".".join(parts[depth:]))


class _Absent(ModuleType):
    """A framework that is not installed, for files that import it beside their kernels: every name is there, nothing works."""

    __path__: List[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


class _AbsentFinder:
    """Finds `_Absent` modules, where the real ones are not installed."""

    _FRAMEWORKS = ("torch", "torch_xla", "torch_neuronx", "torchvision", "transformers", "jax", "loguru", "neuronx_distributed")

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        return ModuleSpec(name, self) if name.split(".")[0] in self._FRAMEWORKS else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Absent(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


def _place(checkout: str, error: BaseException) -> str:
    inside = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(os.path.abspath(checkout) + os.sep)]
    return f"{os.path.basename(inside[-1].filename)}:{inside[-1].lineno} " if inside else ""


def main() -> None:
    """Does what the command line says."""
    checkout = os.path.abspath(sys.argv[2])
    out = open(sys.argv[4], "w") if len(sys.argv) > 4 else os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what kernels print is not the answer
    with out:
        if sys.argv[1] == "list":
            out.write(json.dumps(kernels(checkout)))
            return
        sys.meta_path.append(_AbsentFinder())  # type: ignore[arg-type]
        each = DRIVERS[int(sys.argv[3])]
        os.environ["NEURON_PLATFORM_TARGET_OVERRIDE"] = each.target
        out.write(json.dumps(run(checkout, each)))


main()
