"""Broken rules: the message names the limit and the value, and the traceback ends on the kernel's line."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import importlib
import traceback
import unittest
from typing import Any, Callable

from record_support import fresh_host, recorded, restore

import neuronxcc.nki as legacy
import neuronxcc.nki.language as legacy_nl
import nki
import nki.isa as nisa
import nki.language as nl
from nki._record.launch import reports
from nki._record.vocabulary.errors import NkiCheckWarning
from nki._record.wire import host
from nki.typing import tensor

ARGUMENT = tensor[[128, 128], nl.float32]


def sbuf(*shape: int, dtype: Any = nl.float32) -> Any:
    """A tile."""
    return nl.ndarray(shape, dtype=dtype, buffer=nl.sbuf)


def psum(*shape: int, dtype: Any = nl.float32) -> Any:
    """A PSUM tile."""
    return nl.ndarray(shape, dtype=dtype, buffer=nl.psum)


CASES = {
    r"tile in sbuf has 256 partitions .*128": lambda a: nl.ndarray((256, 4), nl.float32, name="tile"),
    r"at least 1": lambda a: sbuf(128, 0),
    r"moving has 513 free elements; the most is 512": lambda a: nisa.nc_matmul(psum(128, 513), sbuf(128, 128), sbuf(128, 513)),
    r"stationary has 129 free elements; the most is 128": lambda a: nisa.nc_matmul(psum(128, 128), sbuf(128, 129), sbuf(128, 128)),
    r"takes 4096 bytes .* a PSUM bank has 2048": lambda a: nisa.nc_matmul(psum(128, 1024), sbuf(128, 128), sbuf(128, 512)),
    r"same partition axis": lambda a: nisa.nc_matmul(psum(128, 128), sbuf(64, 128), sbuf(128, 128)),
    r"dst is in SBUF; it must be in PSUM": lambda a: nisa.nc_matmul(sbuf(128, 128), sbuf(128, 128), sbuf(128, 128)),
    r"data is in HBM; it must be in SBUF or PSUM": lambda a: nisa.activation(sbuf(128, 128), nl.exp, a),
    r"data2 of shape \(128, 3\) does not fit dst": lambda a: nisa.tensor_tensor(sbuf(128, 4), sbuf(128, 4), sbuf(128, 3), nl.add),
    r"only nl functions broadcast partitions": lambda a: nisa.tensor_tensor(sbuf(128, 4), sbuf(1, 4), sbuf(128, 4), nl.add),
    r"op=soft.* is not an ALU operation": lambda a: nisa.tensor_tensor(sbuf(4, 4), sbuf(4, 4), sbuf(4, 4), "soft"),
    r"op=expo is not an activation function .*nl\.exp": lambda a: nisa.activation(sbuf(4, 4), "expo", sbuf(4, 4)),
    r"does not run on the Tensor engine; it runs on Vector": lambda a: nisa.tensor_copy(sbuf(4, 4), sbuf(4, 4), engine=nisa.engine.tensor),
    r"axis 0 is the partition axis": lambda a: nl.sum(sbuf(4, 4), axis=0),
    r"axis 2 of a tile of 2 axes": lambda a: nl.sum(sbuf(4, 4), axis=2),
    r"dst has shape \(4, 2\); the result has": lambda a: nisa.tensor_reduce(sbuf(4, 2), nl.add, sbuf(4, 4), axis=1),
    r"float63": lambda a: nl.ndarray((4, 4), "float63"),
    r"data1 takes a tensor, not float 1.0": lambda a: nisa.tensor_tensor(sbuf(4, 4), 1.0, sbuf(4, 4), nl.add),
    r"^nl.NkiTensor\(...\) makes no tensor: allocate one with nl.ndarray\(": lambda a: nl.NkiTensor((128, 64), nl.float32),
    r"src takes a tensor, not None": lambda a: nisa.tensor_copy(sbuf(4, 4), None),
    r"Vector engine transposes up to 32 x 32": lambda a: nisa.nc_transpose(sbuf(64, 64), sbuf(64, 64), engine=nisa.engine.vector),
    r"dst has shape \(4, 8\); the transpose": lambda a: nisa.nc_transpose(psum(4, 8), sbuf(4, 8)),
    r"must have as many elements": lambda a: nisa.dma_copy(sbuf(128, 64), a),
    r"slice 0:256 is out of range of axis 0, which has size 128": lambda a: a[0:256, :],
    r"slice 4:2 is out of range of axis 0, which has size 128": lambda a: a[4:2, :],
    r"nki.isa.dma_copy: dst has no elements: its shape is \(0, 32\)": lambda a: nisa.dma_copy(sbuf(128, 32)[0:0], a[4:4]),
    r"data has no elements: its shape is \(128, 0\)": lambda a: nisa.activation(sbuf(128, 4), nl.exp, sbuf(128, 4)[:, 2:2]),
    r"index 200 is out of range of axis 1": lambda a: a[0, 200],
    r"3 indices for a tensor of 2 axes": lambda a: a[0, 0, 0],
    r"bias has 4 elements per partition; it takes 1": lambda a: nisa.activation(sbuf(128, 4), nl.exp, sbuf(128, 4), bias=sbuf(128, 4)),
    r"operand1 has 4 elements per partition": lambda a: nisa.tensor_scalar(
        sbuf(128, 4), sbuf(128, 4), nl.add, 1.0, op1=nl.add, operand1=sbuf(128, 4)
    ),
    r"initial has 2 elements per partition": lambda a: nisa.tensor_tensor_scan(
        sbuf(128, 4), sbuf(128, 4), sbuf(128, 4), sbuf(128, 2), nl.multiply, nl.add
    ),
    r"rearrange takes tuples of names": lambda a: a.rearrange("p (a b) -> p b a", {"a": 2}),
    r"ap takes a list of pairs, .* not \[32, 16\]": lambda a: a.ap([32, 16], [1, 32]),
    r"compile_kernel takes options .*call the kernel": lambda a: importlib.import_module("nki.compiler.kernel_builder").compile_kernel(a),
    r"an index is an integer, .* not list": lambda a: a[[0, 1]],
    r"value of a tensor is not known": lambda a: bool(sbuf(128, 1) > 0),
    r"reaches elements 0\.\.520256": lambda a: sbuf(128, 128).ap([[4096, 128], [1, 65]])[0:1, :],
    r"its stride must be 128, .* not 64": lambda a: sbuf(128, 128).ap([[64, 64], [1, 2]]),
    r"its stride must be 128, .* not 256": lambda a: sbuf(128, 128).ap([[256, 64], [1, 128]]),
    r"partition axis \(the first\) must keep": lambda a: sbuf(128, 128).reshape((64, 256)),
    r"cannot view shape": lambda a: sbuf(128, 4, 8).permute((0, 2, 1)).reshape((128, 32)),
    r"NKI Scope knows no nki\.isa\.tensor_tensors\. Did you mean tensor_tensor": lambda a: nisa.tensor_tensors,
    r"NKI Scope knows no nki\.isa\.tensor_scaler\. Did you mean tensor_scalar\?$": lambda a: nisa.tensor_scaler,
    r"NKI 0.4 has no nisa.tensor_copy_dynamic_src: use nisa.tensor_copy on a view": lambda a: nisa.tensor_copy_dynamic_src,
    r"NKI Scope knows no nki\.language\.dropouts\.": lambda a: nl.dropouts,
    r"indices must be integers in SBUF": lambda a: a[sbuf(1, 4)],
    r"launched with a grid of 0 axes": lambda a: nl.program_id(1),
    r"returns tile, which is in SBUF": lambda a: nl.ndarray((4, 4), nl.float32, name="tile"),
    r"index expressions and slices do not mix": lambda a: a[legacy_nl.arange(4), 0:2],
    r"first position of the expression": lambda a: sbuf(128, 128)[legacy_nl.arange(4)[None, :], legacy_nl.arange(4)[:, None]],
    r"neuronxcc\.nki\.language\.exp cannot be called in a kernel of nki\.jit": lambda a: legacy_nl.exp(sbuf(4, 4)),
    r"value=2\.5 is not an integer, and dst is int32: write 2": lambda a: nisa.memset(sbuf(4, 4, dtype=nl.int32), 2.5),
    r"fori_loop: the body returns nothing, not int": lambda a: nl.fori_loop(0, 2, lambda i: 3),
    r"it must be contiguous": lambda a: sbuf(4, 8)[:, 0:8:2].view(nl.bfloat16),
}


class Errors(unittest.TestCase):
    """Every case by its message."""

    def test_a_tensor_that_was_given_or_allocated_is_there(self) -> None:
        @nki.jit
        def kernel(a: Any) -> Any:
            tile = sbuf(128, 512)
            nisa.dma_copy(dst=tile, src=a)
            assert a and tile
            return a

        recorded(kernel, tensor[[128, 512], nl.float32])

    def test_messages(self) -> None:
        for pattern, body in CASES.items():
            with self.subTest(pattern):
                with self.assertRaisesRegex(Exception, pattern) as caught:
                    recorded(kernel_of(body), ARGUMENT)
                self.assertNotIsInstance(caught.exception, (AssertionError, KeyError))

    def test_messages_of_the_legacy_dialect(self) -> None:
        cases = {
            "mask is not supported for this call": lambda: legacy_nl.matmul(sbuf(4, 4), sbuf(4, 4), mask=legacy_nl.arange(4)[:, None] < 2),
            r"index them with nl\.arange\(n\)\[:, None\]": lambda: legacy_nl.exp(sbuf(128, 1)[legacy_nl.arange(64), 0]),
            r"x of shape \(64, 32, 2\) has 3 axes; the most is 2": lambda: legacy_nl.transpose(sbuf(64, 32, 2)),
        }
        for pattern, body in cases.items():
            with self.subTest(pattern), self.assertRaisesRegex(Exception, pattern):
                recorded(legacy.jit(lambda a, body=body: body()), ARGUMENT)

    def test_the_legacy_simulator_takes_tiles_and_warns(self) -> None:
        def kernel(a: Any) -> Any:
            return legacy_nl.load(a), a

        for call in (legacy.jit(kernel, mode="simulation"), lambda *args: legacy.simulate_kernel(legacy.jit(kernel), *args)):
            with self.assertWarnsRegex(NkiCheckWarning, "in SBUF: only simulation takes that"):
                program = recorded(call, ARGUMENT)
            self.assertEqual(program.operations(), ["language.load", "language.store"])
        with self.assertRaisesRegex(nki.NkiValidationError, "which is in SBUF"):
            recorded(legacy.jit(kernel), ARGUMENT)

    def test_the_line_is_the_kernels(self) -> None:
        @nki.jit
        def broken(a: Any) -> None:
            x = sbuf(128, 4)
            nisa.tensor_tensor(x, x, a, nl.add)  # here

        caught = error_of(lambda: recorded(broken, ARGUMENT))
        error = reports.user_error(caught)
        self.assertEqual((error["kind"], error["file"]), ("NkiValidationError", __file__))
        with open(__file__, encoding="utf-8") as source:
            self.assertIn("# here", source.read().split("\n")[error["line"] - 1])
        self.assertNotIn("nki/_record", error["traceback"])
        self.assertIn("nki/_record", "".join(traceback.format_tb(caught.__traceback__)))

    def test_a_known_call_is_checked_again_on_another_target(self) -> None:
        from nki._record.vocabulary.table import ROWS

        row = ROWS["nki.isa.reciprocal"]
        before = row.generations
        try:
            recorded(kernel_of(reciprocal), ARGUMENT)
            row.generations = ("v4",)
            with self.assertRaisesRegex(nki.NkiValidationError, r"not available on this target \(NeuronCore-v2\); it is on trn3"):
                recorded(nki.jit(reciprocal, platform_target="trn1"), ARGUMENT)
        finally:
            row.generations = before

    def test_nothing_of_a_failed_call_stays(self) -> None:
        @nki.jit
        def recovers(a: Any) -> None:
            try:
                nl.exp(a)
            except nki.NkiValidationError:
                nl.exp(nl.load(a))

        program = recorded(recovers, ARGUMENT)
        self.assertEqual((program.operations(), len(program.columns["tensors.space"])), (["language.load", "language.exp"], 3))

    def test_errors_of_the_host_have_the_line(self) -> None:
        fake = fresh_host()
        fake.run_error = {"kind": "CapacityError", "message": "SBUF is full", "frame": 1}
        with self.assertRaisesRegex(Exception, "SBUF is full") as caught:
            kernel_of(reciprocal)(ARGUMENT)
        assert isinstance(caught.exception, host.HostError)
        self.assertEqual(caught.exception.location, (__file__, reciprocal.__code__.co_firstlineno + 2))

    def test_arguments(self) -> None:
        with self.assertRaisesRegex(TypeError, "tensor has no dtype|has no dtype"):
            recorded(kernel_of(reciprocal), tensor[128, 4])
        with self.assertRaisesRegex(TypeError, "argument a is float64"):
            recorded(kernel_of(reciprocal), host.HostArray(1, (128, 4), "float64"))


def error_of(call: Callable[[], Any]) -> Exception:
    """What a call raises, with its traceback (assertRaises takes that away)."""
    try:
        call()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


def reciprocal(a: Any) -> None:
    """One instruction."""
    nisa.reciprocal(sbuf(4, 4), sbuf(4, 4))


def kernel_of(body: Callable[[Any], Any]) -> Any:
    """A kernel with this body."""

    def kernel(a: Any) -> Any:
        return body(a)

    return nki.jit(kernel if body is not reciprocal else reciprocal)


def tearDownModule() -> None:
    """The interpreter's own host again."""
    restore()


if __name__ == "__main__":
    unittest.main()
