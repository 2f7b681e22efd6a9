"""`sbuf` and `hbm`, which kernels have without an import, and the tensors that their `view` allocates."""

# ruff: noqa: D102, F821 - names of tests say what they hold; the keywords are names that no module defines

from __future__ import annotations

import builtins
import inspect
import math
import struct
import traceback
import unittest
from typing import Any, List

from record_support import Listening, fresh_host, recorded, restore

import neuronxcc.nki as legacy
import neuronxcc.nki.language as legacy_nl
import nki
import nki.isa as nisa
import nki.language as nl
from nki import NkiUnsupportedError
from nki._record.launch import keywords
from nki._record.launch.settings import settings
from nki._record.vocabulary.errors import NkiValidationError
from nki._record.wire import host
from nki.typing import tensor

ARGUMENT = tensor[[4, 3], nl.float32]


def ramp(rows: int, columns: int) -> Any:
    """0, 1, 2, ... as float32."""
    return host.put("float32", (rows, columns), struct.pack(f"<{rows * columns}f", *range(rows * columns)))


def floats(result: Any) -> List[float]:
    """Values of a float32 result."""
    data = getattr(result, "_array", result).tobytes()  # of real NumPy, where that is installed
    return list(struct.unpack(f"<{len(data) // 4}f", data))


@nki.jit
def added(a_input: Any, b_input: Any) -> Any:
    """The statements of AWS's Quickstart of NKI 0.1."""
    assert a_input.shape == b_input.shape
    a_tile = sbuf.view(dtype=a_input.dtype, shape=a_input.shape)
    nisa.dma_copy(dst=a_tile, src=a_input)
    b_tile = sbuf.view(dtype=b_input.dtype, shape=b_input.shape)
    nisa.dma_copy(dst=b_tile, src=b_input)
    c_tile = sbuf.view(dtype=a_input.dtype, shape=a_input.shape)
    nisa.tensor_tensor(dst=c_tile, data1=a_tile, data2=b_tile, op=nl.add)
    c_output = hbm.view(dtype=a_input.dtype, shape=a_input.shape)
    nisa.dma_copy(dst=c_output, src=c_tile)
    return c_output


@nki.jit
def halves(a: Any) -> Any:
    """Each program copies its rows to a tensor in shared HBM."""
    out = nl.shared_hbm.view(dtype=a.dtype, shape=a.shape)
    count = a.shape[0] // nl.num_programs(0)
    rows = slice(nl.program_id(0) * count, (nl.program_id(0) + 1) * count)
    tile = sbuf.view(dtype=a.dtype, shape=(count, a.shape[1]))
    nisa.dma_copy(dst=tile, src=a[rows])
    nisa.dma_copy(dst=out[rows], src=tile)
    return out


@nki.jit
def both(a: Any) -> Any:
    """Calls a kernel, and uses a keyword after that."""
    made = added(a, a)
    sbuf.view(dtype=a.dtype, shape=a.shape)
    return made


def raised(kernel: Any) -> BaseException:
    """What a call of a kernel raises, with its traceback."""
    try:
        kernel()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


def keywords_there() -> List[str]:
    """Keywords that all code finds now."""
    return [name for name in ("sbuf", "hbm", "psum") if hasattr(builtins, name)]


class Values(unittest.TestCase):
    """Through the real host."""

    def setUp(self) -> None:
        restore()
        self.host = Listening()

    def tearDown(self) -> None:
        restore()

    def test_the_quickstart(self) -> None:
        for settings.nki_version in ("0.1", "0.2", "0.3", ""):
            with self.subTest(settings.nki_version):
                result = added(ramp(4, 3), ramp(4, 3))
                self.assertEqual((result.shape, floats(result)), ((4, 3), [2.0 * i for i in range(12)]))

    def test_each_of_two_cores_has_a_tensor_of_its_own_in_hbm(self) -> None:
        self.assertEqual(floats(added[2](ramp(4, 3), ramp(4, 3))), [2.0 * i for i in range(12)])
        together = self.host.last_programs[0]
        names = [together.tensor_name(t) for t in range(len(together.columns["tensors.name"]))]
        self.assertEqual(names.count("c_output"), 2)

    def test_two_cores_write_one_tensor_in_shared_hbm(self) -> None:
        self.assertEqual(floats(halves[2](ramp(4, 3))), list(range(12)))

    def test_rows_that_the_other_core_writes_are_not_in_the_first_ones_tensor(self) -> None:
        @nki.jit
        def half(a: Any) -> Any:
            out = hbm.view(dtype=a.dtype, shape=a.shape)
            rows = slice(nl.program_id(0) * 2, nl.program_id(0) * 2 + 2)
            tile = sbuf.view(dtype=a.dtype, shape=(2, 3))
            nisa.dma_copy(dst=tile, src=a[rows])
            nisa.dma_copy(dst=out[rows], src=tile)
            return out

        values = floats(half[2](ramp(4, 3)))
        self.assertEqual((values[:6], [math.isnan(value) for value in values[6:]]), ([0, 1, 2, 3, 4, 5], [True] * 6))


class Names(unittest.TestCase):
    """Where the keywords are found."""

    def setUp(self) -> None:
        fresh_host()

    def tearDown(self) -> None:
        self.assertEqual(keywords_there(), [])
        restore()

    def test_they_are_the_memories(self) -> None:
        found = []

        @nki.jit
        def kernel() -> None:
            found.extend([sbuf is nl.sbuf, hbm is nl.hbm, hbm is nl.private_hbm, *keywords_there()])

        recorded(kernel)
        self.assertEqual(found, [True, True, True, "sbuf", "hbm"])

    def test_outside_of_kernels_there_are_none(self) -> None:
        for _ in range(2):
            with self.assertRaisesRegex(NameError, "'sbuf' is not defined"):
                sbuf.view(nl.float32, (4, 3))
            with self.assertRaisesRegex(NameError, "'hbm' is not defined"):
                hbm.view(nl.float32, (4, 3))
            recorded(added, ARGUMENT, ARGUMENT)

    def test_psum_is_none(self) -> None:
        @nki.jit
        def kernel() -> None:
            psum.view(nl.float32, (4, 3))

        with self.assertRaisesRegex(NameError, "'psum' is not defined"):
            kernel()

    def test_legacy_kernels_have_none(self) -> None:
        @legacy.jit
        def kernel() -> None:
            sbuf.view(nl.float32, (4, 3))

        with self.assertRaisesRegex(NameError, "'sbuf' is not defined"):
            kernel()

    def test_names_of_the_users_own_win(self) -> None:
        found = []

        def local_name() -> None:
            sbuf = "local"
            found.append(sbuf)

        def global_name() -> None:
            found.append(sbuf)

        recorded(nki.jit(local_name))
        vars(inspect.getmodule(added))["sbuf"] = "global"
        try:
            recorded(nki.jit(global_name))
        finally:
            del vars(inspect.getmodule(added))["sbuf"]
        recorded(nki.jit(global_name))
        self.assertEqual(found, ["local", "global", nl.sbuf])

    def test_a_builtin_of_the_users_own_stays(self) -> None:
        found = []

        @nki.jit
        def kernel() -> None:
            found.append(sbuf)

        builtins.sbuf = "own"  # type: ignore[attr-defined]
        try:
            recorded(kernel)
            found.append(sbuf)
        finally:
            del builtins.sbuf  # type: ignore[attr-defined]
        self.assertEqual(found, ["own", "own"])

    def test_an_error_leaves_none_behind(self) -> None:
        @nki.jit
        def kernel() -> None:
            found.extend(keywords_there())
            raise KeyError("of the kernel")

        found: List[str] = []
        with self.assertRaises(KeyError):
            kernel()
        self.assertEqual((found, keywords_there()), (["sbuf", "hbm"], []))

    def test_a_kernel_inside_a_kernel_leaves_them(self) -> None:
        self.assertEqual(recorded(both, ARGUMENT).meta["kernel"], "both")

    def test_a_recording_inside_another_leaves_them(self) -> None:
        with keywords.known("nki"):
            with keywords.known("nki"):
                pass
            self.assertEqual(keywords_there(), ["sbuf", "hbm"])


class Views(unittest.TestCase):
    """`sbuf.view(dtype, shape)` and `hbm.view(dtype, shape)`."""

    def setUp(self) -> None:
        fresh_host()

    def tearDown(self) -> None:
        restore()

    def test_they_allocate_as_ndarray_does(self) -> None:
        def viewed(a: Any) -> Any:
            tile = sbuf.view(a.dtype, a.shape)
            out = hbm.view("bfloat16", a.shape)
            nisa.dma_copy(dst=tile, src=a)
            nisa.dma_copy(dst=out, src=tile)
            return out

        def made(a: Any) -> Any:
            tile = nl.ndarray(a.shape, a.dtype, buffer=nl.sbuf)
            out = nl.ndarray(a.shape, nl.bfloat16, buffer=nl.hbm)
            nisa.dma_copy(dst=tile, src=a)
            nisa.dma_copy(dst=out, src=tile)
            return out

        for kernel in (viewed, made):
            kernel.__name__ = "kernel"
        one, other = recorded(nki.jit(viewed), ARGUMENT), recorded(nki.jit(made), ARGUMENT)
        self.assertEqual(one.meta["outputs"], other.meta["outputs"])
        for column in ("dtype", "space", "shapePool", "name", "kind"):
            self.assertEqual(one.columns[f"tensors.{column}"], other.columns[f"tensors.{column}"], column)

    def test_a_tensor_has_the_name_and_the_line_of_its_statement(self) -> None:
        program = recorded(added, ARGUMENT, ARGUMENT)
        count = len(program.columns["tensors.name"])
        names = [program.tensor_name(t) for t in range(count)]
        self.assertEqual(names, ["a_input", "b_input", "a_tile", "b_tile", "c_tile", "c_output"])
        source, first = inspect.getsourcelines(added)
        wanted = [first + at for at, line in enumerate(source) if ".view(" in line]
        lines = [program._stack(program.columns["tensors.frame"][t])[0] for t in range(2, count)]
        self.assertEqual(lines, [("added", line) for line in wanted])

    def test_mistakes_are_told_on_the_line_of_the_kernel(self) -> None:
        cases = {
            r"dtype: 'float63' is not a data type of NKI": lambda: sbuf.view(dtype="float63", shape=(4, 3)),
            r"dtype: '?\(4, 3\)'? is not a data type of NKI": lambda: sbuf.view((4, 3), nl.float32),
            r"an extent is a whole number, not str 'x'": lambda: hbm.view(dtype=nl.float32, shape=(4, "x")),
            r"has 256 partitions .*128": lambda: sbuf.view(dtype=nl.float32, shape=(256, 3)),
            r"at least 1": lambda: hbm.view(dtype=nl.float32, shape=(4, 0)),
            r"view\(\) missing 1 required positional argument: 'shape'": lambda: sbuf.view(nl.float32),
            r"unexpected keyword argument 'size'": lambda: sbuf.view(dtype=nl.float32, size=(4, 3)),
        }
        for pattern, wrong in cases.items():

            @nki.jit
            def kernel(wrong: Any = wrong) -> None:
                wrong()

            with self.subTest(pattern):
                error = raised(kernel)
                self.assertRegex(str(error), pattern)
                last = traceback.extract_tb(error.__traceback__)[-1]
                self.assertEqual((last.filename, last.lineno), (wrong.__code__.co_filename, wrong.__code__.co_firstlineno))

    def test_outside_of_kernels_they_allocate_nothing(self) -> None:
        with self.assertRaisesRegex(NkiValidationError, "inside a kernel"):
            nl.sbuf.view(nl.float32, (4, 3))

    def test_other_names_are_errors_that_say_how_tensors_are_made(self) -> None:
        for make in (lambda: nl.sbuf.ptr, lambda: legacy_nl.sbuf.alloc):
            with self.assertRaisesRegex(AttributeError, r"nl\.sbuf has no '\w+' in NKI Scope: make tensors by nl\.ndarray"):
                make()

    def test_psum_has_none(self) -> None:
        @nki.jit
        def kernel() -> None:
            nl.psum.view(dtype=nl.float32, shape=(4, 3))

        with self.assertRaisesRegex(NkiUnsupportedError, r"nl\.psum\.view is not supported .*buffer=nl\.psum"):
            kernel()

    def test_legacy_kernels_have_none(self) -> None:
        @legacy.jit
        def kernel() -> None:
            legacy_nl.sbuf.view(dtype=legacy_nl.float32, shape=(4, 3))

        with self.assertRaisesRegex(NkiUnsupportedError, r"nl\.sbuf\.view .*the legacy dialect has none; use nl\.ndarray"):
            kernel()


def tearDownModule() -> None:
    """Leaves the interpreter as it was."""
    restore()


if __name__ == "__main__":
    unittest.main()
