"""Manual allocation in both dialects: where tiles lie, and what is refused."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import unittest
from typing import Any, List, Tuple

from record_support import fresh_host, recorded, restore

import neuronxcc.nki as legacy
import neuronxcc.nki.compiler as ncc
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
import nki
from nki.typing import tensor

_INPUT = tensor[[4, 128, 512], nl.float32]


def _places(program: Any) -> List[Tuple[str, float, Tuple[int, ...]]]:
    """(name, address, storage shape) of the tensors with a chosen address."""
    addresses = program.columns["tensors.addressBytes"]
    return [(program.tensor_name(t), addresses[t], program.tensor_shape(t)) for t in range(len(addresses)) if addresses[t] >= 0]


def _blocks(buffer: Any, dtype: Any = nl.float32, mark: Any = lambda function: function) -> Any:
    """A kernel that loads four tiles into a tensor in `buffer` and stores them."""

    @mark
    @legacy.jit
    def kernel(x: Any) -> Any:
        out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
        tiles = nl.ndarray((4, nl.par_dim(128), 512), dtype=dtype, buffer=buffer)
        i_p, i_f = nl.mgrid[0:128, 0:512]
        for i in nl.affine_range(4):
            tiles[i, i_p, i_f] = nl.copy(nl.load(x[i]))
            nl.store(out[i], nl.copy(tiles[i]))
        return out

    return kernel


class Placements(unittest.TestCase):
    """`nki.compiler.{sbuf,psum}.{alloc,mod_alloc}`, addresses as the tables of AWS's documentation give them."""

    def setUp(self) -> None:
        fresh_host()

    def tearDown(self) -> None:
        restore()

    def test_modulo_allocation_takes_turns(self) -> None:
        program = recorded(_blocks(ncc.sbuf.mod_alloc(base_addr=64, num_free_tiles=(2,)), nl.bfloat16), _INPUT)
        self.assertEqual(_places(program), [(f"tiles[{i}]", 64 + i % 2 * 1024, (128, 512)) for i in range(4)])

    def test_tiles_that_follow_each_other_are_one_tensor(self) -> None:
        program = recorded(_blocks(ncc.sbuf.mod_alloc(base_addr=0, num_free_tiles=(4,))), _INPUT)
        self.assertEqual(_places(program), [("tiles", 0, (128, 4, 512))])

    def test_psum_banks_take_turns(self) -> None:
        program = recorded(_blocks(ncc.psum.mod_alloc(base_bank=3, num_bank_tiles=(2,))), _INPUT)
        self.assertEqual([address for _, address, _ in _places(program)], [3 * 2048, 4 * 2048, 3 * 2048, 4 * 2048])

    def test_a_function_chooses(self) -> None:
        asked = []

        def place(index: Any, partitions: int, size: int) -> Any:
            asked.append((index, partitions, size))
            return 0, 4096 - 1024 * index[0]

        program = recorded(_blocks(ncc.sbuf.alloc(place), nl.bfloat16), _INPUT)
        self.assertEqual(asked, [((i,), 128, 1024) for i in range(4)])
        self.assertEqual([address for _, address, _ in _places(program)], [4096, 3072, 2048, 1024])

    def test_zeros_are_written_tile_by_tile(self) -> None:
        @legacy.jit
        def kernel() -> None:
            tiles = nl.zeros((2, nl.par_dim(128), 16), dtype=nl.float32, buffer=ncc.sbuf.mod_alloc(base_addr=0))
            for i in nl.affine_range(2):
                nl.copy(tiles[i])

        program = recorded(kernel)
        self.assertEqual(program.operations(), ["language.zeros", "language.copy"] * 2)
        self.assertEqual([address for _, address, _ in _places(program)], [0, 0])

    def test_a_start_partition_is_a_view_of_the_partitions_after_it(self) -> None:
        @nki.jit
        def kernel() -> None:
            tile = nki.language.ndarray((32, 16), dtype=nl.float32, buffer=nki.language.sbuf, address=(64, 128))
            nki.isa.memset(tile, 0)

        program = recorded(kernel)
        written = program.instructions[0].operands["dst"]
        self.assertEqual((written.offset, written.shape), (64 * 16, (32, 16)))
        self.assertEqual(_places(program), [("tile", 128, (96, 16))])

    def test_addresses_that_a_loop_adds_up_are_those_of_its_first_iteration(self) -> None:
        def grown(ranged: Any) -> List[float]:
            @legacy.jit
            def kernel() -> None:
                free = 0
                for _ in ranged(2):
                    for _ in nl.affine_range(2):
                        for _ in nl.static_range(2):
                            nl.ndarray((128, 64), dtype=nl.float32, buffer=ncc.sbuf.mod_alloc(base_addr=free))
                            free += 256
                    nl.ndarray((128, 64), dtype=nl.float32, buffer=ncc.sbuf.alloc(lambda *_: (0, free)))  # noqa: B023 - asked at once

            return [address for _, address, _ in _places(recorded(kernel))]

        once = [0, 256, 0, 256, 1024]
        self.assertEqual(grown(nl.sequential_range), once * 2)
        self.assertEqual(grown(nl.static_range), [*once, 1024, 1280, 1024, 1280, 2048])

    def test_each_instance_of_a_grid_places_for_itself(self) -> None:
        @legacy.jit
        def kernel() -> None:
            for _ in nl.affine_range(2):
                nl.ndarray((128, 64), dtype=nl.float32, buffer=ncc.sbuf.mod_alloc(base_addr=256 * nl.program_id(0)))

        self.assertEqual([address for _, address, _ in _places(recorded(kernel[2]))], [0, 0, 256, 256])

    def test_force_auto_alloc_ignores_addresses(self) -> None:
        kernel = _blocks(ncc.sbuf.mod_alloc(base_addr=64, num_free_tiles=(2,)), mark=ncc.force_auto_alloc)
        self.assertEqual(_places(recorded(kernel, _INPUT)), [])

    def test_marks_and_directives_change_nothing(self) -> None:
        @ncc.enable_stack_allocator(log_level=10)
        @ncc.skip_middle_end_transformations
        @legacy.jit
        def kernel(x: Any) -> None:
            for _ in nl.sequential_range(2, directives=ncc.multi_buffer(2)):
                with ncc.no_reorder():
                    nl.load(x[0])

        program = recorded(kernel, _INPUT)
        self.assertTrue(program.meta["literal"])
        self.assertEqual(program.operations(), ["language.load"] * 2)

    def test_misuse(self) -> None:
        cases = {
            r"tile \(0,\) .*cannot start at partition 32: one of 0": ncc.sbuf.alloc(lambda index, partitions, size: (32, 0)),
            r"num_free_tiles=\(2, 2\) must have one number for each of the tensor's 1 block axes": ncc.sbuf.mod_alloc(
                base_addr=0, num_free_tiles=(2, 2)
            ),
            r"cannot start at byte -4": ncc.sbuf.mod_alloc(base_addr=-4),
            r"PSUM has banks 0 to 7, not 8": ncc.psum.mod_alloc(base_bank=8),
            r"leaves its PSUM bank": ncc.psum.mod_alloc(base_bank=0, base_addr=4),
            r"must return \(bank_id, start_partition, byte_addr\)": ncc.psum.alloc(lambda index, partitions, size: (0, 0)),
        }
        for message, buffer in cases.items():
            with self.subTest(message), self.assertRaisesRegex(nki.NkiValidationError, message):
                recorded(_blocks(buffer), _INPUT)

    def test_placed_tiles_are_used_one_at_a_time(self) -> None:
        @legacy.jit
        def kernel() -> None:
            tiles = nl.ndarray((4, nl.par_dim(128), 16), dtype=nl.float32, buffer=ncc.sbuf.mod_alloc(base_addr=0))
            tiles[...] = 0

        with self.assertRaisesRegex(nki.NkiValidationError, "index each block axis with an integer"):
            recorded(kernel)


class Blocks(unittest.TestCase):
    """Block axes without a placement."""

    def setUp(self) -> None:
        fresh_host()

    def tearDown(self) -> None:
        restore()

    def test_psum_tiles_have_lives_of_their_own(self) -> None:
        @legacy.jit
        def kernel() -> None:
            tiles = nl.zeros((32, nl.par_dim(128), 512), dtype=nl.float32, buffer=nl.psum)
            nl.copy(tiles[31])
            nl.copy(tiles[-1, :, 0:16])

        program = recorded(kernel)
        self.assertEqual(program.operations(), ["language.zeros", "language.copy", "language.copy"])
        names = [program.tensor_name(i.operands["x"].tensor) for i in program.instructions[1:]]
        self.assertEqual(names, ["tiles[31]", "tiles[31]"])
        self.assertEqual(program.instructions[2].operands["x"].shape, (128, 16))

    def test_a_tile_is_filled_at_its_first_use_at_the_line_that_made_it(self) -> None:
        @legacy.jit
        def kernel() -> None:
            tiles = nl.full((3, nl.par_dim(128), 16), 2, dtype=nl.float32, buffer=nl.psum)
            for i in nl.affine_range(2):
                nl.copy(tiles[i])
                nl.copy(tiles[i])

        program = recorded(kernel)
        self.assertEqual(program.operations(), ["language.full", "language.copy", "language.copy"] * 2)
        first, use = program.instructions[0], program.instructions[1]
        self.assertEqual(first.attributes["fill_value"], 2)
        self.assertEqual(use.stack[0][1] - first.stack[0][1], 2)

    def test_a_tile_that_is_written_whole_first_is_never_filled(self) -> None:
        @legacy.jit
        def kernel(weights: Any, data: Any) -> None:
            w, x = nl.load(weights), nl.load(data)
            tiles = nl.zeros((2, nl.par_dim(128), 128), dtype=nl.float32, buffer=nl.psum, lazy_initialization=True)
            tiles[0] = nisa.nc_matmul(w, x)
            tiles[1, 0:64, :] = nisa.nc_matmul(w[:, 0:64], x)

        square = tensor[[128, 128], nl.float32]
        program = recorded(kernel, square, square)
        self.assertEqual(program.operations()[2:], ["isa.nc_matmul", "language.zeros", "isa.nc_matmul"])

    def test_a_masked_write_leaves_the_fill_around_it(self) -> None:
        @legacy.jit
        def kernel(data: Any) -> None:
            tiles = nl.zeros((2, nl.par_dim(128), 32768), dtype=nl.float32, buffer=nl.sbuf)
            p, f = nl.mgrid[0:128, 0:32768]
            tiles[0, p, f] = nl.load(data[p, f], mask=p < 100)

        program = recorded(kernel, tensor[[100, 32768], nl.float32])
        self.assertEqual(program.operations(), ["language.zeros", "language.load"])

    def test_products_accumulate_onto_the_fill(self) -> None:
        @legacy.jit
        def kernel(weights: Any, data: Any) -> None:
            w, x = nl.load(weights), nl.load(data)
            tiles = nl.zeros((2, nl.par_dim(128), 128), dtype=nl.float32, buffer=nl.psum)
            for _ in nl.affine_range(2):
                tiles[0] += nisa.nc_matmul(w, x)

        square = tensor[[128, 128], nl.float32]
        program = recorded(kernel, square, square)
        self.assertEqual(program.operations()[2:], ["language.zeros", "isa.nc_matmul", "isa.nc_matmul"])
        self.assertTrue(all(i.attributes["accumulate"] for i in program.instructions[3:]))

    def test_small_block_tensors_in_sbuf_stay_whole(self) -> None:
        @legacy.jit
        def kernel() -> None:
            nl.zeros((4, nl.par_dim(128), 512), dtype=nl.float32, buffer=nl.sbuf)

        self.assertEqual(recorded(kernel).operations(), ["language.zeros"])
