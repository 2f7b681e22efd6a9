"""Tensors and scalars of int64, with the real host: bit for bit what 64-bit arithmetic gives, as NumPy's int64 does."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import random
import struct
import unittest
from contextlib import suppress
from typing import Any, List

from record_support import Listening, restore

import nki
import nki.isa as nisa
import nki.language as nl
from nki._record.vocabulary.errors import HostError
from nki._record.wire import host

HALF = 2**63


def tearDownModule() -> None:  # noqa: N802 - unittest's name
    """Puts the host back."""
    restore()


def array(*values: int) -> Any:
    """[1, n] int64."""
    return host.put("int64", (1, len(values)), struct.pack(f"<{len(values)}q", *values))


def integers(result: Any) -> List[int]:
    """Values of a result, in the order of memory: of the host's array, or NumPy's."""
    data = getattr(result, "_array", result).tobytes()
    return list(struct.unpack(f"<{len(data) // 8}q", data))


def wrapped(value: int) -> int:
    """As 64 bits hold it."""
    return (value + HALF) % (2 * HALF) - HALF


@nki.jit
def computes(given: Any) -> Any:
    """Sums, differences and products of two integers, one from HBM and one from SBUF; then the two again, by a DMA."""
    out = nl.ndarray((1, 8), dtype=nl.int64, buffer=nl.shared_hbm)
    near = nl.ndarray((1, 2), dtype=nl.int64, buffer=nl.sbuf)
    nisa.dma_copy(dst=near, src=given)
    a, b = nisa.scalar_load(near[0:1, 0:1]), nisa.scalar_load(given[0:1, 1:2])
    assert a.dtype == nl.int64
    for k, scalar in enumerate((a + b, a - b, a * b, -a, a + 1, 3 - b)):
        nisa.scalar_store(out[0:1, k : k + 1], scalar)
    nisa.dma_copy(dst=out[0:1, 6:8], src=near)
    return out


@nki.jit
def fills(number: int) -> Any:
    """A tile of a number, and the words of its middle element."""
    out, words = nl.ndarray((2, 3), nl.int64, nl.shared_hbm), nl.ndarray((1, 2), nl.int32, nl.shared_hbm)
    tile = nl.ndarray((2, 3), nl.int64)
    nisa.memset(tile, number)
    nisa.dma_copy(dst=out, src=tile)
    nisa.dma_copy(dst=words, src=tile[0:1, 1:2].view(nl.int32))
    return out, words


@nki.jit
def adds_in_place(given: Any) -> None:
    """Changes its argument."""
    nisa.scalar_store(given[0:1, 0:1], nisa.scalar_load(given[0:1, 0:1]) + 1)


@nki.jit
def reads_far(table: Any, place: Any) -> Any:
    """The row of a table of 16 GiB at an offset that 32 bits do not hold."""
    out = nl.ndarray((1, 4), nl.float32, nl.shared_hbm)
    tile = nl.ndarray((1, 4), nl.float32)
    at = nisa.scalar_load(place)
    nisa.dma_copy(dst=tile, src=table.ap([[1, 1], [1, 4]], scalar_offset=at * 4, indirect_dim=1))
    nisa.dma_copy(dst=out, src=tile)
    return out


class Int64(unittest.TestCase):
    """Values, edges, and places."""

    def test_computes_as_64_bits_do(self) -> None:
        drawn = random.Random(64)
        edges = [0, 1, -1, 2**31, 2**32 - 1, -(2**32), 2**53 + 1, HALF - 1, -HALF]
        pairs = [(a, b) for a in edges for b in edges[::3]] + [tuple(drawn.randrange(-HALF, HALF) for _ in "ab") for _ in range(20)]
        for a, b in pairs:
            want = [a + b, a - b, a * b, -a, a + 1, 3 - b, a, b]
            self.assertEqual(integers(computes(array(a, b))), [wrapped(number) for number in want], (a, b))

    def test_fills_both_words(self) -> None:
        for number in (0, -1, 7, 2**32, -(2**40) - 3, HALF - 1, -HALF):
            filled, words = fills(number)
            self.assertEqual(integers(filled), [number] * 6)
            self.assertEqual(getattr(words, "_array", words).tobytes(), struct.pack("<q", number))

    def test_writes_arguments_back(self) -> None:
        given = array(2**53, 5)
        adds_in_place(given)
        self.assertEqual(integers(given), [2**53 + 1, 5])

    def test_moves_views_beyond_4_gb(self) -> None:
        """Without the values of the table, which is larger than what a run computes."""
        listening = Listening()
        with suppress(HostError):  # where NumPy's arrays want values at once
            reads_far(nki.typing.tensor[[2**20, 2**12], nl.float32], array(2**30 - 1))
        loads = [code.operands["src"] for code in listening.programs[-1].instructions if code.operation == "nki.isa.dma_copy"]
        self.assertEqual(loads[0].offset, 2**32 - 4)
