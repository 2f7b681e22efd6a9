"""`compile_config` and `specialization_config` of `@nki.jit`."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import unittest
import warnings
from typing import Any

from record_support import fresh_host, recorded, restore

import nki
import nki.language as nl
from nki import NkiValidationError
from nki._record.launch.settings import settings
from nki.compiler import AddressRotation, CompileConfig, SpecializationConfig
from nki.typing import tensor

ARGUMENT = tensor[[128, 4], nl.float32]


def copied(a: Any) -> Any:
    """A kernel."""
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    nl.store(out, nl.load(a))
    return out


def tearDownModule() -> None:
    """Puts the host back."""
    restore()


class Configs(unittest.TestCase):
    """Options of the compiler and of specialization."""

    def setUp(self) -> None:
        fresh_host()

    def test_a_kernel_with_options_records_as_one_without(self) -> None:
        config = CompileConfig(address_rotation=AddressRotation.DISABLE, dead_code_elim=True)
        kernel = nki.jit(compile_config=config, specialization_config=SpecializationConfig(True))(copied)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            names = [[instruction.operation for instruction in recorded(each, ARGUMENT).instructions] for each in (kernel, nki.jit(copied))]
        self.assertEqual(names[0], names[1])
        self.assertEqual(len(names[0]), 2)

    def test_options_that_have_no_model_are_warned_of_on_the_line_of_the_kernel(self) -> None:
        config = CompileConfig(address_rotation=AddressRotation.DISABLE, prefetch_auto=True, nki_alloc_fallback=True)
        told = []
        for given in (config, CompileConfig()):
            with warnings.catch_warnings(record=True) as seen:
                warnings.simplefilter("always")
                nki.jit(compile_config=given)(copied)(ARGUMENT)
            told += [(str(warning.message), warning.filename, warning.lineno) for warning in seen]
        options = "address_rotation=AddressRotation.DISABLE, prefetch_auto=True"
        text = f"the times of copied are those of the default compile_config: NKI Scope has no model of {options}"
        self.assertEqual(told, [(text, __file__, copied.__code__.co_firstlineno)])

    def test_what_is_no_config_is_refused(self) -> None:
        for options in ({"compile_config": {"barrier_check": True}}, {"specialization_config": CompileConfig()}):
            with self.subTest(str(options)), self.assertRaisesRegex(TypeError, f"{next(iter(options))} is an nki.compiler"):
                nki.jit(**options)(copied)
        with self.assertRaisesRegex(TypeError, "is an AddressRotation, not 'off'"):
            CompileConfig(address_rotation="off")  # type: ignore[arg-type]
        with self.assertRaisesRegex(TypeError, "prefetch"):
            CompileConfig(prefetch=True)  # type: ignore[call-arg]

    def test_kernels_before_0_7_have_none(self) -> None:
        kernel = nki.jit(compile_config=CompileConfig())(copied)
        settings.nki_version = "0.6"
        try:
            with self.assertRaisesRegex(NkiValidationError, "nki.compiler.CompileConfig came with NKI 0.7"):
                kernel(ARGUMENT)
        finally:
            settings.nki_version = None

    def test_a_kernel_that_another_calls_has_the_same(self) -> None:
        inner = nki.jit(compile_config=CompileConfig(non_ssa_legalization=True))(copied)

        def outer(a: Any) -> Any:
            return inner(a)

        nki.jit(compile_config=CompileConfig(non_ssa_legalization=True))(outer)(ARGUMENT)
        with self.assertRaisesRegex(NkiValidationError, "copied has another compile_config than the kernel that calls it"):
            nki.jit(outer)(ARGUMENT)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            nki.jit(specialization_config=SpecializationConfig(allow_nested_config_override=True))(outer)(ARGUMENT)
        told = [each for each in caught if "another compile_config" in str(each.message)]
        self.assertEqual([each.filename for each in told], [__file__])


if __name__ == "__main__":
    unittest.main()
