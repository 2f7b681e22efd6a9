"""Named layers around what is recorded, and the call site that goes with a kernel call."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import unittest
from typing import Any, List

from record_support import recorded

import nki
import nki.isa as nisa
import nki.language as nl
import nki_scope
from nki._record.program import locations
from nki._record.vocabulary.layers import layers
from nki.typing import tensor

ARGUMENT = tensor[[128, 64], nl.float32]


def scale(tile: Any, factor: float) -> None:
    """A helper with an instruction of its own."""
    nisa.tensor_scalar(tile, tile, nl.multiply, factor)


@nki.jit
def layered(a: Any) -> None:
    """The same line inside and outside of layers."""
    tile = nl.load(a)
    scale(tile, 1.0)
    for name in ("first", "second"):
        with nki_scope.layer(name):
            scale(tile, 2.0)
            with nki_scope.layer("inner"):
                scale(tile, 3.0)
    scale(tile, 4.0)


class Layers(unittest.TestCase):
    """Layers of frames."""

    def layers_of(self, program: Any) -> List[str]:
        known = program.meta.get("layers") or {"paths": [], "ofFrame": []}
        frames = program.columns["instructions.frame"]
        return [known["paths"][known["ofFrame"][frame]] if known["paths"] and known["ofFrame"][frame] >= 0 else "" for frame in frames]

    def test_instructions_have_the_layer_that_they_were_recorded_in(self) -> None:
        program = recorded(layered, ARGUMENT)
        self.assertEqual(self.layers_of(program), ["", "", "first", "first/inner", "second", "second/inner", ""])

    def test_layers_around_the_call_are_around_its_instructions(self) -> None:
        with nki_scope.layer("model/block.0"):
            program = recorded(layered, ARGUMENT)
        self.assertEqual(self.layers_of(program)[2:4], ["model/block.0/first", "model/block.0/first/inner"])
        self.assertEqual(layers.path, "")

    def test_an_exception_leaves_the_layer(self) -> None:
        with self.assertRaises(KeyError), nki_scope.layer("model"):
            raise KeyError
        self.assertEqual(layers.path, "")

    def test_a_function_can_be_a_layer(self) -> None:
        @nki_scope.layer("mlp")
        def where() -> str:
            return layers.path

        self.assertEqual((where(), layers.path), ("mlp", ""))

    def test_a_layer_has_a_name(self) -> None:
        for name in ("", "/", None, 3):
            with self.assertRaises(TypeError):
                nki_scope.layer(name)  # type: ignore[arg-type]

    def test_a_call_site_is_the_users_frames(self) -> None:
        def outer() -> Any:
            return locations.call_site()

        with nki_scope.layer("block"):
            site = outer()
        self.assertEqual([frame["function"] for frame in site["frames"]][-2:], ["test_a_call_site_is_the_users_frames", "outer"])
        self.assertEqual(site["layer"], "block")
