"""Calling kernels: what they refuse, what their errors look like, which library their results belong to."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import os
import sys
import traceback
import unittest
import warnings
from typing import Any

from record_support import fresh_host, restore

import neuronxcc.nki
import nki
import nki.isa as nisa
import nki.language as nl
from nki._record.calls import preparations
from nki._record.launch import kernels, reports
from nki._record.vocabulary import table
from nki._record.wire import arrays, host
from nki.typing import tensor

ARGUMENT = tensor[[4, 4], nl.float32]


def filled(*shape: Any) -> Any:
    """An output tensor of ones."""
    out = nl.ndarray(shape, nl.float32, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=nl.ones(shape, nl.float32))
    return out


class ArrayClass:
    """A class with the attributes of NumPy's scalar types (`np.float32`): those of its instances."""

    __array_interface__ = ndim = shape = dtype = property(lambda self: 0)

    def tobytes(self) -> bytes:
        """Of an instance."""
        return b""


class Arguments(unittest.TestCase):
    """What kernels are called with."""

    def setUp(self) -> None:
        fresh_host()

    def tearDown(self) -> None:
        restore()

    def test_a_class_is_passed_on_as_it_is(self) -> None:
        seen: Any = []

        @nki.jit
        def kernel(a: Any, dtype: Any) -> Any:
            seen.append(dtype)
            return filled(4, 4)

        kernel(ARGUMENT, ArrayClass)
        self.assertEqual(seen, [ArrayClass])


class Functions(unittest.TestCase):
    """Which functions are kernels."""

    def setUp(self) -> None:
        fresh_host()

    def tearDown(self) -> None:
        restore()

    def assert_refused(self, function: Any, message: str) -> None:
        with self.assertRaisesRegex(host.HostError, message) as caught:
            nki.jit(function)(ARGUMENT)
        told = reports.user_error(caught.exception)
        self.assertEqual((told["kind"], told["file"], told["line"]), ("TypeError", __file__, function.__code__.co_firstlineno))

    def test_a_generator_is_none(self) -> None:
        def kernel(a: Any) -> Any:
            yield filled(4, 4)

        self.assert_refused(kernel, "the kernel kernel is a generator: return its results instead of yielding them")

    def test_a_coroutine_is_none(self) -> None:
        async def kernel(a: Any) -> Any:
            return filled(4, 4)

        self.assert_refused(kernel, "is a coroutine: define it with def")

    def test_one_without_results_is_warned_of_on_its_line(self) -> None:
        def kernel(a: Any) -> None:
            nl.load(a)

        def in_place(a: Any) -> None:
            nl.store(a, nl.exp(nl.load(a)))

        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            nki.jit(kernel)(ARGUMENT)
            nki.jit(in_place)(ARGUMENT)
        told = [(str(warning.message), warning.filename, warning.lineno) for warning in seen]
        text = "the kernel kernel returns nothing and writes no argument: return its output tensor"
        self.assertEqual(told, [(text, __file__, kernel.__code__.co_firstlineno)])


class Preparations(unittest.TestCase):
    """What turns a call's arguments into operands and attributes."""

    def test_rows_name_those_that_there_are(self) -> None:
        """And none is left without a row."""
        named = {row.prepare for row in table.ROWS.values() if row.prepare is not None}
        self.assertEqual(named, set(preparations._PREPARATIONS))
        self.assertLessEqual(preparations._NEVER_KNOWN, named)


class Shapes(unittest.TestCase):
    """Extents of tensors."""

    def setUp(self) -> None:
        fresh_host()

    def tearDown(self) -> None:
        restore()

    def test_messages(self) -> None:
        cases = {
            r"shape \(4, 2\.0\): an extent is a whole number, not float 2\.0; for a division use //": (4, 4 / 2),
            r"an extent is a whole number, not str '4'": (4, "4"),
            r"of wide: that is more than any memory of the machine holds": (4, 2**31),
            r"more than any memory": (2**30, 2**30),
        }
        for message, shape in cases.items():
            with self.subTest(message), self.assertRaisesRegex(Exception, message):
                nki.jit(lambda a, shape=shape: nl.ndarray(shape, nl.float32, buffer=nl.hbm, name="wide"))(ARGUMENT)

    def test_the_legacy_dialect_takes_whole_quotients(self) -> None:
        seen: Any = []
        neuronxcc.nki.jit(lambda a: seen.append(neuronxcc.nki.language.ndarray((4, 4 / 2), nl.float32, buffer=nl.sbuf).shape))(ARGUMENT)
        self.assertEqual(seen, [(4, 2)])
        with self.assertRaisesRegex(Exception, "not float 2.5"):
            neuronxcc.nki.jit(lambda a: neuronxcc.nki.language.ndarray((4, 2.5), nl.float32, buffer=nl.sbuf))(ARGUMENT)


def raised(kernel: Any) -> BaseException:
    """What a kernel raises, with its traceback: `assertRaises` takes that away."""
    try:
        kernel(ARGUMENT)
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


class Tracebacks(unittest.TestCase):
    """What an author sees in their own interpreter."""

    def setUp(self) -> None:
        fresh_host()

    def tearDown(self) -> None:
        restore()

    def test_one_frame_is_ours_and_the_last_is_the_kernels(self) -> None:
        @nki.jit
        def kernel(a: Any) -> None:
            nisa.tensor_tensor(nl.zeros((4, 4), nl.float32), nl.zeros((4, 4), nl.float32), nl.zeros((4, 3), nl.float32), nl.add)

        error = raised(kernel)
        frames = traceback.extract_tb(error.__traceback__)
        self.assertEqual([frame.name for frame in frames if frame.filename != __file__], ["__call__"])
        self.assertEqual(frames[-1].name, "kernel")
        self.assertIsNone(error.__context__)

    def test_what_the_user_was_handling_stays(self) -> None:
        @nki.jit
        def kernel(a: Any) -> None:
            try:
                raise KeyError("mine")
            except KeyError:
                nl.ndarray((4, 0), nl.float32)

        self.assertEqual(repr(raised(kernel).__context__), "KeyError('mine')")

    def test_a_bare_assertion_says_what_did_not_hold(self) -> None:
        @nki.jit
        def kernel(a: Any) -> None:
            assert a.shape[0] == 128

        told = reports.user_error(raised(kernel))
        self.assertEqual((told["kind"], told["message"]), ("AssertionError", "`assert a.shape[0] == 128` does not hold"))


class Spellings(unittest.TestCase):
    """`nki.jit` in all its forms, and `NKI_PRECISE_FP`."""

    def setUp(self) -> None:
        restore()

    def test_a_kernel_is_a_kernel(self) -> None:
        def body(a: Any) -> Any:
            return filled(2, 2)

        class Holder:
            """Kernels as methods."""

            scale = 3.0

            @nki.jit
            def method(self, a: Any) -> Any:
                """Sees its object."""
                out = filled(2, 2)
                nisa.dma_copy(dst=out, src=nl.full((2, 2), self.scale, nl.float32))
                return out

            static = staticmethod(nki.jit(body))

        calls = {
            "bare": nki.jit(body),
            "called": nki.jit()(body),
            "mode": nki.jit(mode="simulation")(body),
            "target": nki.jit(platform_target="trn1")(body),
            "beside": nki.jit(body, platform_target="trn3"),
            "twice": nki.jit(nki.jit(body)),
            "grid": nki.jit(body)[1],
            "simulate": nki.simulate(body),
            "simulate grid": nki.simulate(nki.jit(body)[1]),
            "simulate_kernel": lambda a: neuronxcc.nki.simulate_kernel(neuronxcc.nki.jit(body)[1], a),
            "static": Holder().static,
            "method": Holder().method,
            "method grid": Holder().method[1],
        }
        for name, call in calls.items():
            with self.subTest(name):
                self.assertEqual(call(ARGUMENT).tolist(), [[3.0, 3.0]] * 2 if "method" in name else [[1.0, 1.0]] * 2)

    def test_without_precise_floats_nothing_is_rounded(self) -> None:
        @nki.jit
        def third() -> Any:
            tile, out = nl.ndarray((1, 1), nl.bfloat16), nl.ndarray((1, 1), nl.bfloat16, buffer=nl.shared_hbm)
            nisa.memset(tile, 1 / 3)
            nisa.dma_copy(dst=out, src=tile)
            return out

        before = os.environ.get("NKI_PRECISE_FP")
        try:
            for precise, dtype, value in (("1", "bfloat16", 0.333984375), ("0", "float32", 0.3333333432674408)):
                os.environ["NKI_PRECISE_FP"] = precise
                result = third()
                self.assertEqual((str(result.dtype), float(result.tolist()[0][0])), (dtype, value))
        finally:
            os.environ.pop("NKI_PRECISE_FP")
            if before is not None:
                os.environ["NKI_PRECISE_FP"] = before


class Libraries(unittest.TestCase):
    """Results are of the arguments' library."""

    def test_of_the_first_array_in_containers_too(self) -> None:
        class Mine:
            """An array around a HostArray, as the stand-ins have them."""

            def __init__(self, array: Any) -> None:
                self._array = array

            @classmethod
            def _wrap(cls, array: Any) -> Any:
                return cls(array)

        fresh_host()
        array = host.put("float32", (2,), bytes(8))
        family = arrays.family_of([3, {"x": [Mine(array)]}])
        self.assertIsInstance(arrays.from_host(array, family, True), Mine)
        self.assertEqual(arrays.family_of([array, 3, None]), "")

    def test_without_array_arguments_they_are_numpys(self) -> None:
        restore()
        kernel = kernels.simulate("nki", lambda: filled(2, 2))
        result = kernel()
        self.assertIs(type(result), sys.modules["numpy"].ndarray)
        self.assertEqual(result.tolist(), [[1.0, 1.0], [1.0, 1.0]])


if __name__ == "__main__":
    unittest.main()
