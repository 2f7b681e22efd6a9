"""Source positions: call stacks inside the kernel, loop iterations, names of allocations."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import inspect
import unittest
from typing import Any, List

from record_support import recorded, restore

import nki
import nki.isa as nisa
import nki.language as nl
from nki.typing import tensor

ARGUMENT = tensor[[128, 64], nl.float32]


def line_of(function: Any, text: str) -> int:
    """Line of the first source line of a function that holds a text."""
    lines, first = inspect.getsourcelines(function)
    return first + next(i for i, line in enumerate(lines) if text in line)


def scale(tile: Any, factor: float) -> None:
    """A helper with an instruction of its own."""
    nisa.tensor_scalar(tile, tile, nl.multiply, factor)  # helper


@nki.jit
def nested(a: Any) -> None:
    """Loops of every kind around instructions."""
    tile = nl.load(a)
    for i in range(2):  # noqa: B007 - read from the frame
        for j, factor in enumerate([1.0, 2.0, 3.0]):  # noqa: B007 - read from the frame
            scale(tile, factor)  # call site 1
        scale(tile, 0.5)  # call site 2
    tiles = [nl.load(a) for k in range(3)]
    for kept in tiles:
        scale(kept, 4.0)
    n = 0
    while n < 2:
        nl.exp(tile)  # while
        n += 1
    wide = nl.add(
        tile,
        nl.exp(tile),  # continued
    )
    del wide


class Locations(unittest.TestCase):
    """Frames and iterations."""

    def setUp(self) -> None:
        self.program = recorded(nested, ARGUMENT)

    def test_call_stacks(self) -> None:
        helper = line_of(scale, "# helper")
        first, second = line_of(nested.func, "# call site 1"), line_of(nested.func, "# call site 2")
        stacks = [i.stack for i in self.program.instructions[1:9]]
        one, other = [("scale", helper), ("nested", first)], [("scale", helper), ("nested", second)]
        self.assertEqual(stacks, [one] * 3 + [other] + [one] * 3 + [other])

    def test_loops(self) -> None:
        loops: List[Any] = [i.loops for i in self.program.instructions]
        self.assertEqual(loops[0], [])
        self.assertEqual(loops[1:5], [[("i", 0), ("j", 0)], [("i", 0), ("j", 1)], [("i", 0), ("j", 2)], [("i", 0)]])
        self.assertEqual(loops[8], [("i", 1)])
        self.assertEqual(loops[9:12], [[("k", 0)], [("k", 1)], [("k", 2)]])
        self.assertEqual(loops[12:], [[]] * 7)

    def test_iterations_share_rows(self) -> None:
        self.assertEqual(len(self.program.columns["iterations.value"]), 2 + 6 + 3)
        line = line_of(nested.func, "for j, factor")
        names = [self.program.meta["strings"][n] for n in self.program.columns["iterations.name"]]
        lines = {self.program.columns["iterations.line"][k] for k, name in enumerate(names) if name == "j"}
        self.assertEqual(lines, {line})

    def test_continued_lines(self) -> None:
        exp, add = self.program.instructions[-2:]
        self.assertEqual(exp.stack, [("nested", line_of(nested.func, "# continued"))])
        self.assertEqual(add.stack, [("nested", line_of(nested.func, "nl.add("))])

    def test_allocations_have_the_names_of_their_variables(self) -> None:
        names = [self.program.tensor_name(i.operands["dst"].tensor) for i in self.program.instructions]
        self.assertEqual((names[0], names[9], names[-1]), ("tile", "tiles", "wide"))

    def test_the_source_is_kept(self) -> None:
        (file,) = self.program.meta["files"]
        self.assertEqual(file["path"], nested.func.__code__.co_filename)
        with open(file["path"], encoding="utf-8") as source:
            self.assertEqual(file["text"], source.read())
        self.assertEqual(len(file["sha256"]), 64)

    def test_outside_a_kernel(self) -> None:
        with self.assertRaisesRegex(nki.NkiValidationError, "only inside a kernel"):
            nl.ndarray((128, 4), nl.float32)


def tearDownModule() -> None:
    """The interpreter's own host again."""
    restore()


if __name__ == "__main__":
    unittest.main()
