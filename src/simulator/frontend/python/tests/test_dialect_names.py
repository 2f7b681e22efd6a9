"""Every public name of AWS's packages exists here, or says on use why not. The lists in `names/` hold names only, one file per module.

Made from the stubs of aws-neuron-sdk: `nki.*` as of 0.6, with what is known to be new in 0.7; `neuronxcc.nki.*` as of commit 1db4d74e.
"""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import importlib
import os
import unittest
from typing import Any, List

import record_support  # noqa: F401 - puts the package on the path

_LISTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "names")
_MODULES = sorted(file[: -len(".txt")] for file in os.listdir(_LISTS) if file.endswith(".txt"))


def _names(module: str) -> List[str]:
    with open(os.path.join(_LISTS, f"{module}.txt"), encoding="utf-8") as file:
        return file.read().split()


def _missing(module: str) -> List[str]:
    missing = []
    for name in _names(module):
        try:
            found: Any = importlib.import_module(module)
            for part in name.split("."):
                found = getattr(found, part)
        except (AttributeError, ModuleNotFoundError):
            missing.append(name)
    return missing


class Names(unittest.TestCase):
    """Names that users import."""

    maxDiff = None

    def test_there_are_lists(self) -> None:
        self.assertGreater(sum(len(_names(module)) for module in _MODULES), 500)

    def test_every_refused_name_is_documented_and_refuses(self) -> None:
        from nki import NkiUnsupportedError
        from nki._record.vocabulary import refusals

        for full, why in refusals.NAMES.items():
            module, name = full.rsplit(".", 1)
            with self.subTest(full):
                self.assertIn(name, _names(module))
                with self.assertRaisesRegex(NkiUnsupportedError, why):
                    getattr(importlib.import_module(module), name)()

    def test_names_that_no_version_has_say_why(self) -> None:
        import nki
        from nki._record.vocabulary import table

        uses = {
            "nki.collectives.reduce_scatter_v": lambda: nki.collectives.reduce_scatter_v,
            "nki.isa.NkiInstruction.depends_on": lambda: nki.isa.NkiInstruction().depends_on(),
            "nki.language.NkiTensor.indirect": lambda: nki.language.NkiTensor.indirect(None, None),
            "nki.language.psum.view": lambda: nki.language.psum.view(nki.language.float32, (128, 512)),
        }
        self.assertEqual(sorted(uses), sorted(table.REFUSED))
        for name, use in uses.items():
            with self.subTest(name), self.assertRaises(Exception) as raised:
                use()
            self.assertIn(f"is not supported by this version of NKI Scope: {table.REFUSED[name]}", str(raised.exception))

    def test_logging_has_the_level_that_the_legacy_package_adds(self) -> None:
        logging = importlib.import_module("logging")
        importlib.import_module("neuronxcc")
        self.assertEqual(logging.OFF, logging.CRITICAL)

    def test_modules_that_kernels_import(self) -> None:
        for name in (
            "nki.dtype",
            "nki.isa.constants",
            "nki.language.constants",
            "nki.language.iterators",
            "nki.language.opcode",
            "nki.typing",
            "neuronxcc.nki._private.private_api",
            "neuronxcc.nki.isa.constants",
            "neuronxcc.nki.isa.neuron_isa",
            "neuronxcc.nki.language.constants",
            "neuronxcc.nki.language.iterators",
            "neuronxcc.nki.nccl",
            "neuronxcc.starfish.support.util",
        ):
            with self.subTest(name):
                importlib.import_module(name)

    def test_what_is_private_to_the_compiler_refuses_when_called(self) -> None:
        from neuronxcc.nki._private.private_api import do_while
        from nki import NkiUnsupportedError

        with self.assertRaisesRegex(NkiUnsupportedError, "private to AWS's compiler"):
            do_while()

    def test_a_framework_kernel_refuses(self) -> None:
        import neuronxcc.nki as nki

        with self.assertRaisesRegex(NotImplementedError, "framework's compiler"):
            nki.FrameworkKernel(func=None)


def _listed(module: str) -> Any:
    def test(self: unittest.TestCase) -> None:
        self.assertEqual(_missing(module), [])

    return test


for _module in _MODULES:
    setattr(Names, f"test_names_of_{_module.replace('.', '_')}", _listed(_module))
