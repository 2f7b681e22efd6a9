"""Recording in today's dialect: what lands in the columns."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import inspect
import unittest
from typing import Any

from record_support import FakeHost, fresh_host, recorded, restore

import nki
import nki.isa as nisa
import nki.language as nl
from nki._record.launch.settings import settings
from nki.typing import tensor


@nki.jit
def add_halves(a: Any, factor: int) -> Any:
    """Adds the halves of the rows of a [128, 512] tensor."""
    out = nl.ndarray((128, 256), dtype=a.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=a)
    total = nl.ndarray((128, 256), dtype=a.dtype, buffer=nl.sbuf)
    nisa.tensor_tensor(dst=total, data1=tile[:, 0:256], data2=tile[:, 256:512], op=nl.add)
    nisa.tensor_scalar(dst=total, data=total, op0=nl.multiply, operand0=factor)
    nisa.dma_copy(dst=out, src=total)
    return out


@nki.jit
def accumulate(a: Any) -> Any:
    """Two matmuls into one PSUM tile, then one into half of another."""
    x = nl.ndarray((128, 128), dtype=a.dtype, buffer=nl.sbuf)
    nisa.dma_copy(x, a)
    for _ in range(2):
        psum = nl.ndarray((128, 128), dtype=nl.float32, buffer=nl.psum)
        for _k in range(2):
            nisa.nc_matmul(psum, x, x)
    nisa.nc_matmul(psum, x, x, accumulate=False)
    other = nl.ndarray((128, 128), dtype=nl.float32, buffer=nl.psum)
    nisa.nc_matmul(other[:, 0:64], x, x[:, 0:64])
    nisa.nc_matmul(other[:, 64:128], x, x[:, 64:128])
    nisa.nc_matmul(other, x, x)


@nki.jit
def views_of(a: Any) -> None:
    """Every kind of view as a source."""
    t = nl.ndarray((128, 4, 16), dtype=nl.float32, buffer=nl.sbuf)
    flat = nl.ndarray((128, 64), dtype=nl.float32, buffer=nl.sbuf)
    nisa.tensor_copy(flat[:, 0:4], t[0:128, :, :].permute((0, 2, 1))[:, 0, :])
    nisa.tensor_copy(flat, t.reshape((128, 64)))
    nisa.tensor_copy(flat[:, 0:32], t.ap([[64, 128], [2, 32]], offset=1))
    nisa.tensor_copy(flat[0:1, nl.ds(8, 16)], t[5, 3])
    nisa.tensor_copy(flat, t[:, 0:1, 0:1].broadcast(1, 4).broadcast(2, 16))


class Today(unittest.TestCase):
    """`nki`."""

    def test_operands_and_attributes(self) -> None:
        program = recorded(add_halves, tensor[[128, 512], nl.bfloat16], 3)
        self.assertEqual(program.operations(), ["isa.dma_copy", "isa.tensor_tensor", "isa.tensor_scalar", "isa.dma_copy"])
        add = program.instructions[1]
        self.assertEqual(add.attributes["op"], "add")
        self.assertEqual(add.operands["data2"].dims, [(512, 128), (1, 256)])
        self.assertEqual(add.operands["data2"].offset, 256)
        self.assertEqual(program.tensor_name(add.operands["dst"].tensor), "total")
        self.assertEqual(program.instructions[2].attributes["operand0"], 3.0)

    def test_program_head(self) -> None:
        program = recorded(add_halves, tensor[[128, 512], nl.bfloat16], 3)
        meta = program.meta
        self.assertEqual((meta["kernel"], meta["dialect"], meta["literal"], meta["grid"]), ("add_halves", "nki", True, []))
        self.assertEqual([entry["name"] for entry in meta["inputs"] + meta["outputs"]], ["a", "out"])
        self.assertEqual(program.tensor_shape(meta["inputs"][0]["tensor"]), (128, 512))
        kinds = program.columns["tensors.kind"]
        self.assertEqual([kinds[meta["inputs"][0]["tensor"]], kinds[meta["outputs"][0]["tensor"]]], [1, 2])

    def test_two_runs_give_the_same_program(self) -> None:
        argument = tensor[[128, 512], nl.bfloat16]
        first, second = recorded(add_halves, argument, 3), recorded(add_halves, argument, 3)
        self.assertEqual(first.meta, second.meta)
        self.assertEqual(first.columns, second.columns)

    def test_accumulate_is_settled(self) -> None:
        program = recorded(accumulate, tensor[[128, 128], nl.bfloat16])
        flags = [i.attributes["accumulate"] for i in program.instructions if i.operation.endswith("nc_matmul")]
        self.assertEqual(flags, [False, True, False, True, False, False, False, True])

    def test_partly_written_psum_is_decided_place_by_place(self) -> None:
        @nki.jit
        def kernel(a: Any) -> None:
            x = nl.ndarray((128, 128), dtype=a.dtype, buffer=nl.sbuf)
            nisa.dma_copy(x, a)
            psum = nl.ndarray((128, 128), dtype=nl.float32, buffer=nl.psum)
            nisa.nc_matmul(psum[:, 0:64], x, x[:, 0:64])
            nisa.nc_matmul(psum, x, x)
            nisa.nc_matmul(psum, x, x)

        program = recorded(kernel, tensor[[128, 128], nl.bfloat16])
        flags = [i.attributes.get("accumulate") for i in program.instructions[1:]]
        self.assertEqual(flags, [False, None, True])

    def test_ap_on_a_view_walks_rows_of_the_view(self) -> None:
        @nki.jit
        def kernel() -> None:
            whole = nl.ndarray((128, 64), dtype=nl.float32, buffer=nl.sbuf)
            right = whole.ap([[64, 128], [1, 16]], offset=32)
            rows = right.ap([[16, 128], [1, 16]], offset=0)
            self.assertEqual((rows.offset, rows.strides, rows.shape), (right.offset, right.strides, right.shape))
            part = right.ap([[16, 2], [1, 4]], offset=16 * 3 + 2)
            self.assertEqual((part.offset, part.strides), (3 * 64 + 34, (64, 1)))
            # with rows of the storage it ignores the view, as the guide says
            self.assertEqual(right.ap([[64, 128], [1, 16]], offset=0).offset, 0)

        recorded(kernel)

    def test_views(self) -> None:
        program = recorded(views_of, tensor[[128, 64], nl.float32])
        dims = [i.operands["src"].dims for i in program.instructions]
        self.assertEqual(dims[0], [(64, 128), (16, 4)])
        self.assertEqual(dims[1], [(64, 128), (1, 64)])
        self.assertEqual((dims[2], program.instructions[2].operands["src"].offset), ([(64, 128), (2, 32)], 1))
        self.assertEqual((dims[3][0][1], dims[3][1], program.instructions[3].operands["src"].offset), (1, (1, 16), 5 * 64 + 48))
        self.assertEqual(dims[4], [(64, 128), (0, 4), (0, 16)])

    def test_int_index_keeps_two_axes_on_chip(self) -> None:
        @nki.jit
        def shapes(a: Any) -> None:
            t = nl.ndarray((64, 64, 64), dtype=nl.float32, buffer=nl.sbuf)
            self.assertEqual([t[0, 0, 10].shape, t[:, 0].shape, t[:, 0, 10].shape], [(1, 1), (64, 64), (64, 1)])
            h = nl.ndarray((4, 128, 32), dtype=nl.float32, buffer=nl.shared_hbm)
            self.assertEqual([h[0].shape, h[0, 1, 2].shape, h[-1, 5:7].shape], [(128, 32), (1,), (2, 32)])
            self.assertEqual(t[..., 3].shape, (64, 64))

        recorded(shapes, tensor[[128, 64], nl.float32])

    def test_language_functions_return_tiles(self) -> None:
        @nki.jit
        def chain(a: Any) -> None:
            x = nl.load(a)
            y = nl.exp(x) + 1.0
            self.assertEqual((y.shape, str(y.dtype), y.buffer), ((128, 64), "float32", nl.sbuf))
            s = nl.sum(y, axis=[1])
            self.assertEqual(s.shape, (128, 1))
            self.assertEqual((x > 0.0).dtype, "float32")  # of the inputs; bool in the legacy dialect only
            z = y * s
            self.assertEqual(z.shape, (128, 64))
            self.assertEqual(nl.transpose(x).shape, (64, 128))

        program = recorded(chain, tensor[[128, 64], nl.float32])
        names = ["load", "exp", "add", "sum", "greater", "multiply", "transpose"]
        self.assertEqual(program.operations(), [f"language.{name}" for name in names])
        self.assertEqual(program.instructions[3].attributes, {"axis": [1], "keepdims": False})
        self.assertEqual(program.instructions[5].operands["y"].dims, [(1, 128), (1, 1)])

    def test_known_calls_record_the_same_as_first_calls(self) -> None:
        @nki.jit
        def twice(a: Any) -> None:
            for _ in range(2):
                x = nl.load(a)
                y = nl.zeros((128, 64), nl.float32)
                nisa.activation(dst=y, op=nl.exp, data=x, scale=2.0, bias=x[:, 0:1])
                nl.max(y, axis=1)

        program = recorded(twice, tensor[[128, 64], nl.float32])
        half = len(program.instructions) // 2
        for first, second in zip(program.instructions[:half], program.instructions[half:]):
            self.assertEqual(first.operation, second.operation)
            self.assertEqual(first.attributes, second.attributes)
            self.assertEqual([o.dims for o in first.operands.values()], [o.dims for o in second.operands.values()])
            self.assertEqual(list(first.operands), list(second.operands))
            self.assertNotEqual(first.operands["dst"].tensor, second.operands["dst"].tensor)

    def test_grid_shares_its_output(self) -> None:
        @nki.jit
        def per_program(a: Any) -> Any:
            out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
            i = nl.program_id(0)
            tile = nl.load(a[i * 128 : (i + 1) * 128])
            nl.store(out[i * 128 : (i + 1) * 128], tile)
            self.assertEqual((nl.num_programs(0), nl.program_ndim()), (2, 1))
            return out

        program = recorded(per_program[2], tensor[[256, 64], nl.float32])
        self.assertEqual(program.meta["grid"], [2])
        stores = [i.operands["dst"] for i in program.instructions if i.operation.endswith("store")]
        self.assertEqual([s.offset for s in stores], [0, 128 * 64])
        self.assertEqual(stores[0].tensor, stores[1].tensor)

    def test_a_written_input_is_an_output(self) -> None:
        @nki.jit
        def in_place(a: Any) -> None:
            nl.store(a, nl.exp(nl.load(a)))

        program = recorded(in_place, tensor[[128, 64], nl.float32])
        self.assertEqual([entry["name"] for entry in program.meta["outputs"]], ["a"])

    def test_identity_is_a_constant_input(self) -> None:
        @nki.jit
        def identity(a: Any) -> None:
            for _ in range(2):
                nisa.tensor_copy(nl.ndarray((4, 4), nl.bfloat16), nl.shared_identity_matrix(4, dtype=nl.bfloat16))

        fake = fresh_host()
        identity(tensor[[128, 64], nl.float32])
        program = fake.programs[0]
        constant = program.meta["inputs"][1]
        self.assertEqual((len(program.meta["inputs"]), program.columns["tensors.kind"][constant["tensor"]]), (2, 3))
        self.assertEqual([request["shape"] for request in fake.asked("array.put")], [[4, 4]])
        self.assertEqual(program.operations(), ["isa.dma_copy", "isa.tensor_copy", "isa.tensor_copy"])

    def test_signatures_are_the_rows(self) -> None:
        self.assertEqual(list(inspect.signature(nisa.tensor_tensor).parameters), ["dst", "data1", "data2", "op", "engine", "name"])
        self.assertIn("element by element", nisa.tensor_tensor.__doc__ or "")

    def test_kernels_inside_kernels_are_inlined(self) -> None:
        @nki.jit
        def outer(a: Any) -> Any:
            return add_halves(a, 2)

        program = recorded(outer, tensor[[128, 512], nl.bfloat16])
        self.assertEqual(program.meta["kernel"], "outer")
        self.assertEqual([function for function, _ in program.instructions[0].stack], ["add_halves", "outer"])

    def test_results_and_decorator_spellings(self) -> None:
        def body(a: Any, n: int = 2) -> Any:
            out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
            nl.store(out, nl.load(a))
            return {"x": out, "n": n}

        fake: FakeHost = fresh_host()
        for kernel in (nki.jit(body), nki.jit()(body), nki.jit(mode="simulation", platform_target="trn1")(body), nki.simulate(body)):
            result = kernel(tensor[[128, 4], nl.float32])
            self.assertEqual((result["x"].shape, result["n"]), ((128, 4), 2))
        self.assertEqual(fake.programs[2].meta["target"], "trn1")

    def test_tensors_may_have_what_the_compiler_leaves_of_sbuf(self) -> None:
        # 224 KiB of a partition, of which the compiler keeps 16 KiB and 8 bytes (nkipy, HardwareConstants.h).
        self.assertEqual(nl.tile_size.sbuf_fmax_bytes, 212_984)
        self.assertEqual(nl.tile_size.total_available_sbuf_size, 212_984)
        self.assertEqual(nl.tile_size.sbuf_size_bytes, 128 * 224 * 1024)

    def test_until_version_0_2_axis_1_of_tensor_reduce_is_the_last_one(self) -> None:
        @nki.jit
        def kernel(axis: Any) -> None:
            total = nl.ndarray((128, 1), dtype=nl.float32, buffer=nl.sbuf)
            nisa.tensor_reduce(total, nl.add, nl.zeros((128, 1, 16), dtype=nl.float32, buffer=nl.sbuf), axis=axis)

        for version, axis, recorded_axes in (("0.2", 1, [2]), ("0.2", [1, 2], [1, 2]), ("0.3", 2, [2])):
            settings.nki_version = version
            with self.subTest(version=version, axis=axis):
                self.assertEqual(recorded(kernel, axis).instructions[-1].attributes["axis"], recorded_axes)
        settings.nki_version = ""
        with self.assertRaisesRegex(Exception, r"the result has \(128, 16\). Until NKI 0.2 .* write axis=2, or .* --nki-version 0.2"):
            recorded(kernel, 1)


def tearDownModule() -> None:
    """The interpreter's own host again."""
    restore()


if __name__ == "__main__":
    unittest.main()
