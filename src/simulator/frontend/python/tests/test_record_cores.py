"""Launch grids, and kernels over two physical cores (LNC2): values through the real host, and what each core's program holds."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import contextlib
import io
import struct
import unittest
import warnings
from typing import Any, List

from record_support import Listening, environment, fresh_host, restore

import neuronxcc.nki as legacy
import neuronxcc.nki.language as legacy_nl
import nki
import nki.isa as nisa
import nki.language as nl
from nki._record.launch.settings import settings
from nki._record.wire import host


def ramp(rows: int, columns: int = 1) -> Any:
    """0, 1, 2, ... as float32."""
    return host.put("float32", (rows, columns), struct.pack(f"<{rows * columns}f", *range(rows * columns)))


def floats(result: Any) -> List[float]:
    """Values of a float32 result."""
    data = getattr(result, "_array", result).tobytes()  # of real NumPy, where that is installed
    return list(struct.unpack(f"<{len(data) // 4}f", data))


@nki.jit
def by_rows(a: Any) -> Any:
    """Each program adds its number + 1 to its rows; the last one twice."""
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    me, count = nl.program_id(0), a.shape[0] // nl.num_programs(0)
    tile = nl.ndarray((count, a.shape[1]), dtype=a.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=a[me * count : (me + 1) * count])
    for _ in range(1 + (me == nl.num_programs(0) - 1)):
        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.add, operand0=float(me + 1))
    nisa.dma_copy(dst=out[me * count : (me + 1) * count], src=tile)
    return out


@legacy.jit
def legacy_by_rows(a: Any) -> Any:
    """Each program of a two-axis grid copies a row."""
    out = legacy_nl.ndarray(a.shape, dtype=a.dtype, buffer=legacy_nl.shared_hbm)
    row = legacy_nl.program_id(0) * legacy_nl.num_programs(1) + legacy_nl.program_id(1)
    legacy_nl.store(out[row : row + 1], legacy_nl.load(a[row : row + 1]))
    assert (legacy_nl.program_ndim(), legacy_nl.num_programs((0, 1))) == (2, (2, 3))
    return out


@legacy.jit
def legacy_by_number(a: Any) -> Any:
    """The same for any grid of two axes."""
    out = legacy_nl.ndarray(a.shape, dtype=a.dtype, buffer=legacy_nl.shared_hbm)
    row = legacy_nl.program_id(0) * legacy_nl.num_programs(1) + legacy_nl.program_id(1)
    legacy_nl.store(out[row : row + 1], legacy_nl.load(a[row : row + 1]))
    return out


@nki.jit
def other_half(a: Any) -> Any:
    """Each core writes its half to shared HBM, waits, and reads the other's: the result is `a` with its halves swapped, plus 10."""
    shared = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    me, half = nl.program_id(0), a.shape[0] // 2
    mine, theirs = slice(me * half, (me + 1) * half), slice((1 - me) * half, (2 - me) * half)
    tile = nl.ndarray((half, 1), dtype=a.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=a[mine])
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.add, operand0=10.0)
    nisa.dma_copy(dst=shared[mine], src=tile)
    nisa.core_barrier(shared, (0, 1))
    nisa.dma_copy(dst=tile, src=shared[theirs])
    nisa.dma_copy(dst=out[mine], src=tile)
    return out


@nki.jit
def exchanged(a: Any) -> Any:
    """The same by `sendrecv`, from SBUF to SBUF."""
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    me, half = nl.program_id(0), a.shape[0] // 2
    mine = slice(me * half, (me + 1) * half)
    sent, got = (nl.ndarray((half, 1), dtype=a.dtype, buffer=nl.sbuf) for _ in range(2))
    nisa.dma_copy(dst=sent, src=a[mine])
    nisa.sendrecv(src=sent, dst=got, send_to_rank=1 - me, recv_from_rank=1 - me, pipe_id=0)
    nisa.dma_copy(dst=out[mine], src=got)
    return out


@nki.jit
def waits_in_vain(a: Any) -> Any:
    """Core 0 waits, core 1 does not."""
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=a)
    if nl.program_id(0) == 0:
        nisa.core_barrier(out, (0, 1))
    return out


def chosen_row(what: str) -> Any:
    """A kernel that exchanges tiles and waits, and then copies the row of `a` whose number a tile holds: its own, or the other core's."""

    @nki.jit
    def kernel(a: Any, rows: Any) -> Any:
        out = nl.ndarray((2, 1), dtype=a.dtype, buffer=nl.shared_hbm)
        passed = nl.ndarray((2, 1), dtype=nl.int32, buffer=nl.shared_hbm)
        me = nl.program_id(0)
        own, got = (nl.ndarray((1, 1), dtype=nl.int32, buffer=nl.sbuf) for _ in range(2))
        nisa.dma_copy(dst=own, src=rows[me : me + 1])
        nisa.dma_copy(dst=passed[me : me + 1], src=own)
        nisa.sendrecv(src=own, dst=got, send_to_rank=1 - me, recv_from_rank=1 - me, pipe_id=0)
        nisa.core_barrier(passed, (0, 1))
        if what == "argument after the barrier":
            nisa.dma_copy(dst=own, src=rows[me : me + 1])
        elif what == "shared":
            nisa.dma_copy(dst=own, src=passed[1 - me : 2 - me])
        offset = got if what.startswith("received") else own
        if not what.endswith("by the machine"):
            offset = nisa.register_alloc()
            nisa.register_load(offset, got if what == "received" else own)
        nisa.dma_copy(dst=out[me : me + 1], src=a.ap([[1, 1], [1, 1]], 0, scalar_offset=offset))
        return out

    return kernel


def later(what: str) -> Any:
    """A kernel in which core 0 reads its argument for a register after the cores have met, and core 1 writes it."""

    @nki.jit
    def kernel(a: Any, rows: Any) -> Any:
        out = nl.ndarray((2, 1), dtype=a.dtype, buffer=nl.shared_hbm)
        me = nl.program_id(0)
        tile = nl.ndarray((1, 1), dtype=nl.int32, buffer=nl.sbuf)
        nisa.memset(tile, 2)
        if me == 1 and what == "before the cores meet":
            nisa.dma_copy(dst=rows[0:1], src=tile)
        nisa.core_barrier(out, (0, 1))
        if me == 0:
            nisa.dma_copy(dst=tile, src=rows[0:1])
        row = nisa.register_alloc()
        nisa.register_load(row, tile)
        nisa.dma_copy(dst=out[me : me + 1], src=a.ap([[1, 1], [1, 1]], 0, scalar_offset=row))
        nisa.core_barrier(out, (0, 1))
        if me == 1 and what == "after":
            nisa.dma_copy(dst=rows[0:1], src=tile)
        return out

    return kernel


@nki.jit
def turns(steps: Any) -> Any:
    """Each takes one off its own count, until what the cores then exchange is zero on both. Returns how often their loops ran."""
    out = nl.ndarray((2, 1), dtype=nl.float32, buffer=nl.shared_hbm)
    me = nl.program_id(0)
    own, got, most, taken = (nl.ndarray((1, 1), dtype=nl.int32, buffer=nl.sbuf) for _ in range(4))
    nisa.dma_copy(dst=own, src=steps[me : me + 1])
    nisa.memset(dst=taken, value=0)
    left = nisa.register_alloc()
    nisa.register_load(left, own)
    while left:
        print(f"core{me}")
        nisa.tensor_scalar(dst=own, data=own, op0=nl.subtract, operand0=1.0, op1=nl.maximum, operand1=0.0)
        nisa.sendrecv(src=own, dst=got, send_to_rank=1 - me, recv_from_rank=1 - me, pipe_id=0)
        nisa.tensor_tensor(dst=most, data1=own, data2=got, op=nl.maximum)
        nisa.tensor_scalar(dst=taken, data=taken, op0=nl.add, operand0=1.0)
        nisa.register_load(left, most)
    result = nl.ndarray((1, 1), dtype=nl.float32, buffer=nl.sbuf)
    nisa.tensor_copy(dst=result, src=taken)
    nisa.dma_copy(dst=out[me : me + 1], src=result)
    return out


@nki.jit
def asks_in_vain(a: Any) -> Any:
    """Core 0 asks for what it reads behind a barrier that core 1 never comes to."""
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=a)
    if nl.program_id(0) == 0:
        nisa.core_barrier(out, (0, 1))
        number = nl.ndarray((1, 1), dtype=a.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=number, src=out[0:1])
        nisa.register_load(nisa.register_alloc(), number)
    return out


class Grids(unittest.TestCase):
    """`kernel[grid]`."""

    def setUp(self) -> None:
        restore()
        self.host = Listening()

    def tearDown(self) -> None:
        restore()

    def test_two_programs_are_two_cores(self) -> None:
        for grid in (2, (2,), nl.nc(2)):
            self.assertEqual(floats(by_rows[grid](ramp(4))), [1, 2, 6, 7])
            together, first, second = self.host.last_programs
            self.assertEqual([p.meta["kernel"] for p in (together, first, second)], ["by_rows"] * 3)
            self.assertEqual([len(p.instructions) for p in (together, first, second)], [7, 3, 4])
            self.assertEqual({i.loops[0] for i in second.instructions}, {("program_id", 1)})

    def test_a_grid_of_more_programs_than_cores_is_refused(self) -> None:
        with self.assertRaisesRegex(Exception, r"a grid of 8 programs: a logical NeuronCore has 2 physical cores at most"):
            by_rows[8](ramp(8))

    def test_a_kernel_inside_a_kernel_takes_no_grid(self) -> None:
        @nki.jit
        def outer(rows: Any) -> Any:
            return by_rows[2](rows)

        with self.assertRaisesRegex(Exception, r"by_rows\[2\]: a kernel that another kernel calls takes no grid"):
            outer(ramp(4))

    def test_one_program_is_one_core(self) -> None:
        self.assertEqual(floats(by_rows[1](ramp(2))), [2, 3])
        self.assertEqual(len(self.host.last_programs), 1)

    def test_a_legacy_grid_runs_on_one_core(self) -> None:
        self.assertEqual(floats(legacy_by_rows[2, 3](ramp(6))), [0, 1, 2, 3, 4, 5])
        (program,) = self.host.last_programs
        self.assertEqual(program.instructions[-1].loops, [("program_id(0)", 1), ("program_id(1)", 2)])

    def test_a_legacy_grid_of_cores_runs_on_two(self) -> None:
        self.assertEqual(floats(legacy_by_rows[legacy_nl.nc(2), 3](ramp(6))), [0, 1, 2, 3, 4, 5])
        self.assertEqual([len(program.instructions) for program in self.host.last_programs], [12, 6, 6])

    def test_a_legacy_axis_of_sub_axes_says_which_core_runs_what(self) -> None:
        nc = legacy_nl.nc
        for first, rows_of_cores in (
            (legacy_nl.spmd_dim(nc(2), 2), ((0, 1), (2, 3))),
            (nc(2) * 2, ((0, 1), (2, 3))),
            (legacy_nl.spmd_dim(2, nc(2)), ((0, 2), (1, 3))),
            (2 * nc(2), ((0, 2), (1, 3))),
        ):
            self.assertEqual(floats(legacy_by_number[first, 2](ramp(8))), list(range(8)))
            programs = self.host.last_programs[1:]
            ran = [tuple(sorted({dict(i.loops)["program_id(0)"] for i in program.instructions})) for program in programs]
            self.assertEqual(tuple(ran), rows_of_cores)
        with self.assertRaisesRegex(Exception, "one of its sub-axes can be nl.nc"):
            legacy_nl.spmd_dim(nc(2), nc(2))

    def test_cores_meet_at_barriers(self) -> None:
        self.assertEqual(floats(other_half[2](ramp(4))), [12, 13, 10, 11])
        self.check_meetings([["core_barrier"], ["core_barrier"]])

    def test_cores_exchange_tiles(self) -> None:
        self.assertEqual(floats(exchanged[2](ramp(4))), [2, 3, 0, 1])
        self.check_meetings([["sendrecv"], ["sendrecv"]])

    def check_meetings(self, expected: List[List[str]]) -> None:
        """What each core waits at, as the host was told: positions in the core's own program."""
        (run,) = self.host.asked("run")
        cores = zip(self.host.last_programs[1:], run["coreBarriers"])
        self.assertEqual([[core.instructions[at].operation.split(".")[-1] for at in barriers] for core, barriers in cores], expected)

    def test_a_core_that_waits_in_vain_is_named(self) -> None:
        with self.assertRaisesRegex(Exception, "core 0 waits for the other here for ever: it calls core_barrier, core 1 ends its program"):
            waits_in_vain[2](ramp(4))

    def test_values_that_no_other_core_has_a_part_in_are_known(self) -> None:
        rows = host.put("int32", (2, 1), struct.pack("<2i", 3, 1))
        for what in ("own", "argument after the barrier"):
            self.assertEqual(floats(chosen_row(what)[2](ramp(4), rows)), [3, 1])

    def test_addresses_of_the_other_core_are_the_machines(self) -> None:
        rows = host.put("int32", (2, 1), struct.pack("<2i", 3, 1))
        self.assertEqual(floats(chosen_row("received, by the machine")[2](ramp(4), rows)), [1, 3])

    def test_control_flow_depends_on_the_other_core(self) -> None:
        rows = host.put("int32", (2, 1), struct.pack("<2i", 3, 1))
        for what in ("received", "shared"):
            with self.subTest(what):
                self.assertEqual(floats(chosen_row(what)[2](ramp(4), rows)), [1, 3])

    def test_cores_count_down_in_turns(self) -> None:
        settings.nki_version = "0.6"  # `while register:`
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            self.assertEqual(floats(turns[2](host.put("int32", (2, 1), struct.pack("<2i", 3, 5)))), [5, 5])
        printed = [line.split()[-1] for line in output.getvalue().splitlines()]
        self.assertEqual(sorted(printed), ["core0"] * 5 + ["core1"] * 5)  # once, although the body ran again and again
        self.assertEqual([len(program.instructions) for program in self.host.last_programs], [60, 30, 30])

    def test_a_question_that_the_other_core_never_lets_happen(self) -> None:
        with self.assertRaisesRegex(Exception, "core 0 waits for the other here for ever: it calls core_barrier, core 1 ends its program"):
            asks_in_vain[2](ramp(2))

    def test_arguments_that_the_other_core_writes(self) -> None:
        rows = host.put("int32", (2, 1), struct.pack("<2i", 3, 1))
        self.assertEqual(floats(later("after")[2](ramp(4), rows)), [3, 2])
        rows = host.put("int32", (2, 1), struct.pack("<2i", 3, 1))
        self.assertEqual(floats(later("before the cores meet")[2](ramp(4), rows)), [2, 2])

    def test_trn1_has_no_logical_cores(self) -> None:
        fresh_host()  # where nobody chose a target
        with self.assertRaisesRegex(nki.NkiValidationError, "launched on 2 physical cores, and trn1 has no logical ones"):
            nki.jit(by_rows, platform_target="trn1")[2](ramp(4))

    def test_grids_that_cannot_be(self) -> None:
        grids: Any = [(-1, "at least 1"), (1.5, "whole numbers"), (nl.nc(4), "2 physical cores at most"), ((2, 1), "hold one number")]
        for grid, message in grids:
            with self.subTest(grid), self.assertRaisesRegex(Exception, message):
                by_rows[grid](ramp(4))

    def test_the_environment_says_on_how_many_cores(self) -> None:
        self.assertEqual(self.cores_of(None, ()), 1)
        for degree in (1, 2):
            self.assertEqual(self.cores_of(str(degree), ()), degree)
            self.assertEqual(self.cores_of(str(degree), (degree,)), degree)
            message = f"'by_rows' is configured with LNC={3 - degree}, but neuronx-cc is using LNC={degree} .NEURON_LOGICAL_NC_CONFIG"
            with self.assertRaisesRegex(nki.NkiValidationError, message):
                self.cores_of(str(degree), (3 - degree,))
        with self.assertRaisesRegex(nki.NkiValidationError, "NEURON_LOGICAL_NC_CONFIG=4: a logical NeuronCore has 1 or 2"):
            self.cores_of("4", ())

    def test_flags_of_the_compiler_agree_with_the_launch(self) -> None:
        self.assertEqual(self.cores_of(None, (2,), "-O2 --lnc=2"), 2)
        self.assertEqual(self.cores_of("2", (), "--lnc 2"), 2)
        for degree, grid, flags in (("2", (), "--lnc=1"), (None, (), "--lnc=2"), (None, (1,), "-O1 --lnc 2")):
            with self.subTest(flags), self.assertRaisesRegex(nki.NkiValidationError, "neuronx-cc is using LNC=. .NEURON_CC_FLAGS"):
                self.cores_of(degree, grid, flags)
        with self.assertRaisesRegex(nki.NkiValidationError, "NEURON_CC_FLAGS --lnc=8: a logical NeuronCore has 1 or 2"):
            self.cores_of(None, (), "--lnc=8")

    def cores_of(self, degree: Any, grid: Any, flags: str = "") -> int:
        """Programs that a launch makes of the kernel."""
        with environment(NEURON_LOGICAL_NC_CONFIG=degree or "", NEURON_CC_FLAGS=flags):
            (by_rows[grid] if grid else by_rows)(ramp(2))
        return max(1, len(self.host.last_programs) - 1)

    def test_a_loop_that_the_cores_go_through_unequally_often(self) -> None:
        @nki.jit
        def kernel(a: Any, more: int) -> Any:
            out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
            me = nl.program_id(0)
            tile = nl.zeros((1, 1), dtype=a.dtype, buffer=nl.sbuf)
            count = lambda i: nisa.tensor_scalar(dst=tile, data=tile, op0=nl.add, operand0=1.0) and None  # noqa: E731
            nl.fori_loop(0, 2, count)
            nl.fori_loop(0, 3 + me * more, count)
            nisa.dma_copy(dst=out[me : me + 1], src=tile)
            return out

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.assertEqual(floats(kernel[2](ramp(2), 0)), [5, 5])
            self.assertEqual([str(each.message) for each in caught if "often" in str(each.message)], [])
            self.assertEqual(floats(kernel[2](ramp(2), 1)), [5, 6])
        first = kernel.func.__code__.co_firstlineno
        found = [(each.lineno - first, str(each.message)) for each in caught if "often" in str(each.message)]
        self.assertEqual([line for line, _ in found], [7])
        self.assertRegex(found[0][1], "core 0 goes 3 times and core 1 goes 4 times through this loop")


if __name__ == "__main__":
    unittest.main()
