"""`nki_scope`: profiles of kernels as objects, and sweeps, in the interpreter that runs this."""

import pickle
import unittest
from typing import Any

import numpy as np

import nki
import nki.isa as nisa
import nki.language as nl
from nki.typing import tensor
from nki_scope import Profile, Variant, profile, simulate, sweep


@nki.jit
def double(a: Any, times: int = 1) -> Any:
    """Adds `a` to itself in SBUF, `times` times over: <b> must be escaped."""
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=a)
    for _ in range(times):
        nisa.tensor_tensor(dst=tile, data1=tile, data2=tile, op=nl.add)  # <b>
    nisa.dma_copy(dst=out, src=tile)
    return out


ROWS = tensor[[128, 64], nl.float32]


class Profiles(unittest.TestCase):
    """What a profile says."""

    def test_times(self) -> None:
        """The total, the body in it, and around it the likely range."""
        found = profile(double, ROWS)
        self.assertEqual((found.kernel, found.target), ("double", "trn2"))
        self.assertTrue(0 < found.body_ns < found.total_ns)
        assert found.interval is not None
        self.assertTrue(found.interval[0] < found.total_ns < found.interval[1])
        self.assertEqual(found.inputs, [{"name": "a", "dtype": "float32", "shape": [128, 64]}])
        self.assertRegex(repr(found), r"^<profile of double on trn2: [\d.]+ µs>$")

    def test_the_same_again(self) -> None:
        """Profiles of one engine do not know of each other; arrays have the shapes that they are."""
        self.assertEqual(profile(double, ROWS).total_ns, profile(double, np.ones((128, 64), np.float32)).total_ns)

    def test_arguments(self) -> None:
        """Plain values, by name too, and a target that is not the kernel's."""
        once = profile(double, ROWS)
        self.assertGreater(profile(double, ROWS, 8).total_ns, once.total_ns)
        self.assertEqual(profile(double, ROWS, times=8).total_ns, profile(double, ROWS, 8).total_ns)
        self.assertEqual(profile(double, ROWS, target="trn1").target, "trn1")
        self.assertEqual(profile(double, ROWS).target, "trn2")

    def test_lines(self) -> None:
        """Records add up to the body's time, hottest first, and stand where the source does."""
        lines = profile(double, ROWS, 4).line_records
        times = [line["time_ns"] for line in lines]
        self.assertEqual(times, sorted(times, reverse=True))
        adding = next(line for line in lines if "tensor_tensor" in line["text"])
        self.assertEqual(adding["instructions"], 4)
        self.assertTrue(adding["file"].endswith("test_nki_scope.py"))

    def test_advice(self) -> None:
        """Each has a gain; the edit of one is characters of its file."""
        for advice in profile(double, ROWS, 8).advice:
            self.assertGreater(advice["gain_ns"], 0)
            self.assertIn("title", advice)

    def test_slower(self) -> None:
        """What the model cannot tell apart is not slower."""
        found = profile(double, ROWS)
        self.assertFalse(found.is_slower(found.total_ns))
        self.assertFalse(found.is_slower(found.total_ns / 1.005))
        self.assertTrue(found.is_slower(found.total_ns / 1.05))
        self.assertFalse(found.is_slower(found.total_ns / 1.05, percent=10))

    def test_pickle(self) -> None:
        """It is the profile, not a handle on one: another process can ask about it."""
        found = profile(double, ROWS)
        again = pickle.loads(pickle.dumps(found))
        self.assertIsInstance(again, Profile)
        self.assertEqual((again.total_ns, again.line_records), (found.total_ns, found.line_records))

    def test_notebook(self) -> None:
        """A picture and the hottest lines, with the source escaped and without script."""
        html = profile(double, ROWS, 8)._repr_html_()
        self.assertRegex(html, r"<b>double</b> on trn2: [\d.]+ µs \(likely ")
        self.assertIn("<svg", html)
        self.assertIn("# &lt;b&gt;</code>", html)
        self.assertNotIn("script", html)

    def test_errors(self) -> None:
        """Those of the kernel, at its line."""
        with self.assertRaisesRegex(TypeError, "tims"):
            profile(double, ROWS, tims=1)
        with self.assertRaises(Exception) as raised:
            profile(double, tensor[[256, 64], nl.float32])
        self.assertIn("128", str(raised.exception))

    def test_values(self) -> None:
        """`simulate` returns what the kernel does."""
        self.assertTrue(np.allclose(simulate(double, np.ones((4, 4), np.float32), 3), 8.0))


def of_times(times: int, columns: int) -> Profile:
    """A point; there is no tile of 256 rows."""
    return profile(double, tensor[[128 if columns < 99 else 256, columns], nl.float32], times)


class Sweeps(unittest.TestCase):
    """In this process."""

    def test_grid(self) -> None:
        """Every combination, the last parameter fastest, with what each alone would be."""
        found = sweep(of_times, {"times": [1, 4], "columns": [32, 64]})
        self.assertEqual([(v.parameters["times"], v.parameters["columns"]) for v in found], [(1, 32), (1, 64), (4, 32), (4, 64)])
        self.assertEqual(found[3].total_ns, of_times(4, 64).total_ns)
        self.assertTrue(all(v.error is None and v.bound and v.interval for v in found))

    def test_errors(self) -> None:
        """A point that does not run says why, and the others run."""
        found = sweep(of_times, {"times": [1], "columns": [32, 99]})
        self.assertIsNone(found[1].total_ns)
        self.assertRegex(found[1].error or "", r"^Nki\w+: .*128")
        self.assertIsNotNone(found[0].total_ns)

    def test_points(self) -> None:
        """A list; each once; none that `where` leaves out; a part of them."""
        points = [{"times": n, "columns": 32} for n in (1, 2, 1, 3)]
        found = sweep(of_times, points, where=lambda times, columns: times != 2)
        self.assertEqual([v.parameters["times"] for v in found], [1, 3])
        parts = [sweep(of_times, points, part=(k, 2)) for k in (0, 1)]
        self.assertEqual([[v.parameters["times"] for v in part] for part in parts], [[1, 3], [2]])
        self.assertIsInstance(found[0], Variant)
