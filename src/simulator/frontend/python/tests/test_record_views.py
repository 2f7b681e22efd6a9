"""Views against brute force: every view is compared element by element with plain indexing of a list of numbers."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import itertools
import random
import unittest
from typing import Any, Dict, List, Sequence, Tuple

import record_support  # noqa: F401 - finds the package

from nki._record.tensors import views

Ints = Tuple[int, ...]


def enumerate_view(shape: Sequence[int], strides: Sequence[int], offset: int = 0) -> List[int]:
    """Element numbers of a view in row-major order."""
    return [offset + sum(i * s for i, s in zip(index, strides)) for index in itertools.product(*map(range, shape))]


def random_shape(rng: random.Random, ndim: int) -> Ints:
    """Small extents, ones among them."""
    return tuple(rng.choice([1, 1, 2, 3, 4, 6]) for _ in range(ndim))


class Views(unittest.TestCase):
    """The algebra of `views.py`."""

    def test_contiguous(self) -> None:
        for shape in [(3,), (2, 3), (4, 1, 5), (2, 3, 4)]:
            self.assertEqual(enumerate_view(shape, views.contiguous(shape)), list(range(views.elements(shape))))

    def test_shapes_equal_lists_and_tuples(self) -> None:
        shape = views.Shape((2, 3))
        self.assertTrue(shape == [2, 3] and shape == (2, 3) and [2, 3] == shape and isinstance(shape, tuple))
        self.assertTrue(shape != [3, 2] and shape != (3, 2) and not shape != [2, 3] and shape != "ab")
        self.assertEqual((hash(shape), repr(shape), {shape: 1}[2, 3]), (hash((2, 3)), "(2, 3)", 1))

    def test_slices_match_lists(self) -> None:
        rng = random.Random(1)
        for _ in range(500):
            extent = rng.randint(1, 12)
            start, stop, step = rng.randint(-extent, extent - 1), rng.randint(-extent, extent), rng.randint(1, 4)
            expected = list(range(extent))[start:stop:step]
            if start % extent > (stop if stop == extent else stop % extent):
                with self.assertRaises(IndexError):
                    views.take(extent, 1, slice(start, stop, step), 0)
                continue
            offset, count, stride = views.take(extent, 1, slice(start, stop, step), 0)
            self.assertEqual([offset + i * stride for i in range(count)], expected)

    def test_slice_beyond_the_axis(self) -> None:
        with self.assertRaisesRegex(IndexError, r"slice 0:600 is out of range of axis 1, which has size 512"):
            views.take(512, 1, slice(0, 600), 1)
        with self.assertRaisesRegex(IndexError, "index 4 is out of range of axis 0, which has size 4"):
            views.take(4, 1, 4, 0)

    def test_reshape_keeps_the_order_of_elements(self) -> None:
        rng = random.Random(2)
        made = 0
        for _ in range(2000):
            shape = random_shape(rng, rng.randint(1, 4))
            order = list(range(len(shape)))
            if rng.random() < 0.5:
                rng.shuffle(order)
            strides = tuple(views.contiguous(shape)[axis] for axis in order)
            shape = tuple(shape[axis] for axis in order)
            wanted = random_regrouping(rng, views.elements(shape))
            before = enumerate_view(shape, strides)
            try:
                result = views.reshape(shape, strides, wanted)
            except ValueError:
                self.assertFalse(expressible(before, wanted), f"{shape} {strides} -> {wanted} is a view")
                continue
            made += 1
            self.assertEqual(enumerate_view(*result), before)
        self.assertGreater(made, 500)

    def test_reshape_fills_in_minus_one(self) -> None:
        self.assertEqual(views.reshape((4, 6), (6, 1), (2, -1))[0], (2, 12))
        with self.assertRaisesRegex(ValueError, "has 10 elements, the tensor has 24"):
            views.reshape((4, 6), (6, 1), (2, 5))

    def test_broadcast_matches_the_rules(self) -> None:
        strides = views.broadcast((3, 1), (1, 1), (2, 3, 4))
        self.assertEqual(enumerate_view((2, 3, 4), strides), [r for _ in range(2) for r in range(3) for _ in range(4)])
        with self.assertRaises(ValueError):
            views.broadcast((3, 2), (2, 1), (3, 4))
        self.assertEqual(views.broadcast_shapes([(128, 1), (1, 512), (512,)]), (128, 512))

    def test_rearrange(self) -> None:
        split, order, merged = views.rearrange((128, 24), ("b", ("h", "w")), ("b", "w", "h"), {"h": 4})
        self.assertEqual((split, order, merged), ((128, 4, 6), (0, 2, 1), (128, 6, 4)))
        with self.assertRaisesRegex(ValueError, "different axes"):
            views.rearrange((2, 3), ("a", "b"), ("a", "c"), {})


def random_regrouping(rng: random.Random, count: int) -> Ints:
    """A random factorisation of a count."""
    result: List[int] = []
    while count > 1:
        factor = rng.choice([d for d in range(2, count + 1) if count % d == 0])
        result.append(factor)
        count //= factor
    result.insert(rng.randint(0, len(result)), 1)
    return tuple(result)


def expressible(order: Sequence[int], shape: Sequence[int]) -> bool:
    """Brute force: is there one stride per axis that gives this order of elements?"""
    positions: Dict[Ints, int] = dict(zip(itertools.product(*map(range, shape)), order))
    zero = positions[(0,) * len(shape)]
    strides: List[Any] = []
    for axis, extent in enumerate(shape):
        unit = tuple(int(k == axis) for k in range(len(shape)))
        strides.append(positions[unit] - zero if extent > 1 else 0)
    return all(zero + sum(i * s for i, s in zip(index, strides)) == value for index, value in positions.items())


if __name__ == "__main__":
    unittest.main()
