"""One kernel call on several ranks: what is recorded once, and what the host gets."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import unittest
from typing import Any, List

from record_support import fresh_host, restore

import nki
import nki.collectives as ncc
import nki.isa as nisa
import nki.language as nl
from nki.typing import tensor
from nki_scope import on_ranks

RANKS = 4
recordings: List[int] = []


@nki.jit
def copies(x: Any, count: int) -> Any:
    """As many copies as it is told."""
    recordings.append(count)
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    for _ in range(count):
        nisa.dma_copy(dst=out, src=x)
    return out


@nki.jit
def asking(x: Any) -> Any:
    """Asks which rank it is, and does the same at all."""
    ncc.rank_id()
    recordings.append(0)
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=x)
    return out


class Ranks(unittest.TestCase):
    """`on_ranks`."""

    def sent(self, kernel: Any, **arguments: List[int]) -> List[int]:
        """The program of each rank, as the host gets it. `arguments`: a value for each rank."""
        fake = fresh_host()
        recordings.clear()
        given = [{name: values[rank] for name, values in arguments.items()} for rank in range(RANKS)]
        on_ranks(kernel, [{"x": tensor[[128, 64], nl.float32], **own} for own in given])
        (asked,) = fake.asked("runRanks")
        self.assertEqual(len(fake.programs), len(asked["programs"]))
        return [rank["program"] for rank in asked["ranks"]]

    def test_ranks_that_cannot_differ_are_recorded_once(self) -> None:
        self.assertEqual(self.sent(copies, count=[1, 1, 1, 1]), [0, 0, 0, 0])
        self.assertEqual(recordings, [1])

    def test_ranks_that_recorded_the_same_have_one_program(self) -> None:
        self.assertEqual(self.sent(copies, count=[2, 1, 1, 2]), [0, 1, 1, 0])
        self.assertEqual(recordings, [2, 1, 1])
        self.assertEqual(self.sent(asking), [0, 0, 0, 0])
        self.assertEqual(recordings, [0, 0, 0, 0])


def tearDownModule() -> None:
    """The interpreter's own host again."""
    restore()


if __name__ == "__main__":
    unittest.main()
