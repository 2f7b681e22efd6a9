"""The NumPy stand-in over the real array engine: values against plain Python, text against what NumPy prints."""

# ruff: noqa: D101, D102
from __future__ import annotations

import io
import itertools
import math
import random as python_random
import unittest

try:
    from . import standins_support as support
except ImportError:
    import standins_support as support  # type: ignore[no-redef]

import numpy as np


def setUpModule() -> None:
    """Connects the engine."""
    support.start()


def tearDownModule() -> None:
    """Disconnects it."""
    support.stop()


def nested(shape, values):
    """Nested lists of a flat list."""
    for length in reversed(shape[1:]):
        values = [values[i : i + length] for i in range(0, len(values), length)]
    return values


class Laziness(unittest.TestCase):
    def test_large_arrays_cost_nothing(self) -> None:
        before = support.held_bytes()
        big = np.zeros((8192, 8192), dtype=np.float32) + np.float32(1)
        noise = np.random.rand(4096, 4096).astype(np.float32) @ big[:4096, :4096]
        self.assertEqual((big.nbytes, noise.shape), (268435456, (4096, 4096)))
        self.assertEqual(big[5, 7].item(), 1.0)
        self.assertLess(support.held_bytes() - before, 1000)

    def test_handles_are_freed(self) -> None:
        before = support.held_bytes()
        for _ in range(20):
            (np.arange(100_000) + 1).sum().item()
        self.assertLess(support.held_bytes() - before, 2_000_000)


class Indexing(unittest.TestCase):
    def test_random_keys_against_lists(self) -> None:
        draw = python_random.Random(5)
        for _ in range(150):
            shape = tuple(draw.randint(1, 5) for _ in range(draw.randint(1, 3)))
            array = np.arange(math.prod(shape)).reshape(shape)
            key = tuple(
                draw.randrange(-n, n)
                if draw.random() < 0.3
                else slice(draw.choice([None, 0, 1, -2]), draw.choice([None, 3, -1]), draw.choice([None, 1, 2, -1]))
                for n in shape[: draw.randint(1, len(shape))]
            )
            self.assertEqual(array[key].tolist(), self.pick(nested(shape, list(range(math.prod(shape)))), key), (shape, key))

    def pick(self, values, key):
        """The same indexing on nested lists."""
        if not key:
            return values
        chosen = values[key[0]]
        return [self.pick(item, key[1:]) for item in chosen] if isinstance(key[0], slice) else self.pick(chosen, key[1:])

    def test_new_axes_and_ellipsis(self) -> None:
        a = np.zeros((2, 3, 4))
        self.assertEqual(a[None, ..., 0].shape, (1, 2, 3))
        self.assertEqual(a[:, np.newaxis, 1].shape, (2, 1, 4))
        self.assertEqual(a[..., None].shape, (2, 3, 4, 1))

    def test_errors(self) -> None:
        a = np.zeros((2, 3))
        with self.assertRaisesRegex(IndexError, "index 2 is out of bounds for axis 0 with size 2"):
            a[2]
        with self.assertRaisesRegex(IndexError, "too many indices"):
            a[0, 0, 0]
        with self.assertRaisesRegex(IndexError, "only integers"):
            a["x"]
        with self.assertRaisesRegex(ValueError, r"could not broadcast input array from shape \(4,\) into shape \(3,\)"):
            a[0] = np.ones(4)

    def test_writing_through_views(self) -> None:
        a = np.zeros((3, 4), dtype=np.int32)
        row = a[1]
        row[1:3] = 7
        a[1, 0] = 5
        self.assertEqual(row.tolist(), [5, 7, 7, 0])
        a.reshape(2, 6).T[5, 1] = 9
        a[2] += 1
        self.assertEqual(a.tolist(), [[0, 0, 0, 0], [5, 7, 7, 0], [1, 1, 1, 10]])
        b = a.copy()
        b[...] = 0
        self.assertEqual(int(a.sum()), 32)

    def test_index_arrays_and_masks(self) -> None:
        a = np.arange(24).reshape(2, 3, 4)
        self.assertEqual(a[:, [2, 0]].tolist(), [[[8, 9, 10, 11], [0, 1, 2, 3]], [[20, 21, 22, 23], [12, 13, 14, 15]]])
        self.assertEqual(a[[0, 1], :, [3, -1]].tolist(), [[3, 7, 11], [15, 19, 23]])
        self.assertEqual(a[0, [0, 1], [1, 2]].tolist(), [1, 6])
        self.assertEqual(a[a % 7 == 0].tolist(), [0, 7, 14, 21])
        a[a > 20] = -1
        a[0, [0, 2], 1:3] = [[100, 101], [102, 103]]
        self.assertEqual(a.reshape(-1).tolist()[:12], [0, 100, 101, 3, 4, 5, 6, 7, 8, 102, 103, 11])
        self.assertEqual(a[1, 2].tolist(), [20, -1, -1, -1])


class Arithmetic(unittest.TestCase):
    def test_promotion(self) -> None:
        f32, f16, i8, u8, i32 = (np.ones(1, dtype=name) for name in ("float32", "float16", "int8", "uint8", "int32"))
        cases = [
            (f32 + 1.5, "float32"),
            (f16 * 2, "float16"),
            (i8 + 1, "int8"),
            (i8 + 0.5, "float64"),
            (i8 + u8, "int16"),
            (i32 / 2, "float64"),
            (f32 + i32, "float64"),
            (f32 + i8, "float32"),
            (f16 + f32, "float32"),
            (f32 + np.float64(1), "float64"),
            (f32 > 0, "bool"),
            (np.sqrt(i32), "float64"),
            (np.sqrt(f16), "float16"),
            (np.sum(i8), "int64"),
            (np.mean(i8), "float64"),
            (np.mean(f32), "float32"),
            (np.arange(3), "int64"),
            (np.arange(3.0), "float64"),
            (np.where(f32 > 0, f32, 0.0), "float32"),
        ]
        for place, (array, name) in enumerate(cases):
            self.assertEqual(array.dtype, np.dtype(name), place)

    def test_operators(self) -> None:
        a = np.array([7, -7, 5])
        self.assertEqual((a // 2).tolist(), [3, -4, 2])
        self.assertEqual((a % 3).tolist(), [1, 2, 2])
        self.assertEqual((2 ** np.arange(4)).tolist(), [1, 2, 4, 8])
        self.assertEqual((10 - a).tolist(), [3, 17, 5])
        self.assertEqual((~np.array([True, False])).tolist(), [False, True])
        self.assertEqual((np.array([6, 3]) & 2 | 8).tolist(), [10, 10])
        self.assertEqual((np.array([1.0], np.float32).view(np.uint32) >> 23).tolist(), [127])
        with self.assertRaisesRegex(ValueError, "could not be broadcast together"):
            np.ones(3) + np.ones(4)
        with self.assertRaisesRegex(TypeError, "Cannot cast"):
            a += 0.5

    def test_numbers_stay_numbers(self) -> None:
        scale = 1.0 / np.sqrt(64)
        self.assertIsInstance(scale, float)
        self.assertEqual(scale, 0.125)
        self.assertEqual(np.float32(0.1), 0.10000000149011612)
        self.assertEqual(f"{np.ones(2).sum():.2f}", "2.00")
        self.assertEqual(list(range(np.array(3)))[-1], 2)

    def test_reductions_and_scans(self) -> None:
        a = np.array([[3.0, np.nan, 1.0], [4.0, 0.5, 2.0]])
        self.assertEqual(np.nanmean(a, axis=0).tolist(), [3.5, 0.5, 1.5])
        self.assertEqual(a.max(axis=1).tolist()[1], 4.0)
        self.assertTrue(math.isnan(a.max(axis=1).tolist()[0]))
        self.assertEqual(np.argmin(a[1]).item(), 1)
        self.assertEqual(np.add.accumulate(np.array([1, 2, 3])).tolist(), [1, 3, 6])
        self.assertEqual(np.cumsum(np.ones((2, 2)), axis=0).tolist(), [[1, 1], [2, 2]])
        self.assertEqual(np.sum(np.ones((2, 3, 4)), axis=(0, -1), keepdims=True).shape, (1, 3, 1))
        self.assertEqual(np.var(np.array([1.0, 2, 3, 4]), ddof=1).item(), 5 / 3)
        with self.assertRaisesRegex(ValueError, "zero-size array"):
            np.max(np.zeros(0))

    def test_products(self) -> None:
        draw = python_random.Random(3)
        left = [[draw.randint(-4, 4) for _ in range(3)] for _ in range(2)]
        right = [[draw.randint(-4, 4) for _ in range(5)] for _ in range(3)]
        expected = [[sum(left[i][k] * right[k][j] for k in range(3)) for j in range(5)] for i in range(2)]
        a, b = np.array(left), np.array(right)
        self.assertEqual((a @ b).tolist(), expected)
        self.assertEqual(np.einsum("ik,kj->ji", a, b).tolist(), [list(row) for row in zip(*expected)])
        self.assertEqual(np.kron(np.eye(2), np.array([[1, 2]])).tolist(), [[1, 2, 0, 0], [0, 0, 1, 2]])
        self.assertEqual(np.kron(np.array([1, 10]), np.array([[1], [2]])).tolist(), [[1, 10], [2, 20]])
        self.assertEqual(np.dot(b[0], b[1]).item(), sum(x * y for x, y in zip(right[0], right[1])))
        self.assertEqual(np.matmul(np.ones((4, 2, 3)), np.ones((3, 5))).shape, (4, 2, 5))
        with self.assertRaisesRegex(ValueError, "mismatch"):
            a @ a


class Shapes(unittest.TestCase):
    def test_moves(self) -> None:
        a = np.arange(6).reshape(2, 3)
        self.assertEqual(np.concatenate([a, a[:1] + 0.5], axis=0).tolist()[2], [0.5, 1.5, 2.5])
        self.assertEqual(np.stack([a, a], axis=-1).shape, (2, 3, 2))
        self.assertEqual(np.repeat(a, 2, axis=0).tolist(), [[0, 1, 2], [0, 1, 2], [3, 4, 5], [3, 4, 5]])
        self.assertEqual(np.tile(a[0], (2, 2)).tolist(), [[0, 1, 2, 0, 1, 2]] * 2)
        self.assertEqual(np.pad(a, ((1, 0), (0, 2))).tolist(), [[0] * 5, [0, 1, 2, 0, 0], [3, 4, 5, 0, 0]])
        self.assertEqual(np.roll(a, 1, axis=1).tolist(), [[2, 0, 1], [5, 3, 4]])
        self.assertEqual(np.tril(np.ones((3, 3))).tolist(), [[1, 0, 0], [1, 1, 0], [1, 1, 1]])
        self.assertEqual([part.tolist() for part in np.split(a, 3, axis=1)], [[[0], [3]], [[1], [4]], [[2], [5]]])
        self.assertEqual(np.moveaxis(np.zeros((2, 3, 4)), 0, -1).shape, (3, 4, 2))
        self.assertEqual([x.tolist() for x in np.meshgrid(np.arange(2), np.arange(3))], [[[0, 1]] * 3, [[0, 0], [1, 1], [2, 2]]])
        self.assertEqual(np.unique(np.array([3, 1, 3, 2, 1])).tolist(), [1, 2, 3])
        with self.assertRaisesRegex(ValueError, r"cannot reshape array of size 6 into shape \(4, 2\)"):
            a.reshape(4, 2)

    def test_transpose_of_every_order(self) -> None:
        a = np.arange(24).reshape(2, 3, 4)
        for order in itertools.permutations(range(3)):
            turned = a.transpose(order)
            for index in itertools.product(*(range(n) for n in turned.shape)):
                source = [0, 0, 0]
                for place, axis in enumerate(order):
                    source[axis] = index[place]
                if sum(index) % 5 == 0:
                    self.assertEqual(turned[index].item(), source[0] * 12 + source[1] * 4 + source[2])


class Positions(unittest.TestCase):
    def test_found(self) -> None:
        a = np.array([[0, 3], [2, 0]])
        self.assertEqual((np.argwhere(a).tolist(), np.flatnonzero(a).tolist()), ([[0, 1], [1, 0]], [1, 2]))
        ids = np.array([1, 1, 4])
        self.assertEqual((np.bincount(ids, minlength=6).tolist(), np.bincount(ids[:2]).tolist()), ([0, 2, 0, 0, 1, 0], [0, 2]))
        self.assertEqual(np.bincount(ids, weights=[0.5, 1, 2]).tolist(), [0, 1.5, 0, 0, 2])
        self.assertEqual(np.isin(a, [3, 2]).tolist(), [[False, True], [True, False]])
        self.assertEqual(np.isin(a, [3, 2], invert=True).tolist(), [[True, False], [False, True]])
        self.assertEqual(np.searchsorted([1, 2, 2, 5], [2, 0, 9]).tolist(), [1, 0, 4])
        self.assertEqual(np.searchsorted([1, 2, 2, 5], [2, 0, 9], side="right").tolist(), [3, 0, 4])

    def test_triangles_and_grids(self) -> None:
        m = np.zeros((3, 4))
        m[np.triu_indices_from(m, k=1)] = -1
        m[np.tril_indices_from(m)] = 2
        self.assertEqual(m.tolist(), [[2, -1, -1, -1], [2, 2, -1, -1], [2, 2, 2, -1]])
        self.assertEqual(np.tri(3, 4, 1).tolist(), [[1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]])
        self.assertEqual(np.mgrid[0:2, 1:4].tolist(), [[[0, 0, 0], [1, 1, 1]], [[1, 2, 3], [1, 2, 3]]])
        self.assertEqual((np.mgrid[0:6:2].tolist(), np.indices((2, 2)).tolist()), ([0, 2, 4], [[[0, 0], [1, 1]], [[0, 1], [0, 1]]]))

    def test_joined_and_put(self) -> None:
        self.assertEqual(np.append([1, 2], [[3], [4]]).tolist(), [1, 2, 3, 4])
        self.assertEqual(np.column_stack([np.arange(2), np.ones((2, 2))]).tolist(), [[0, 1, 1], [1, 1, 1]])
        b = np.empty_like(np.zeros((2, 4)))
        np.put_along_axis(b, np.array([[1], [3]]), 5.0, axis=1)
        self.assertEqual(b.tolist(), [[0, 5, 0, 0], [0, 0, 0, 5]])


class Random(unittest.TestCase):
    def test_numpys_own_numbers(self) -> None:
        np.random.seed(0)
        self.assertEqual(str(np.random.rand(3)), "[0.5488135  0.71518937 0.60276338]")
        np.random.seed(0)
        self.assertEqual(str(np.random.randn(3)), "[1.76405235 0.40015721 0.97873798]")
        np.random.seed(42)
        self.assertEqual(np.random.randint(0, 100, 5).tolist(), [51, 92, 14, 71, 60])
        self.assertEqual(str(np.random.default_rng(42).random(3)), "[0.77395605 0.43887844 0.85859792]")
        self.assertEqual(np.random.RandomState(0).permutation(10).tolist(), [2, 8, 4, 9, 1, 6, 7, 3, 0, 5])
        np.random.seed(0)
        self.assertIsInstance(np.random.rand(), float)

    def test_generators_shuffle_and_choose_as_numpy_2_does(self) -> None:
        g = np.random.default_rng(3)
        self.assertEqual(g.permutation(20).tolist(), [16, 12, 18, 8, 3, 13, 15, 10, 6, 1, 2, 11, 17, 0, 14, 9, 4, 7, 5, 19])
        self.assertEqual(g.permutation(np.arange(12).reshape(4, 3)).tolist(), [[6, 7, 8], [9, 10, 11], [3, 4, 5], [0, 1, 2]])
        self.assertEqual(g.integers(0, 100, 5).tolist(), [73, 75, 95, 78, 28])
        g.shuffle(np.arange(7))
        self.assertEqual(g.choice(10, 5).tolist(), [0, 9, 9, 2, 1])

    def test_chosen_without_replacement_as_numpy_2_does(self) -> None:
        """Numbers of NumPy 2.4.6."""
        g = np.random.default_rng(5)
        self.assertEqual(g.choice(10, 5, replace=False).tolist(), [7, 5, 4, 9, 0])
        self.assertEqual(g.choice(10, 10, replace=False, shuffle=False).tolist(), list(range(10)))
        self.assertEqual(g.choice(10, replace=False), 1)
        self.assertEqual(g.choice(np.array([3.5, 1, 2, 8]), (2, 2), replace=False).tolist(), [[1, 2], [3.5, 8]])
        self.assertEqual(g.choice(20000, 500, replace=False)[-6:].tolist(), [15949, 17949, 3553, 19481, 5264, 8698])
        self.assertEqual(int(g.choice(20000, 500, replace=False).sum()), 4911675)
        self.assertEqual(g.choice(20000, 1200, replace=False, shuffle=False)[:6].tolist(), [14169, 3532, 1300, 3159, 4465, 13131])
        p = [0.1, 0.2, 0.3, 0.25, 0.15]
        self.assertEqual(g.choice(5, 8, p=p).tolist(), [4, 2, 1, 1, 1, 2, 1, 1])
        self.assertEqual(g.choice(5, p=p), 3)
        self.assertEqual(g.choice(5, 5, replace=False, p=p).tolist(), [3, 2, 1, 4, 0])
        self.assertEqual(g.choice(5, (2, 2), replace=False, p=np.array(p)).tolist(), [[2, 0], [4, 1]])
        self.assertEqual(g.choice(np.arange(12).reshape(4, 3), 2, replace=False).tolist(), [[9, 10, 11], [3, 4, 5]])
        self.assertEqual(g.integers(0, 1000, 3).tolist(), [233, 952, 274])
        g, rows = np.random.default_rng(5), np.arange(12).reshape(3, 4)
        self.assertEqual(g.choice(rows, 3, axis=1).tolist(), [[2, 3, 0], [6, 7, 4], [10, 11, 8]])
        self.assertEqual(g.choice(rows, 2, replace=False, axis=1).tolist(), [[2, 1], [6, 5], [10, 9]])
        self.assertEqual(g.choice(rows, axis=1).tolist(), [2, 6, 10])
        weighted = g.choice(rows, (2, 2), p=[0.1, 0.2, 0.3, 0.4], axis=-1).tolist()
        self.assertEqual(weighted, [[[0, 2], [2, 0]], [[4, 6], [6, 4]], [[8, 10], [10, 8]]])
        legacy = np.random.RandomState(5)
        self.assertEqual(legacy.choice(5, 8, p=p).tolist(), [1, 4, 1, 4, 2, 3, 3, 2])
        self.assertEqual(legacy.choice(5, 5, replace=False, p=p).tolist(), [1, 0, 3, 2, 4])
        self.assertEqual(legacy.choice(5, p=p), 4)
        self.assertEqual(legacy.randint(0, 1000, 3).tolist(), [980, 86, 637])

    def test_choices_that_cannot_be_made(self) -> None:
        g = np.random.default_rng(0)
        for message, size, how in (
            ("larger sample than population", 6, {"replace": False}),
            ("same size", 2, {"p": [1.0]}),
            ("not non-negative", 2, {"p": [1.5, -0.5, 0, 0, 0]}),
            ("do not sum to 1", 2, {"p": [0.5, 0, 0, 0, 0]}),
            ("Fewer non-zero entries", 2, {"p": [1.0, 0, 0, 0, 0], "replace": False}),
        ):
            with self.assertRaisesRegex(ValueError, message):
                g.choice(5, size, **how)

    def test_what_is_missing(self) -> None:
        with self.assertRaisesRegex(NotImplementedError, "numpy.random.RandomState.gamma.*--python"):
            np.random.RandomState(0).gamma(1.0)


class Text(unittest.TestCase):
    def test_as_numpy_prints(self) -> None:
        cases = {
            "[1. 2. 3.]": np.array([1.0, 2, 3]),
            "[0.1 0.2]": np.array([0.1, 0.2], dtype=np.float32),
            "[0.33333334 0.6666667 ]": np.array([1, 2], dtype=np.float32) / np.float32(3),
            "[1.e-10 1.e+00]": np.array([1e-10, 1]),
            "[1.5 nan inf]": np.array([1.5, np.nan, np.inf]),
            "[ True False]": np.array([True, False]),
            "[[ 1 -2]\n [30  4]]": np.array([[1, -2], [30, 4]]),
            "[   0    1    2 ... 1198 1199 1200]": np.arange(1201),
            "[]": np.zeros(0),
            "7": np.array(7),
        }
        for expected, array in cases.items():
            self.assertEqual(str(array), expected)
        self.assertEqual(repr(np.array([[1, 2], [3, 4]], dtype=np.int8)), "array([[1, 2],\n       [3, 4]], dtype=int8)")
        self.assertEqual(repr(np.array([1.5])), "array([1.5])")
        self.assertEqual(repr(np.float32(2.5)), "np.float32(2.5)")


class Names(unittest.TestCase):
    def test_dtypes(self) -> None:
        self.assertTrue(np.float32 == np.dtype("float32") and np.dtype("f4") == np.float32 and np.zeros(1, "int8").dtype == "int8")
        self.assertFalse(np.float32 == np.dtype("float64") or np.float32 != np.dtype("float32"))
        self.assertTrue(np.issubdtype(np.int8, np.integer) and not np.issubdtype(np.float16, np.integer))
        self.assertEqual((np.finfo(np.float32).eps, np.iinfo(np.int8).max, np.dtype(np.float16).itemsize), (2.0**-23, 127, 2))
        with self.assertRaisesRegex(TypeError, "complex64"):
            np.dtype("complex64")

    def test_ufuncs_have_names(self) -> None:
        self.assertEqual(
            [f.__name__ for f in (np.add, np.max, np.multiply, np.maximum, np.square)], ["add", "max", "multiply", "maximum", "square"]
        )

    def test_missing_calls_are_named(self) -> None:
        for call, name in (
            (lambda: np.fft, "numpy.fft"),
            (lambda: np.linalg.svd, "numpy.linalg.svd"),
            (lambda: np.ones(1).dumps, "numpy.ndarray.dumps"),
        ):
            with self.assertRaisesRegex(NotImplementedError, name + ".*nkiScope.pythonPath"):
                call()
        self.assertFalse(hasattr(np, "float128") or hasattr(np, "bfloat16"))

    def test_npy_round_trip(self) -> None:
        a = (np.arange(6).reshape(2, 3) * 0.5).astype(np.float16)
        stream = io.BytesIO()
        np.save(stream, a)
        self.assertEqual(len(stream.getvalue()), 128 + 12)
        stream.seek(0)
        b = np.load(stream)
        self.assertTrue(b.dtype == np.float16 and np.array_equal(a, b))
        with self.assertRaisesRegex(ValueError, "not a .npy file"):
            np.load(io.BytesIO(b"PK"))


class Testing(unittest.TestCase):
    def test_messages(self) -> None:
        a = np.arange(4.0)
        np.testing.assert_allclose(a, a * (1 + 1e-9))
        np.testing.assert_array_equal(np.array([np.nan, 1]), np.array([np.nan, 1]))
        with self.assertRaisesRegex(AssertionError, r"(?s)rtol=1e-07.*Mismatched elements: 1 / 4 \(25%\).*0.5 at \(2,\): 2.0 against 2.5"):
            np.testing.assert_allclose(a, a + np.array([0, 0, 0.5, 0]))
        with self.assertRaisesRegex(AssertionError, r"different shapes: \(4,\) and \(5,\)"):
            np.testing.assert_array_equal(a, np.arange(5.0))
        self.assertIs(np.allclose(a, a * (1 + 1e-6)), True)
        self.assertIs(np.allclose(a, a + 0.1), False)
        self.assertFalse(np.array_equal(a, a[:2]))


if __name__ == "__main__":
    unittest.main()
