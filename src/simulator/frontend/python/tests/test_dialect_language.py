"""Smaller parts of the dialects: masks of every kind of call, dtypes and limits, arrays of the host, classes of kernels."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import sys
import unittest
from dataclasses import dataclass
from typing import Any, Dict, List, Tuple

from record_support import fresh_host, recorded, restore

import neuronxcc.nki as legacy
import neuronxcc.nki.isa as legacy_isa
import neuronxcc.nki.language as legacy_nl
import nki
import nki.isa as nisa
import nki.language as nl
from nki._record.vocabulary.errors import NkiUnsupportedError
from nki.typing import tensor


def _shapes(program: Any, number: int = -1) -> Dict[str, Tuple[int, ...]]:
    return {name: operand.shape for name, operand in program.instructions[number].operands.items()}


def _legacy(body: Any, *shape: int) -> Any:
    """The program of a legacy kernel with one input."""

    @legacy.jit
    def kernel(a: Any) -> None:
        body(a)

    return recorded(kernel, tensor[list(shape), nl.float32])


class Masks(unittest.TestCase):
    """What a mask leaves of the operands."""

    def setUp(self) -> None:
        fresh_host()

    def tearDown(self) -> None:
        restore()

    def test_matmul_by_contraction_and_columns(self) -> None:
        def body(a: Any) -> None:
            k, n = legacy_nl.mgrid[0:128, 0:512]
            x = legacy_nl.load(a)
            legacy_isa.nc_matmul(x[:, 0:64], x, mask=(k < 100) & (n < 300))

        self.assertEqual(_shapes(_legacy(body, 128, 512)), {"dst": (64, 300), "stationary": (100, 64), "moving": (100, 300)})

    def test_transpose_turns_the_mask(self) -> None:
        def body(a: Any) -> None:
            p, f = legacy_nl.mgrid[0:128, 0:64]
            legacy_isa.nc_transpose(legacy_nl.load(a), mask=(p < 100) & (f < 30))

        self.assertEqual(_shapes(_legacy(body, 128, 64)), {"dst": (30, 100), "data": (100, 30)})

    def test_partition_reduction(self) -> None:
        def body(a: Any) -> None:
            p, f = legacy_nl.mgrid[0:128, 0:64]
            legacy_isa.tensor_partition_reduce("add", legacy_nl.load(a), mask=(p < 100) & (f < 30))

        self.assertEqual(_shapes(_legacy(body, 128, 64)), {"dst": (1, 30), "data": (100, 30)})

    def test_a_condition_of_indices_selects(self) -> None:
        def body(a: Any) -> None:
            p = legacy_nl.arange(128)[:, None]
            legacy_nl.where(p + 64 < 100, legacy_nl.load(a), 7.0)

        self.assertEqual(_shapes(_legacy(body, 128, 64)), {"dst": (128, 64), "on_true_tile": (128, 64)})

    def test_a_condition_of_indices_chooses_between_tiles(self) -> None:
        def body(a: Any) -> None:
            tile = legacy_nl.load(a)
            legacy_nl.where(legacy_nl.arange(128)[:, None] < 100, legacy_nl.exp(tile), tile)

        program = _legacy(body, 128, 64)
        self.assertEqual(program.operations(), ["language.load", "language.exp", "language.copy", "language.copy"])
        self.assertEqual(_shapes(program), {"dst": (100, 64), "x": (100, 64)})

        def chooses_others(a: Any) -> None:
            tile = legacy_nl.load(a)
            legacy_nl.where(legacy_nl.arange(128)[:, None] < 100, tile, legacy_nl.zeros((128, 1), legacy_nl.float32))

        with self.assertRaisesRegex(NkiUnsupportedError, "tiles of one shape where the condition compares indices"):
            _legacy(chooses_others, 128, 64)

    def test_truth_values_are_masks(self) -> None:
        def body(a: Any) -> None:
            p, f = legacy_nl.mgrid[0:128, 0:64]
            x = legacy_nl.load(a, mask=True)
            legacy_nl.exp(x, mask=3 < 2)
            legacy_nl.exp(x, mask=(p < 100) & (3 < 2))
            legacy_nl.exp(x, mask=(p < 100) & (2 < 3))

        program = _legacy(body, 128, 64)
        self.assertEqual(program.operations(), ["language.load", "language.exp"])
        self.assertEqual(_shapes(program)["x"], (100, 64))

    def test_slices_beyond_their_axis(self) -> None:
        def body(a: Any) -> None:
            p, f = legacy_nl.mgrid[0:128, 0:64]
            legacy_nl.load(a[legacy_nl.ds(128, 128), :], mask=(128 + p < 200))

        self.assertEqual(_shapes(_legacy(body, 200, 64))["src"], (72, 64))
        with self.assertRaisesRegex(IndexError, r"index range 128\.\.255 is out of bounds of axis 0"):
            _legacy(lambda a: legacy_nl.load(a[128:256]), 200, 64)

    def test_slices_of_a_view_that_leaves_its_tile(self) -> None:
        def body(columns: slice) -> Any:
            return lambda a: legacy_nl.exp(legacy_nl.load(a)[:, 40:65][:, columns])

        x = _legacy(body(slice(2, 24)), 128, 64).instructions[1].operands["x"]
        self.assertEqual((x.shape, x.offset), ((128, 22), 42))
        with self.assertRaisesRegex(IndexError, r"index range 40\.\.64 is out of bounds of axis 1, which has size 64; mask it"):
            _legacy(body(slice(2, 25)), 128, 64)
        with self.assertRaisesRegex(IndexError, r"index range 40\.\.64 is out of bounds"):
            _legacy(body(slice(2, 24, 2)), 128, 64)

    def test_a_view_indexed_with_a_mask(self) -> None:
        def body(a: Any) -> None:
            p, f = legacy_nl.mgrid[0:128, 0:64]
            legacy_nl.exp(legacy_nl.load(a)[p, f][f < 30])

        self.assertEqual(_shapes(_legacy(body, 128, 64))["x"], (128, 30))


class Products(unittest.TestCase):
    """Matrix products of the legacy dialect."""

    def setUp(self) -> None:
        fresh_host()

    def tearDown(self) -> None:
        restore()

    def test_the_first_of_a_group_overwrites(self) -> None:
        def body(a: Any) -> None:
            x = legacy_nl.load(a)
            total = legacy_nl.ndarray((128, 64), dtype=nl.float32, buffer=nl.psum)
            for _ in range(2):
                total[...] += legacy_isa.nc_matmul(x, x[:, 0:64])

        accumulates = [i.attributes.get("accumulate") for i in _legacy(body, 128, 128).instructions[1:]]
        self.assertEqual(accumulates, [False, True])

    def test_a_tile_in_psum_is_copied_for_a_product(self) -> None:
        def body(a: Any) -> None:
            x = legacy_nl.load(a)
            legacy_nl.matmul(x, legacy_nl.transpose(x))

        operations = _legacy(body, 128, 128).operations()
        self.assertEqual(operations, ["language.load", "language.transpose", "isa.tensor_copy", "language.matmul"])


class Language(unittest.TestCase):
    """What records nothing."""

    def test_limits_of_floats(self) -> None:
        # IEEE 754 and the OCP 8-bit formats
        largest: List[Tuple[Any, float]] = [
            (nl.float32, 3.4028234663852886e38),
            (nl.float16, 65504.0),
            (nl.bfloat16, 3.3895313892515355e38),
            (nl.float8_e4m3, 240.0),
            (nl.float8_e4m3fn, 448.0),
            (nl.float8_e5m2, 57344.0),
        ]
        for dtype, value in largest:
            with self.subTest(str(dtype)):
                self.assertEqual((legacy_nl.finfo(dtype).max, legacy_nl.finfo(dtype).min), (value, -value))
        self.assertEqual((legacy_nl.finfo("float16").eps, legacy_nl.finfo("float16").tiny), (2.0**-10, 2.0**-14))
        with self.assertRaisesRegex(TypeError, "finfo takes a float type, not int8"):
            legacy_nl.finfo(nl.int8)

    def test_sizes_in_bytes(self) -> None:
        from nki.language.constants import sizeinbytes

        self.assertEqual((sizeinbytes(nl.bfloat16), sizeinbytes("int32"), sizeinbytes(nl.float8_e5m2)), (2, 4, 1))

    def test_generations_are_ordered(self) -> None:
        version = nisa.nc_version
        self.assertTrue(version.gen3 >= version.gen2 and not version.gen3 < version.gen2 and version.gen4 > version.gen3)
        self.assertIs(nki.isa.constants.nc_version, version)

    def test_operations_are_not_called(self) -> None:
        with self.assertRaisesRegex(nki.NkiValidationError, "nl.bypass is an operation for op="):
            nl.bypass(1)

    def test_classes_of_kernels_take_plain_values_as_fields(self) -> None:
        @dataclass
        class Settings(nl.NKIObject):
            size: int
            mode = None
            name = "plain"

            def twice(self) -> int:
                return 2 * self.size

        made = Settings(4, mode="fast")
        self.assertEqual((made.size, made.mode, made.name, made.twice()), (4, "fast", "plain", 8))

    def test_fields_of_kernels_classes_are_none_unless_given(self) -> None:
        class Plain(nl.NKIObject):
            size: int
            most: int = 3

            def __post_init__(self) -> None:
                self.seen = (self.size, self.most)

        for kind in (Plain, dataclass(Plain)):
            self.assertEqual((kind().seen, kind(1).seen, kind(most=2).seen), ((None, 3), (1, 3), (None, 2)))

    def test_annotations_of_kernels_classes_are_fields_in_every_python(self) -> None:
        source = """
@dataclass
class Made(nl.NKIObject):
    size: NoSuchName
    most: int = 3

class Plain(nl.NKIObject):
    size: NoSuchName
    most: int = 3

class Derived(Plain):
    last: int = 4
"""
        if sys.version_info < (3, 14):  # annotations were evaluated with the class
            source = source.replace("NoSuchName", "int")
        names: Dict[str, Any] = {"dataclass": dataclass, "nl": nl}
        exec(compile(source, "<classes>", "exec", dont_inherit=True), names)  # noqa: S102 - without this file's __future__
        for kind in (names["Made"], names["Plain"], names["Derived"]):
            self.assertEqual((kind(1).size, kind(1).most, kind(most=2).size), (1, 3, None))
        self.assertEqual(names["Derived"](1, 2, 5).last, 5)

    def test_dependencies_by_hand_are_refused(self) -> None:
        @nki.jit
        def kernel() -> None:
            tile = nl.ndarray((4, 4), dtype=nl.float32, buffer=nl.sbuf)
            nisa.memset(tile, 0).depends_on()

        fresh_host()
        try:
            with self.assertRaisesRegex(nki.NkiUnsupportedError, "depends_on is not supported"):
                kernel()
        finally:
            restore()


class Ranges(unittest.TestCase):
    """The ranges, with the parameters that AWS names."""

    def test_bounds_by_keyword(self) -> None:
        for language in (nl, legacy_nl):
            for make in (language.affine_range, language.sequential_range, language.static_range):
                self.assertEqual(list(make(start=1, stop=6, step=2)), [1, 3, 5])
                self.assertEqual((list(make(3)), list(make(1, 3)), list(make(4, 0, -2))), ([0, 1, 2], [1, 2], [4, 2]))


class Comparisons(unittest.TestCase):
    """Tensors beside what is no tensor."""

    def setUp(self) -> None:
        fresh_host()

    def tearDown(self) -> None:
        restore()

    def test_none_is_not_a_tensor(self) -> None:
        seen: List[Any] = []

        @nki.jit
        def kernel(a: Any) -> None:
            seen.extend([a != None, a == None])  # noqa: E711 - what AWS's kernels write

        kernel(tensor[[4, 4], nl.float32])
        self.assertEqual(seen, [True, False])

    def test_enums_by_their_number(self) -> None:
        @nki.jit
        def kernel(a: Any) -> None:
            nisa.dma_copy(nl.ndarray((4, 4), dtype=nl.float32, buffer=nl.sbuf), a, dge_mode=3)

        program = recorded(kernel, tensor[[4, 4], nl.float32])
        self.assertEqual(program.instructions[0].attributes["dge_mode"], "none")
