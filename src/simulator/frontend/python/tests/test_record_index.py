"""Index expressions and masks against brute force."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import itertools
import random
import unittest
from typing import Sequence, Tuple

import record_support  # noqa: F401 - finds the package

from nki._record.tensors.arange import MGrid, arange
from nki._record.tensors.boxes import box_of
from nki._record.tensors.index import Index, Mask, Part

mgrid = MGrid()


def value(index: Index, position: Sequence[int]) -> int:
    """The expression at a position."""
    return index.constant + sum(factor * i for factor, i in zip(index.coefficients, position))


def holds(mask: Mask, shape: Tuple[int, ...], position: Sequence[int]) -> bool:
    """The mask at a position."""
    return all(value(term.widened(shape), position) >= 0 for term in mask.terms)


class IndexExpressions(unittest.TestCase):
    """`nl.arange`, `nl.mgrid` and their arithmetic."""

    def test_arithmetic_matches_integers(self) -> None:
        i_p, i_f = arange(4)[:, None], arange(2, 8, 3)[None, :]
        expression = 3 * i_p + i_f * 2 - 5
        self.assertEqual(expression.shape, (4, 2))
        for p, f in itertools.product(range(4), range(2)):
            self.assertEqual(value(expression, (p, f)), 3 * p + (2 + 3 * f) * 2 - 5)
        self.assertEqual(expression.bounds(), (-1, 14))
        self.assertEqual((10 - i_p).bounds(), (7, 10))

    def test_mgrid(self) -> None:
        grid = mgrid[0:128, 4:10:2]
        rows, columns = grid
        self.assertEqual((rows.shape, columns.shape), ((128, 3), (128, 3)))
        self.assertEqual((value(grid.p, (5, 1)), value(grid.x, (5, 1))), (5, 6))
        with self.assertRaises(AttributeError):
            _ = grid.y

    def test_parts_match_integers(self) -> None:
        rng = random.Random(5)
        kinds = set()
        for _ in range(500):
            shape, divisor = (rng.randint(1, 4), rng.randint(1, 6)), rng.randint(1, 8)
            i_p, i_f = mgrid[0 : shape[0], 0 : shape[1]]
            whole = rng.randint(-12, 12) * i_p + rng.choice([1, 2, divisor, 3 * divisor]) * i_f + rng.randint(-9, 9)
            quotient, remainder = whole // divisor, whole % divisor
            kinds.add(type(quotient))
            for p, f in itertools.product(*map(range, shape)):
                wanted = divmod(value(whole, (p, f)), divisor)
                if isinstance(quotient, Part):
                    got = divmod(value(quotient.whole, (p, f)), quotient.divisor)
                else:
                    got = (value(quotient.widened(shape), (p, f)), value(remainder.widened(shape), (p, f)))
                self.assertEqual(got, wanted)
        self.assertEqual(kinds, {Index, Part})

    def test_a_part_is_not_for_arithmetic(self) -> None:
        for operation in (lambda part: part + 1, lambda part: part == 0, lambda part: part < 2, lambda part: -part, bool):
            with self.assertRaisesRegex(TypeError, "not affine takes both parts on neighbouring axes"):
                operation(arange(4)[None, :] // 2)
        with self.assertRaisesRegex(TypeError, "integers of at least 1, not by 0"):
            _ = arange(4) % 0

    def test_what_is_not_affine(self) -> None:
        for operation in (lambda i: 8 // i, lambda i: i / 2, lambda i: i * i, lambda i: i + 0.5, lambda i: i**2):
            with self.assertRaisesRegex(TypeError, "affine"):
                operation(arange(4))
        with self.assertRaisesRegex(IndexError, "':' for each"):
            _ = arange(4)[0]


class Masks(unittest.TestCase):
    """`box_of` splits a mask without losing or adding a position."""

    def test_random_masks(self) -> None:
        rng = random.Random(3)
        for _ in range(600):
            shape = (rng.randint(1, 6), rng.randint(1, 6))
            axes = mgrid[0 : shape[0], 0 : shape[1]]
            mask = self.random_mask(rng, axes)
            box = box_of(mask, shape)
            left = set()
            for position in itertools.product(*map(range, box.counts)):
                if all(value(term, position) >= 0 for term in box.rest):
                    left.add(tuple(start + i for start, i in zip(box.starts, position)))
            self.assertEqual(left, {p for p in itertools.product(*map(range, shape)) if holds(mask, shape, p)})

    def random_mask(self, rng: random.Random, axes: Sequence[Index]) -> Mask:
        """One to three comparisons."""
        mask = Mask([])
        for _ in range(rng.randint(1, 3)):
            expression = axes[0] * rng.randint(-2, 2) + axes[1] * rng.randint(-2, 2)
            bound = rng.randint(-6, 8)
            mask = mask & rng.choice([expression < bound, expression <= bound, expression > bound, expression >= bound])
        return mask

    def test_separable_mask_is_a_box(self) -> None:
        i_p, i_f = mgrid[0:128, 0:512]
        box = box_of((i_p < 100) & (i_f >= 10) & (i_f < 500), (128, 512))
        self.assertEqual((box.starts, box.counts, box.rest), ((0, 10), (100, 490), ()))

    def test_triangle_stays_a_predicate(self) -> None:
        i_p, i_f = mgrid[0:4, 0:4]
        box = box_of(i_p >= i_f, (4, 4))
        self.assertEqual((box.counts, len(box.rest)), ((4, 4), 1))
        self.assertEqual((box.rest[0].coefficients, box.rest[0].constant), ((1, -1), 0))

    def test_what_masks_refuse(self) -> None:
        i = arange(4)
        with self.assertRaisesRegex(TypeError, "conjunction"):
            _ = (i < 2) | (i > 3)
        with self.assertRaisesRegex(TypeError, "'&'"):
            bool(i < 2)
        self.assertTrue(box_of(i < 0, (4,)).empty)
        self.assertEqual(box_of(~(i < 1), (4,)).starts, (1,))


if __name__ == "__main__":
    unittest.main()
