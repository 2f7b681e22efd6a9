"""Reductions over loops and programs in the legacy dialect."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import unittest
from typing import Any

from record_support import recorded, restore

import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
from neuronxcc import nki
from neuronxcc.nki.typing import tensor

ARGUMENT = tensor[[4, 8], nl.float32]


def returned(a: Any, tile: Any) -> Any:
    """The tile in an output tensor."""
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    nl.store(out, tile)
    return out


class Reductions(unittest.TestCase):
    """What they record."""

    def test_loop_reduce_takes_each_iteration_into_the_variable(self) -> None:
        @nki.jit
        def kernel(a: Any) -> Any:
            total = nl.zeros((4, 8), nl.float32, buffer=nl.sbuf)
            for i in nl.affine_range(3):
                total = nl.loop_reduce(nl.load(a), op=nl.maximum, loop_indices=[i], dtype=nl.float32)
            return returned(a, total)

        program = recorded(kernel, ARGUMENT)
        steps = [step for step in program.instructions if step.operation == "nki.language.maximum"]
        self.assertEqual(len(steps), 3)
        for step in steps:
            self.assertEqual({step.operands["dst"].tensor, step.operands["x"].tensor}, {steps[0].operands["dst"].tensor})

    def test_loop_reduce_takes_each_iteration_into_a_part_of_a_tile(self) -> None:
        @nki.jit
        def kernel(a: Any, dtype: Any) -> Any:
            total = nl.zeros((2, nl.par_dim(4), 8), nl.float32, buffer=nl.sbuf)
            for i in nl.affine_range(3):
                total[1] = nl.loop_reduce(nl.load(a), op=nl.add, loop_indices=[i], dtype=dtype, name="sum")
            return returned(a, total[1])

        steps = [step for step in recorded(kernel, ARGUMENT, nl.float32).instructions if step.operation == "nki.language.add"]
        self.assertEqual(len(steps), 3)
        for step in steps:
            dst, x = step.operands["dst"], step.operands["x"]
            self.assertEqual((dst.tensor, dst.offset, dst.dims), (x.tensor, x.offset, x.dims))
        with self.assertRaisesRegex(Exception, "dtype=bfloat16, but .* is reduced into"):
            recorded(kernel, ARGUMENT, nl.bfloat16)

    def test_loop_reduce_starts_with_the_first_value_where_nothing_was_written(self) -> None:
        @nki.jit
        def kernel(a: Any) -> Any:
            total = nl.ndarray((2, nl.par_dim(4), 8), nl.float32, buffer=nl.sbuf)
            for i in nl.affine_range(2):
                for j in nl.affine_range(3):
                    total[i] = nl.loop_reduce(nl.load(a), op=nl.add, loop_indices=[j])
            return returned(a, total[1])

        operations = [step.operation for step in recorded(kernel, ARGUMENT).instructions if not step.operation.endswith(("load", "store"))]
        self.assertEqual(operations, [f"nki.language.{name}" for name in ("copy", "add", "add")] * 2)

    def test_loop_reduce_needs_a_tile_to_reduce_into(self) -> None:
        @nki.jit
        def kernel(a: Any) -> Any:
            for i in nl.affine_range(3):
                total = nl.loop_reduce(nl.load(a), op=nl.maximum, loop_indices=[i])
            return returned(a, total)

        with self.assertRaisesRegex(Exception, "reduces into the variable that it is assigned to"):
            recorded(kernel, ARGUMENT)

    def test_all_reduce_of_one_program_copies(self) -> None:
        @nki.jit
        def kernel(a: Any) -> Any:
            return returned(a, nl.all_reduce(nl.load(a), op=nl.add, program_axes=[0]))

        self.assertEqual(recorded(kernel, ARGUMENT).operations(), ["language.load", "language.copy", "language.store"])
        with self.assertRaisesRegex(Exception, "all_reduce over 2 programs is not supported"):
            recorded(kernel[2], ARGUMENT)

    def test_custom_operations_are_refused(self) -> None:
        with self.assertRaisesRegex(Exception, "builtin_custom_op runs a library compiled for GpSimd"):
            nisa.builtin_custom_op("f", "lib.so", [], [], [], [])


def tearDownModule() -> None:
    """The interpreter's own host again."""
    restore()


if __name__ == "__main__":
    unittest.main()
