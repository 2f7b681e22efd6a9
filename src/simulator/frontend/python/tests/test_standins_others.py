"""The scipy, torch_xla, torch_neuronx and tqdm stand-ins, and torch.nn.functional against formulas of Python's own."""

# ruff: noqa: D101, D102
from __future__ import annotations

import contextlib
import io
import math
import unittest
from typing import Any, Callable, List

try:
    from . import standins_support as support
except ImportError:
    import standins_support as support  # type: ignore[no-redef]

import numpy as np
import scipy.linalg
import scipy.special
import torch
import torch_neuronx
import torch_xla
import torch_xla.core.xla_model as xm
import tqdm
import tqdm.auto
from torch.nn import functional
from torch_neuronx.xla_impl import ops

X = [-3.0, -0.5, 0.0, 0.25, 2.0]


def setUpModule() -> None:
    """Connects the engine."""
    support.start()


def tearDownModule() -> None:
    """Disconnects it."""
    support.stop()


class Others(unittest.TestCase):
    def close(self, got: Any, wanted: List[float], places: int = 5) -> None:
        for a, b in zip(got.tolist(), wanted):
            self.assertAlmostEqual(a, b, places)

    def test_special_functions(self) -> None:
        x = np.array(X)
        self.close(scipy.special.erf(x), [math.erf(v) for v in X])
        self.close(scipy.special.expit(x), [1 / (1 + math.exp(-v)) for v in X])
        total = sum(map(math.exp, X))
        self.close(scipy.special.softmax(x), [math.exp(v) / total for v in X])
        rows = scipy.special.softmax(np.array([X, X]), axis=0)
        self.assertEqual((rows.shape, rows.tolist()), ((2, 5), [[0.5] * 5] * 2))

    def test_circulant_matrices(self) -> None:
        matrix = scipy.linalg.circulant(np.array([1, 2, 3]))
        self.assertEqual(matrix.tolist(), [[1, 3, 2], [2, 1, 3], [3, 2, 1]])
        with self.assertRaisesRegex(Exception, "scipy.linalg.circulant of 2 dimensions"):
            scipy.linalg.circulant(np.eye(2))

    def test_a_device_that_makes_no_difference(self) -> None:
        device = xm.xla_device()
        self.assertEqual((device.type, torch_xla.device().type), ("xla", "xla"))
        x = torch.tensor(X).to(device)
        xm.mark_step()
        xm.wait_device_ops()
        torch_xla.sync()
        self.assertEqual(x.cpu().tolist(), X)

    def test_the_decorator_makes_kernels(self) -> None:
        def kernel(a: Any) -> Any:
            return a

        made = torch_neuronx.nki_jit(kernel)
        self.assertIs(ops.nki_jit, torch_neuronx.nki_jit)
        self.assertEqual((made.__name__, made.dialect), ("kernel", "neuronxcc"))

    def test_activations(self) -> None:
        x = torch.tensor(X)
        cases: List[Any] = [
            (functional.relu, lambda v: max(v, 0.0)),
            (functional.sigmoid, lambda v: 1 / (1 + math.exp(-v))),
            (functional.silu, lambda v: v / (1 + math.exp(-v))),
            (functional.gelu, lambda v: 0.5 * v * (1 + math.erf(v / math.sqrt(2)))),
        ]
        for function, formula in cases:
            self.close(function(x), [formula(v) for v in X])
        tanh: Callable[[float], float] = lambda v: 0.5 * v * (1 + math.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3)))  # noqa: E731
        self.close(functional.gelu(x, approximate="tanh"), [tanh(v) for v in X])

    def test_norms(self) -> None:
        mean = sum(X) / 5
        variance = sum((v - mean) ** 2 for v in X) / 5
        normed = functional.layer_norm(torch.tensor(X), (5,), eps=1e-5)
        self.close(normed, [(v - mean) / math.sqrt(variance + 1e-5) for v in X])
        root = math.sqrt(sum(v * v for v in X) / 5 + 1e-6)
        self.close(functional.rms_norm(torch.tensor(X), (5,), torch.full((5,), 2.0), 1e-6), [2 * v / root for v in X])

    def test_tqdm_iterates_and_counts_and_draws_nothing(self) -> None:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            bar = tqdm.tqdm([3, 4, 5], desc="tiles")
            self.assertEqual((list(bar), bar.n, len(bar)), ([3, 4, 5], 3, 3))
            self.assertEqual(list(tqdm.auto.trange(1, 7, 2, leave=False)), [1, 3, 5])
            with tqdm.tqdm(total=4) as steps:
                steps.update(2)
                steps.set_description("half")
            self.assertEqual((steps.n, steps.desc, len(steps)), (2, "half", 4))
        self.assertEqual(printed.getvalue(), "")
        with self.assertRaisesRegex(TypeError, "no total was given"):
            len(tqdm.tqdm(iter([1])))

    def test_what_is_missing_is_named(self) -> None:
        for library, name in (
            (scipy, "signal"),
            (scipy.special, "gamma"),
            (torch_xla, "launch"),
            (xm, "all_reduce"),
            (torch_neuronx, "trace"),
            (tqdm, "contrib"),
        ):
            with self.subTest(name), self.assertRaisesRegex(Exception, f"{library.__name__}.{name}"):
                getattr(library, name)


if __name__ == "__main__":
    unittest.main()
