"""Tensors as people read them, with the values they have at that line."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import builtins
import contextlib
import io
import os
import struct
import sys
import unittest
from typing import Any, Callable, List

from record_support import Listening, fresh_host, restore

import neuronxcc.nki.language as legacy_nl
import nki
import nki.isa as nisa
import nki.language as nl
from nki._record.values import printing
from nki._record.wire import host

HERE = os.path.basename(__file__)


def ramp(*shape: int) -> Any:
    """0, 1, 2, ... as float32."""
    size = 1
    for extent in shape:
        size *= extent
    return host.put("float32", shape, struct.pack(f"<{size}f", *range(size)))


def shown(show: Callable[[Any], Any], *shape: int) -> List[Any]:
    """What `show(tile)` gives inside a kernel, on a tile of a ramp's values."""
    seen: List[Any] = []

    @nki.jit
    def kernel(a: Any) -> Any:
        tile = nl.ndarray(shape, dtype=a.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=a)
        seen.append(show(tile))

    kernel(ramp(*shape))
    return seen


class Showing(unittest.TestCase):
    """`repr`, `device_print`, `print`."""

    def setUp(self) -> None:
        restore()
        self.before = (builtins.print, sys.breakpointhook, printing._reads_nothing)

    def tearDown(self) -> None:
        builtins.print, sys.breakpointhook, printing._reads_nothing = self.before

    def test_a_tile_shows_its_values(self) -> None:
        self.assertEqual(shown(repr, 2, 3), ["<tensor tile float32[2, 3] in sbuf>\n[[0, 1, 2],\n [3, 4, 5]]"])

    def test_a_view_shows_its_own(self) -> None:
        self.assertEqual(shown(lambda tile: str(tile[1:2, 1:3]), 2, 3), ["<tensor tile float32[1, 2] in sbuf>\n[[4, 5]]"])

    def test_a_large_tile_shows_its_corners_and_asks_for_no_more(self) -> None:
        listening = Listening()
        (text,) = shown(repr, 128, 512)
        lines = text.split("\n")
        self.assertEqual(lines[1], "[[    0,     1,     2, ...,   509,   510,   511],")
        self.assertEqual(lines[4:6], [" ...,", " [64000, 64001, 64002, ..., 64509, 64510, 64511],"])
        self.assertEqual([request["counts"] for request in listening.asked("peek")], [(3, 3)] * 4)

    def test_every_dtype_has_values(self) -> None:
        def show(tile: Any) -> List[str]:
            texts = []
            for dtype in (nl.bfloat16, nl.float16, nl.int8, nl.uint16, nl.uint32, nl.float8_e4m3):
                other = nl.ndarray((1, 2), dtype=dtype, buffer=nl.sbuf)
                nisa.tensor_copy(dst=other, src=tile)
                texts.append(repr(other).split("\n")[1])
            return texts

        self.assertEqual(shown(show, 1, 2), [["[[0, 1]]"] * 6])

    def test_a_view_of_the_bits_shows_them(self) -> None:
        self.assertIn("\n[[1065353216]]", shown(lambda tile: repr(tile[0:1, 1:2].view(nl.int32)), 1, 2)[0])

    def test_what_was_not_written_shows_as_the_machine_would_read_it(self) -> None:
        self.assertIn("[[nan, nan]]", shown(lambda tile: repr(nl.ndarray((1, 2), nl.float32)), 1, 1)[0])

    def test_outside_a_kernel_there_are_no_values(self) -> None:
        (tile,) = shown(lambda tile: tile, 1, 2)
        self.assertEqual(repr(tile), "<tensor tile float32[1, 2] in sbuf>")

    def test_a_host_that_refuses_is_quoted(self) -> None:
        fake = fresh_host()
        fake.peek_error = {"kind": "NumericsOff", "message": "numerics are off"}
        self.assertEqual(shown(repr, 1, 2), ["<tensor tile float32[1, 2] in sbuf> (numerics are off)"])

    def test_device_print_tells_the_line(self) -> None:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            shown(lambda tile: nl.device_print("mine", tile), 1, 2)
            shown(lambda tile: nl.device_print(print_prefix="mine", tensor=tile), 1, 2)
            shown(lambda tile: legacy_nl.device_print("mine", x=tile, mask=None), 1, 2)
        line = rf"{HERE}:\d+: mine <tensor tile float32\[1, 2\] in sbuf>\n\[\[0, 1\]\]\n"
        self.assertRegex(out.getvalue(), rf"^({line}){{3}}$")

    def test_print_tells_the_line_inside_kernels_only(self) -> None:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            printing.show_lines()
            print("before")
            shown(lambda tile: print("size", tile.size), 1, 2)
            shown(lambda tile: print("elsewhere", file=io.StringIO()), 1, 2)
        self.assertRegex(out.getvalue(), rf"^before\n{HERE}:\d+: size 2\n$")

    def test_breakpoint_without_a_terminal_says_what_to_do(self) -> None:
        printing._reads_nothing = lambda: True
        printing.refuse_breakpoints_without_input()
        with self.assertRaisesRegex(nki.NkiUnsupportedError, "a breakpoint needs somebody to answer it"):
            breakpoint()

    def test_pdb_can_be_imported_and_says_the_same_when_it_is_used(self) -> None:
        debugger = printing._Debugger("pdb")
        with self.assertRaisesRegex(nki.NkiUnsupportedError, "a breakpoint needs somebody to answer it"):
            debugger.set_trace()
        self.assertIsNone(getattr(debugger, "__path__", None))


if __name__ == "__main__":
    unittest.main()
