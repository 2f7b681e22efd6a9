"""The torch, jax and ml_dtypes stand-ins over the real array engine."""

# ruff: noqa: D101, D102
from __future__ import annotations

import math
import unittest

try:
    from . import standins_support as support
except ImportError:
    import standins_support as support  # type: ignore[no-redef]

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import torch
from torch.nn import functional

from nki._record.vocabulary.layers import layers


def setUpModule() -> None:
    """Connects the engine."""
    support.start()


def tearDownModule() -> None:
    """Disconnects it."""
    support.stop()


class Torch(unittest.TestCase):
    def test_types(self) -> None:
        x = torch.arange(6, dtype=torch.bfloat16).reshape(2, 3)
        self.assertEqual((str(x.dtype), repr(x.shape), x.size(0), x.numel()), ("torch.bfloat16", "torch.Size([2, 3])", 2, 6))
        self.assertTrue(x.dtype == torch.bfloat16 and torch.float32 == np.float32 and np.dtype(torch.int8) == np.int8)
        self.assertEqual(
            (torch.ones(2).dtype, torch.ones(2).int().dtype, (torch.ones(2, dtype=torch.int8) * 2.5).dtype),
            (torch.float32, torch.int32, torch.float32),
        )
        self.assertEqual((x + torch.ones(3)).dtype, torch.float32)
        self.assertEqual(x.float().numpy().dtype, np.float32)
        with self.assertRaisesRegex(TypeError, "BFloat16"):
            x.numpy()

    def test_bfloat16_products_are_rounded(self) -> None:
        a = torch.full((1, 3), 1 / 3, dtype=torch.bfloat16)
        third = a[0, 0].item()
        self.assertEqual(third, 0.333984375)
        self.assertEqual((a @ torch.ones((3, 1), dtype=torch.bfloat16)).item(), 1.0)

    def test_the_largest_of_rows_and_limits(self) -> None:
        x = torch.tensor([[3.0, 9.0, 4.0, 9.5], [0.5, -1.0, 7.0, 2.0]])
        most, least = x.topk(2), torch.topk(x, 1, dim=0, largest=False)
        self.assertEqual((most.values.tolist(), most.indices.tolist()), ([[9.5, 9.0], [7.0, 2.0]], [[3, 1], [2, 3]]))
        self.assertEqual((least.values.tolist(), least.indices.tolist()), ([[0.5, -1.0, 4.0, 2.0]], [[1, 1, 0, 1]]))
        self.assertEqual(x[1].clamp_min(0.75).tolist(), [0.75, 0.75, 7.0, 2.0])
        self.assertEqual(torch.clamp_max(x[1], 1).tolist(), [0.5, -1.0, 1.0, 1.0])
        self.assertEqual(x[1].clamp(0, 5).tolist(), [0.5, 0.0, 5.0, 2.0])
        self.assertEqual(
            (x.median().item(), x.median(dim=1).values.tolist(), x.median(1, True).indices.tolist()), (3.0, [4.0, 0.5], [[2], [0]])
        )
        self.assertEqual(x.gather(1, most.indices).tolist(), most.values.tolist())

    def test_fills_of_weights(self) -> None:
        from torch.nn import init

        weight = torch.empty(64, 32, 3, 3)  # 288 inputs and 576 outputs
        self.assertEqual(init.constant_(torch.empty(2), 3).tolist(), [3.0, 3.0])
        self.assertEqual(init.ones_(init.zeros_(torch.empty(2))).tolist(), [1.0, 1.0])
        for fill, variance, is_uniform in (
            (init.xavier_uniform_, 2 / 864, True),
            (init.xavier_normal_, 2 / 864, False),
            (init.kaiming_uniform_, 2 / 288, True),
            (lambda w: init.kaiming_normal_(w, mode="fan_out", nonlinearity="relu"), 2 / 576, False),
            (lambda w: init.uniform_(w, -2, 2), 16 / 12, True),
            (lambda w: init.normal_(w, 0, 0.5), 0.25, False),
        ):
            with self.subTest(str(fill)):
                self.assertIs(fill(weight), weight)
                self.assertLess(abs(weight.var().item() / variance - 1), 0.05)
                self.assertLess(abs(weight.mean().item()), 0.05 * math.sqrt(variance))
                self.assertEqual(weight.abs().max().item() <= math.sqrt(3 * variance), is_uniform)
        with self.assertRaisesRegex(ValueError, "fewer than 2 dimensions"):
            init.xavier_uniform_(torch.empty(4))
        with self.assertRaisesRegex(Exception, "torch.nn.init.orthogonal_"):
            init.orthogonal_(weight)

    def test_directions(self) -> None:
        x, y = torch.tensor([[3.0, 4.0], [0.0, 0.0]]), torch.tensor([[4.0, 3.0], [1.0, 0.0]])
        np.testing.assert_allclose(functional.normalize(x, dim=-1), [[0.6, 0.8], [0, 0]], rtol=1e-6)
        np.testing.assert_allclose(functional.cosine_similarity(x, y, dim=-1), [0.96, 0], rtol=1e-6)
        points = torch.tensor([-200.0, -1.0, 0.0, 30.0], dtype=torch.float64)
        np.testing.assert_allclose(functional.softplus(points), [0, math.log1p(math.exp(-1)), math.log(2), 30.0], atol=1e-12)

    def test_functions_against_math(self) -> None:
        values = [-2.0, -0.5, 0.0, 0.75, 3.0]
        x = torch.tensor(values, dtype=torch.float64)
        gelu = [v * 0.5 * (1 + math.erf(v / math.sqrt(2))) for v in values]
        silu = [v / (1 + math.exp(-v)) for v in values]
        total = sum(math.exp(v) for v in values)
        np.testing.assert_allclose(functional.gelu(x), gelu, rtol=1e-12)
        np.testing.assert_allclose(functional.silu(x), silu, rtol=1e-12)
        np.testing.assert_allclose(torch.softmax(x, dim=0), [math.exp(v) / total for v in values], rtol=1e-12)
        pooled = functional.avg_pool2d(torch.arange(16, dtype=torch.float32).reshape(1, 4, 4), 2, 2)
        self.assertEqual(pooled.tolist(), [[[2.5, 4.5], [10.5, 12.5]]])

    def test_dimensions(self) -> None:
        x = torch.arange(6).reshape(2, 3)
        self.assertEqual(x.sum(dim=1).tolist(), [3, 12])
        self.assertEqual(x.max(dim=0).values.tolist(), [3, 4, 5])
        self.assertEqual(x.float().mean(dim=-1, keepdim=True).shape, (2, 1))
        self.assertEqual(torch.transpose(x.reshape(1, 2, 3), 1, 2).shape, (1, 3, 2))
        self.assertEqual(torch.tensor([1.0, 2.0, 3.0, 4.0]).var().item(), np.float32(5 / 3))
        self.assertEqual(x.unsqueeze(0).expand(4, -1, -1).permute(2, 0, 1).shape, (3, 4, 2))

    def test_random_is_repeatable(self) -> None:
        torch.manual_seed(3)
        a, b = torch.rand((4, 4)), torch.rand(4, 4)
        torch.manual_seed(3)
        self.assertTrue(torch.equal(a, torch.rand(4, 4)) and not torch.equal(a, b))

    def test_comparison_and_missing(self) -> None:
        a = torch.ones(3)
        self.assertTrue(torch.allclose(a, a + 1e-7))
        with self.assertRaisesRegex(AssertionError, "Mismatched elements: 3 / 3"):
            torch.testing.assert_close(a, a * 2)
        with self.assertRaisesRegex(NotImplementedError, "torch.Tensor.backward.*--python"):
            a.backward()


class Modules(unittest.TestCase):
    def test_what_a_module_runs_has_its_name(self) -> None:
        seen = []

        class Leaf(torch.nn.Module):
            def forward(self, x: torch.Tensor) -> torch.Tensor:
                seen.append(layers.path)
                return x + 1

        class Model(torch.nn.Module):
            def __init__(self) -> None:
                self.first = Leaf()
                self.layers = torch.nn.ModuleList([Leaf(), Leaf()])

            def forward(self, x: torch.Tensor) -> torch.Tensor:
                x = self.first(x)
                for layer in self.layers:
                    x = layer(x)
                return x

        model = Model().eval()
        self.assertEqual(model(torch.zeros(2)).tolist(), [3, 3])
        self.assertEqual(seen, ["Model/first", "Model/layers.0", "Model/layers.1"])
        self.assertEqual((len(model.layers), model.layers[1]._layer_name, layers.path), (2, "layers.1", ""))

    def test_the_layers_of_a_model(self) -> None:
        nn = torch.nn
        torch.manual_seed(0)
        linear = nn.Linear(8, 3)
        x = torch.randn(4, 8)
        self.assertEqual((tuple(linear.weight.shape), tuple(linear.bias.shape)), ((3, 8), (3,)))
        self.assertLess(float(abs(linear.weight).max()), 1 / math.sqrt(8))
        self.assertGreater(float(linear.weight.std()), 0.1)
        by_hand = np.array(x.tolist()) @ np.array(linear.weight.tolist()).T + np.array(linear.bias.tolist())
        self.assertTrue(np.allclose(np.array(linear(x).tolist()), by_hand, atol=1e-5))
        self.assertIsNone(nn.Linear(8, 3, bias=False).bias)
        self.assertEqual(nn.Linear(8, 3, dtype=torch.bfloat16).weight.dtype, torch.bfloat16)
        rows = nn.LayerNorm(8)(x)
        self.assertTrue(np.allclose(np.array(rows.mean(dim=1).tolist()), 0, atol=1e-5))
        self.assertTrue(np.allclose(np.array((rows * rows).mean(dim=1).tolist()), 1, atol=1e-3))
        self.assertTrue(np.allclose(np.array((nn.RMSNorm(8)(x) ** 2).mean(dim=1).tolist()), 1, atol=1e-3))
        table = nn.Embedding(5, 2)
        self.assertEqual(table(torch.tensor([3, 0])).tolist(), [table.weight[3].tolist(), table.weight[0].tolist()])
        signs = torch.tensor([-1.0, 2.0])
        self.assertEqual((nn.ReLU()(signs).tolist(), nn.Identity(7)(signs).tolist()), ([0, 2], [-1, 2]))
        self.assertAlmostEqual(sum(nn.Softmax(dim=0)(signs).tolist()), 1, 5)
        for made, known in [(nn.SiLU(), 1.7615942), (nn.GELU(), 1.9544997), (nn.GELU("tanh"), 1.954597694), (nn.Sigmoid(), 0.8807971)]:
            self.assertAlmostEqual(float(made(signs)[1]), known, 4)
        self.assertIs(nn.Parameter(x), x)
        with self.assertRaisesRegex(NotImplementedError, r"torch\.nn\.Dropout.*--python"):
            nn.Dropout(0.5)

    def test_modules_one_after_another_have_their_numbers(self) -> None:
        seen = []

        class Leaf(torch.nn.Module):
            def forward(self, x: torch.Tensor) -> torch.Tensor:
                seen.append(layers.path)
                return x + 1

        class Model(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.net = torch.nn.Sequential(Leaf(), torch.nn.Sequential(Leaf()))

            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return self.net(x)

        self.assertEqual(Model()(torch.zeros(2)).tolist(), [2, 2])
        self.assertEqual(seen, ["Model/net/0", "Model/net/1/0"])
        seen.clear()
        torch.nn.Sequential(Leaf())(torch.zeros(1))
        self.assertEqual(seen, ["Sequential/0"])


class Jax(unittest.TestCase):
    def test_named_scopes_are_layers(self) -> None:
        with jax.named_scope("mlp"), jax.named_scope("up"):
            self.assertEqual(layers.path, "mlp/up")
        self.assertEqual(layers.path, "")

    def test_defaults_and_results(self) -> None:
        self.assertEqual([x.dtype for x in (jnp.ones(2), jnp.arange(3), jnp.arange(3) * 0.5)], [np.float32, np.int32, np.float32])
        first, second = jax.random.split(jax.random.PRNGKey(42))
        a, b = jax.random.uniform(first, (4, 3), dtype=jnp.bfloat16), jax.random.uniform(second, (4, 3))
        self.assertEqual((a.dtype, (a + b).dtype, type(jnp.square(a))), (ml_dtypes.bfloat16, np.float32, jax.Array))
        self.assertTrue(jnp.allclose(b, jax.random.uniform(second, (4, 3))) and not jnp.allclose(a, b))
        c = b.at[0].set(2.0)
        self.assertEqual((float(c[0, 0]), bool((b[0] < 1).all())), (2.0, True))
        self.assertEqual(jax.jit(lambda x: x + 1)(jnp.zeros(2)).tolist(), [1, 1])
        with self.assertRaisesRegex(NotImplementedError, "jax.grad"):
            jax.grad(lambda x: x)


if __name__ == "__main__":
    unittest.main()
