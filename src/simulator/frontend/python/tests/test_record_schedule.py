"""`kernel.with_schedule`: edges between named instructions."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import unittest
from typing import Any, Dict, List

from record_support import fresh_host, recorded, restore

import nki
import nki.isa as nisa
import nki.language as nl
from nki.typing import tensor

_INPUT = tensor[[128, 64], nl.float32]


@nki.jit
def two_ways(t: Any) -> Any:
    """Two instructions that no data orders, called by name."""
    x, a, b = (nl.ndarray(t.shape, t.dtype, buffer=nl.sbuf) for _ in range(3))
    nisa.dma_copy(dst=x, src=t, name="load")
    for tile, name in ((a, "one"), (b, "two")):
        nisa.reciprocal(dst=tile, data=x, name=name)
    nisa.tensor_scalar(dst=x, data=x, op0=nl.add, operand0=1, name="plus")
    out = nl.ndarray(t.shape, t.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=b)
    return out


def _waits(edges: Any) -> Dict[int, List[int]]:
    """Number of an instruction -> those it waits for."""
    instructions = recorded(two_ways.with_schedule(edges), _INPUT).instructions
    return {at: step.attributes["after"] for at, step in enumerate(instructions) if "after" in step.attributes}


class Schedule(unittest.TestCase):
    """What it records, and what it refuses."""

    def setUp(self) -> None:
        fresh_host()

    def tearDown(self) -> None:
        restore()

    def test_an_edge_is_an_attribute_of_the_later_instruction(self) -> None:
        self.assertEqual(_waits([("plus", "one")]), {3: [1]})
        self.assertEqual(_waits([("plus", ["two", "one"]), ("two", "load")]), {2: [0], 3: [1, 2]})

    def test_the_kernel_itself_keeps_its_order(self) -> None:
        two_ways.with_schedule([("plus", "one")])
        self.assertTrue(all("after" not in step.attributes for step in recorded(two_ways, _INPUT).instructions))

    def test_a_block_keeps_the_order_of_its_instructions(self) -> None:
        @nki.jit
        def kernel(t: Any) -> None:
            x = nl.ndarray(t.shape, t.dtype, buffer=nl.sbuf)
            nisa.dma_copy(dst=x, src=t)
            with nl.no_reorder():
                nisa.reciprocal(dst=x, data=x)
                with nl.no_reorder():
                    nisa.reciprocal(dst=x, data=x)
            nisa.reciprocal(dst=x, data=x)

        ordered = [step.attributes.get("ordered", False) for step in recorded(kernel, _INPUT).instructions]
        self.assertEqual(ordered, [False, True, True, False])

    def test_what_is_refused(self) -> None:
        for message, edges in {
            r"no instruction was called with name='pluss'. Did you mean plus\?": [("pluss", "one")],
            "'one' is to run after 'two', which comes later in the source": [("one", "two")],
            "'one' is to run after 'one'": [("one", "one")],
            "takes pairs of names": [("one", "two", "plus")],
            "are not names": [("plus", [1])],
        }.items():
            with self.subTest(message), self.assertRaisesRegex(Exception, message):
                _waits(edges)

    def test_a_name_that_several_instructions_have(self) -> None:
        @nki.jit
        def kernel(t: Any) -> Any:
            x = nl.ndarray(t.shape, t.dtype, buffer=nl.sbuf)
            for _ in range(2):
                nisa.dma_copy(dst=x, src=t, name="load")
            nisa.reciprocal(dst=x, data=x, name="after")
            return t

        with self.assertRaisesRegex(nki.NkiValidationError, "2 instructions were called with name='load'"):
            recorded(kernel.with_schedule([("after", "load")]), _INPUT)

    def test_several_programs(self) -> None:
        with self.assertRaisesRegex(nki.NkiUnsupportedError, "with_schedule on several programs"):
            recorded(two_ways[2].with_schedule([("plus", "one")]), _INPUT)
