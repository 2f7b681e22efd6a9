"""Recording in the legacy dialect: returned tiles, index expressions, masks, assignment into tiles."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import contextlib
import io
import math
import unittest
from typing import Any, Dict, Optional, Tuple

from record_support import fresh_host, recorded, restore

import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
from neuronxcc.nki.typing import tensor
from nki._record.launch.settings import settings
from nki._record.vocabulary import versions


@nki.jit
def exp_any_rows(a: Any) -> Any:
    """Elementwise exp in tiles of 128 rows; the last one is masked."""
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    rows, columns = a.shape
    i_f = nl.arange(columns)[None, :]
    for p in nl.affine_range(math.ceil(rows / 128)):
        i_p = p * 128 + nl.arange(128)[:, None]
        tile = nl.load(a[i_p, i_f], mask=(i_p < rows))
        nl.store(out[i_p, i_f], value=nl.exp(tile), mask=(i_p < rows))
    return out


class Legacy(unittest.TestCase):
    """`neuronxcc.nki`."""

    def test_masks_trim(self) -> None:
        program = recorded(exp_any_rows, tensor[[250, 512], nl.float32])
        self.assertEqual(program.operations(), ["language.load", "language.exp", "language.store"] * 2)
        load, exp, store = program.instructions[3:]
        self.assertEqual((load.operands["src"].shape, load.operands["src"].offset), ((122, 512), 128 * 512))
        self.assertEqual(load.operands["dst"].shape, (122, 512))
        self.assertEqual(program.tensor_shape(load.operands["dst"].tensor), (128, 512))
        self.assertEqual(exp.operands["x"].shape, (128, 512))
        self.assertEqual((store.operands["dst"].shape, store.operands["value"].shape), ((122, 512), (122, 512)))
        self.assertTrue(all(i.predicate is None for i in program.instructions))

    def test_a_version_is_told_if_one_is_asked_for(self) -> None:
        argument = tensor[[250, 512], nl.float32]
        self.assertNotIn("nkiVersion", recorded(exp_any_rows, argument).meta)
        self.addCleanup(setattr, settings, "nki_version", "")
        for version in ("0.2", versions.NEWEST):
            settings.nki_version = version
            self.assertEqual(recorded(exp_any_rows, argument).meta["nkiVersion"], version)

    def test_out_of_bounds_without_a_mask(self) -> None:
        @nki.jit
        def unmasked(a: Any) -> None:
            i_p, i_f = nl.mgrid[0:128, 0:512]
            nl.load(a[128 + i_p, i_f])

        with self.assertRaisesRegex(IndexError, r"index range 128\.\.255 is out of bounds of axis 0, which has size 250"):
            recorded(unmasked, tensor[[250, 512], nl.float32])

    def test_reshape_takes_whole_numbers_that_are_floats(self) -> None:
        shapes = []

        @nki.jit
        def kernel(a: Any) -> None:
            shapes.append(nl.load(a).reshape((128, a.shape[1] / 2, 2)).shape)

        recorded(kernel, tensor[[128, 12], nl.float32])
        self.assertEqual(shapes, [(128, 6, 2)])
        with self.assertRaises(TypeError):
            recorded(kernel, tensor[[128, 13], nl.float32])

    def test_a_mask_that_is_too_wide(self) -> None:
        @nki.jit
        def wide(a: Any) -> None:
            i_p, i_f = nl.mgrid[0:128, 0:512]
            nl.load(a[128 + i_p, i_f], mask=(i_p < 123))

        with self.assertRaisesRegex(IndexError, r"128\.\.250 .*the mask does not keep it inside"):
            recorded(wide, tensor[[250, 512], nl.float32])

    def test_triangular_mask_is_a_predicate(self) -> None:
        @nki.jit
        def triangle(a: Any) -> None:
            i_p, i_f = nl.mgrid[0:128, 0:128]
            nl.exp(nl.load(a), mask=(i_p >= i_f) & (i_f < 100))

        exp = recorded(triangle, tensor[[128, 128], nl.float32]).instructions[1]
        self.assertEqual(exp.predicate, {"terms": [{"coefficients": [1, -1], "constant": 0}]})
        self.assertEqual(exp.operands["dst"].shape, (128, 100))

    def test_a_part_whose_new_value_a_mask_left_nothing_of_keeps_what_it_has(self) -> None:
        @nki.jit
        def kernel(a: Any) -> None:
            carried = nl.zeros((128, 1), dtype=nl.float32)
            for i in nl.sequential_range(2):
                tile = nl.load(a[i])
                carried[:, :] = nl.copy(tile[:, 7], mask=i + 1 < 2)
                carried[...] += nl.exp(tile[:, 7], mask=i > 3)

        program = recorded(kernel, tensor[[2, 128, 8], nl.float32])
        self.assertEqual(program.operations(), ["language.zeros", "language.load", "language.copy", "language.load"])

    def test_one_value_per_partition_goes_with_any_number_of_free_axes(self) -> None:
        @nki.jit
        def kernel(a: Any, bias: Any) -> None:
            tile, column = nl.load(a), nl.load(bias)
            assert nisa.tensor_tensor(tile, column, op=nl.add).shape == (128, 2, 16)
            assert nl.add(column, tile).shape == (128, 2, 16)

        program = recorded(kernel, tensor[[128, 2, 16], nl.float32], tensor[[128, 1], nl.float32])
        self.assertEqual(program.instructions[2].operands["data2"].shape, (128, 1))
        with self.assertRaisesRegex(Exception, "do not broadcast together"):
            recorded(kernel, tensor[[128, 2, 16], nl.float32], tensor[[64, 1], nl.float32])

    def test_a_mask_that_leaves_nothing(self) -> None:
        @nki.jit
        def nothing(a: Any) -> None:
            i_p, i_f = nl.mgrid[0:128, 0:128]
            nl.load(a[256 + i_p, i_f], mask=(256 + i_p < 200))

        self.assertEqual(recorded(nothing, tensor[[200, 128], nl.float32]).operations(), [])

    def test_strided_index_expressions(self) -> None:
        @nki.jit
        def pool(a: Any) -> None:
            tile = nl.load(a)
            i0, i1, i2, i3, i4 = nl.mgrid[0:2, 0:3, 0:2, 0:3, 0:2]
            self.assertEqual(nl.sum(tile[i0, 2 * i1 + i2, 2 * i3 + i4], axis=[2, 4]).shape, (2, 3, 3))

        program = recorded(pool, tensor[[2, 6, 6], nl.float32])
        self.assertEqual(program.instructions[1].operands["x"].dims, [(36, 2), (12, 3), (6, 2), (2, 3), (1, 2)])

    def test_expressions_of_fewer_axes_stand_at_the_front(self) -> None:
        def body(a: Any) -> Any:
            x = nl.load(a)
            rows, i, j = nl.arange(4)[:, None], nl.arange(2)[None, :, None], nl.arange(3)[None, None, :]
            view = x[rows, 3 * i + j]
            out = nl.ndarray((4, 2, 3), dtype=a.dtype, buffer=nl.shared_hbm)
            nl.store(out, view)
            return out

        store = recorded(nki.jit(body), tensor[[4, 6], nl.float32]).instructions[-1]
        self.assertEqual(store.operands["value"].dims, [(6, 4), (3, 2), (1, 3)])

    def test_blocks_of_psum_are_accumulated_apart(self) -> None:
        def body(a: Any) -> Any:
            x = nl.load(a)
            sums = nl.zeros((2, nl.par_dim(128), 128), nl.float32, buffer=nl.psum)
            for block in range(2):
                for _ in range(2):
                    sums[block, 0:128, 0:128] += nisa.nc_matmul(x, x)
            out = nl.ndarray((128, 128), dtype=nl.float32, buffer=nl.shared_hbm)
            nl.store(out, sums[1])
            return out

        program = recorded(nki.jit(body), tensor[[128, 128], nl.float32])
        flags = [step.attributes["accumulate"] for step in program.instructions if step.operation.endswith("nc_matmul")]
        self.assertEqual(flags, [True] * 4)

    def test_tensors_of_separate_tiles_have_dtype_and_shape(self) -> None:
        def body(a: Any) -> Any:
            tiles = nl.zeros((4, 16, nl.par_dim(128), 512), nl.bfloat16, buffer=nl.sbuf)
            self.assertEqual((str(tiles.dtype), tiles.itemsize, tiles.shape), ("bfloat16", 2, [4, 16, 128, 512]))
            with self.assertRaisesRegex(Exception, r"tiles\[0, 0\] of shape .* has 2 block axes \(those before the partition axis\)"):
                nl.exp(tiles)
            out = nl.ndarray((128, 512), dtype=tiles.dtype, buffer=nl.shared_hbm)
            nl.store(out, tiles[1, 15])
            return out

        recorded(nki.jit(body), tensor[[128, 128], nl.float32])

    def test_matmul_accumulates_in_place(self) -> None:
        @nki.jit
        def matmul(a: Any) -> None:
            x = nl.load(a)
            psum = nl.zeros((128, 128), nl.float32, buffer=nl.psum)
            for _ in nl.affine_range(2):
                psum += nl.matmul(x, x, transpose_x=True)
            psum[...] += nisa.nc_matmul(x, x)
            kept = nisa.nc_matmul(x, x)
            psum += kept

        program = recorded(matmul, tensor[[128, 128], nl.bfloat16])
        names = ["load", "zeros", "matmul", "matmul", "nc_matmul", "nc_matmul", "add"]
        self.assertEqual([name.split(".")[1] for name in program.operations()], names)
        zeros = program.instructions[1].operands["dst"].tensor
        for i in program.instructions[2:5]:
            self.assertEqual((i.operands["dst"].tensor, i.attributes["accumulate"]), (zeros, True))
        self.assertEqual(program.instructions[5].attributes["accumulate"], False)
        self.assertNotEqual(program.instructions[5].operands["dst"].tensor, zeros)
        self.assertEqual(len(program.columns["tensors.space"]), 4)

    def test_assignment_writes_in_place_or_copies(self) -> None:
        @nki.jit
        def assign(a: Any) -> None:
            tiles = nl.ndarray((2, nl.par_dim(128), 64), dtype=a.dtype, buffer=nl.sbuf)
            grid = nl.mgrid[0:128, 0:64]
            for k in nl.affine_range(2):
                tiles[k, grid.p, grid.x] = nl.load(a[k * 128 + grid.p, grid.x])
            tiles[0] = tiles[1]
            tiles[1] = nl.copy(tiles[0], dtype=nl.float16)
            tiles[0] += 1.0
            tiles[0] = 0.0

        program = recorded(assign, tensor[[256, 64], nl.float32])
        names = ["load", "load", "copy", "copy", "copy", "add", "memset"]
        self.assertEqual([name.split(".")[1] for name in program.operations()], names)
        loads = [i.operands["dst"] for i in program.instructions[:2]]
        self.assertEqual([(d.offset, d.dims) for d in loads], [(0, [(128, 128), (1, 64)]), (64, [(128, 128), (1, 64)])])
        self.assertEqual(program.tensor_shape(loads[0].tensor), (128, 2, 64))
        self.assertEqual(program.instructions[3].operands["x"].offset, 0)

    def test_assignment_never_disturbs_its_own_input(self) -> None:
        @nki.jit
        def transpose(a: Any) -> None:
            x = nl.load(a)
            psum = nl.ndarray((64, 64), dtype=a.dtype, buffer=nl.psum)
            psum[...] = nl.transpose(x)
            x[...] = nl.exp(x)
            psum[...] = nl.transpose(psum)

        program = recorded(transpose, tensor[[64, 64], nl.float32])
        self.assertEqual([n.split(".")[1] for n in program.operations()], ["load", "transpose", "exp", "transpose", "copy"])

    def test_assignment_to_psum_is_one_instruction(self) -> None:
        @nki.jit
        def kernel(a: Any) -> None:
            x = nl.load(a)
            psum = nl.ndarray((128, 64), dtype=nl.float32, buffer=nl.psum)
            psum[...] = nisa.tensor_copy(x)
            x[...] = nisa.tensor_tensor(psum, x, op=nl.add)
            x[0:64, :] = nisa.nc_transpose(x[0:64, :])

        program = recorded(kernel, tensor[[128, 64], nl.float32])
        self.assertEqual([n.split(".")[1] for n in program.operations()], ["load", "tensor_copy", "tensor_tensor", "nc_transpose", "copy"])

    def test_assignment_to_another_place_of_what_is_read_is_one_instruction(self) -> None:
        @nki.jit
        def kernel(a: Any) -> None:
            x = nl.ndarray((128, 64), dtype=nl.float32, buffer=nl.sbuf)
            x[:, 0:32] = nl.load(a)
            x[:, 32:64] = nisa.tensor_tensor(x[:, 0:32], x[:, 0:32], op=nl.add)  # other columns
            x[0:64, 0:32] = nisa.tensor_tensor(x[64:128, 16:48], x[64:128, 0:32], op=nl.add)  # other partitions
            x[:, 0:32] = nisa.tensor_tensor(x[:, 1:33], x[:, 32:64], op=nl.add)  # some of what is read

        program = recorded(kernel, tensor[[128, 32], nl.float32])
        self.assertEqual([n.split(".")[1] for n in program.operations()], ["load", *["tensor_tensor"] * 3, "copy"])

    def test_keywords_that_do_not_exist(self) -> None:
        @nki.jit
        def keyword(a: Any) -> None:
            nl.exp(nl.load(a), lanes=4)

        with self.assertRaisesRegex(TypeError, r"nki\.language\.exp\(\) has no parameter 'lanes'"):
            recorded(keyword, tensor[[64, 64], nl.float32])

    def test_promotion_of_numbers(self) -> None:
        @nki.jit
        def numbers(a: Any) -> None:
            x = nl.load(a)
            self.assertEqual((x * 2).dtype, "float16")
            self.assertEqual((x * 1.5).dtype, "float32")
            self.assertEqual(nl.add(x, 1.5, dtype=nl.bfloat16).dtype, nl.bfloat16)

        recorded(numbers, tensor[[64, 64], nl.float16])


class Benchmark(unittest.TestCase):
    """`@nki.benchmark`."""

    def test_table_and_trace(self) -> None:
        @nki.benchmark(warmup=2, iters=4, save_neff_name="kernel.neff", save_trace_name="traces/profile.ntff")
        def copied(a: Any) -> Any:
            out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
            nl.store(out, nl.load(a))
            return out

        fake, printed = fresh_host(), io.StringIO()
        with contextlib.redirect_stdout(printed):
            copied(tensor[[128, 64], nl.float32])
        _, name, rule, heads, values, last = printed.getvalue().rstrip("\n").split("\n")
        self.assertEqual((name.rstrip(), rule), ("kernel", last))
        table = dict(zip([head for head in heads.replace("NC USED", "NC_USED").split()], values.split()))
        expected = {"B": "1", "NC": "1", "NC_USED": "1", "INF/S": "50000.00", "NCL(1)": "20", "NCL(50)": "20", "NCL(99)": "20"}
        self.assertEqual({key: table[key] for key in expected}, expected)
        self.assertEqual(len(set(map(len, (rule, heads, values)))), 1)
        self.assertEqual(fake.asked("saveProfile"), [{"call": "saveProfile", "name": "profile.ntff"}])
        assert copied.benchmark_result is not None
        self.assertEqual(copied.benchmark_result.nc_latency.get_latency_percentile(99), 20)


class Profile(unittest.TestCase):
    """`@nki.profile`."""

    def call(self, reply: Optional[Dict[str, Any]] = None, **options: Any) -> Tuple[Any, str]:
        """What the host was asked to save, and what was printed."""

        @nki.profile(**options)
        def copied(a: Any) -> Any:
            out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
            nl.store(out, nl.load(a))
            return out

        fake, printed = fresh_host(), io.StringIO()
        if reply is not None:
            fake.save_reply = reply
        with contextlib.redirect_stdout(printed):
            copied(tensor[[128, 64], nl.float32])
        (asked,) = fake.asked("saveProfile")
        return {name: value for name, value in asked.items() if name != "call"}, printed.getvalue()

    def test_names_the_execution_that_is_kept(self) -> None:
        """As the trace on a device."""
        self.assertEqual(self.call(), ({"name": "profile.ntff"}, ""))
        self.assertEqual(self.call(profile_nth=2)[0], {"name": "profile_exec_2.ntff"})
        self.assertEqual(self.call(save_trace_name="a/b.ntff", profile_nth=10)[0], {"name": "b_exec_10.ntff"})

    def test_asks_for_the_working_directory(self) -> None:
        """It is the host that may write there."""
        wanted = {"name": "profile.ntff", "folder": "/p", "overwrite": False}
        self.assertEqual(self.call({"ok": {"path": "/p/profile.nkiprof"}}, working_directory="/p"), (wanted, ""))
        asked, printed = self.call({"ok": {"path": "/w/profile.nkiprof"}}, working_directory="/p", overwrite=True)
        self.assertEqual(asked, {**wanted, "overwrite": True})
        self.assertRegex(printed, r"saved as /w/profile.nkiprof. This run may not write to /p; .*--save-profiles /p")

    def test_says_what_was_not_replaced(self) -> None:
        """The kernel's results are there all the same."""
        refused = {"error": {"kind": "SaveError", "message": "it exists"}}
        self.assertEqual(self.call(refused, working_directory="/p")[1], "nki.profile: it exists\n")

    def test_refuses_before_the_kernel_runs(self) -> None:
        """What `nki.profile` refuses."""
        for options in ({"working_directory": "p"}, {"profile_nth": 0}, {"profile_nth": "two"}):
            with self.assertRaisesRegex(ValueError, "nki.profile: "):
                self.call(**options)


def tearDownModule() -> None:
    """The interpreter's own host again."""
    restore()


if __name__ == "__main__":
    unittest.main()
