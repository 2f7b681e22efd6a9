"""Registers, dynamic loops and offsets, with the real host: their values decide what is recorded."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import struct
import unittest
import warnings
from typing import Any, Callable, List

from record_support import Listening, environment, restore

import nki
import nki.isa as nisa
import nki.language as nl
from nki._record.launch.settings import settings
from nki._record.wire import host


def floats(result: Any) -> List[float]:
    """Values of a float32 result."""
    data = getattr(result, "_array", result).tobytes()  # of real NumPy, where that is installed
    return list(struct.unpack(f"<{len(data) // 4}f", data))


def array(*values: float) -> Any:
    """[n, 1] float32."""
    return host.put("float32", (len(values), 1), struct.pack(f"<{len(values)}f", *values))


def number(value: int) -> Any:
    """[1, 1] int32."""
    return host.put("int32", (1, 1), struct.pack("<i", value))


def loaded(count: Any) -> Any:
    """A register with an argument's value."""
    tile = nl.ndarray((1, 1), dtype=nl.int32, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=count)
    return nisa.register_alloc(tile)


def result_of(*tiles: Any) -> Any:
    """One row of [1, 1] tiles."""
    out = nl.ndarray((1, len(tiles)), dtype=nl.float32, buffer=nl.shared_hbm)
    for k, tile in enumerate(tiles):
        nisa.dma_copy(dst=out[0:1, k : k + 1], src=tile)
    return out


@nki.jit
def sums_rows(data: Any, count: Any) -> Any:
    """Sum of the first `count` rows."""
    total = nl.zeros((1, 1), dtype=nl.float32, buffer=nl.sbuf)
    for i in nl.dynamic_range(loaded(count)):
        tile = nl.ndarray((1, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=data.ap([[1, 1], [1, 1]], scalar_offset=i))
        nisa.tensor_tensor(dst=total, data1=total, data2=tile, op=nl.add)
    return result_of(total)


@nki.jit
def counts_down(count: Any) -> Any:
    """`while register:`."""
    left = nl.ndarray((1, 1), dtype=nl.int32, buffer=nl.sbuf)
    steps = nl.zeros((1, 1), dtype=nl.float32, buffer=nl.sbuf)
    nisa.dma_copy(dst=left, src=count)
    register = nisa.register_alloc(left)
    while register:
        nisa.tensor_scalar(dst=left, data=left, op0=nl.subtract, operand0=1)
        nisa.tensor_scalar(dst=steps, data=steps, op0=nl.add, operand0=1.0)
        nisa.register_load(register, left)
    return result_of(steps)


@nki.jit
def structured(data: Any, count: Any) -> Any:
    """`fori_loop` and `while_loop`."""
    first, second = nl.zeros((1, 1), dtype=nl.float32), nl.zeros((1, 1), dtype=nl.float32)
    left = nl.ndarray((1, 1), dtype=nl.int32, buffer=nl.sbuf)
    nisa.dma_copy(dst=left, src=count)

    def add_row(i: Any) -> None:
        tile = nl.ndarray((1, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=data[nl.ds(i, 1), 0:1])
        nisa.tensor_tensor(dst=first, data1=first, data2=tile, op=nl.add)

    def one_less(condition: Any) -> Any:
        nisa.tensor_scalar(dst=left, data=left, op0=nl.subtract, operand0=1)
        nisa.tensor_scalar(dst=second, data=second, op0=nl.add, operand0=1.0)
        nisa.register_load(condition, left)
        return condition

    nl.fori_loop(1, loaded(count), add_row)
    nl.while_loop(loaded(count), one_less)
    return result_of(first, second)


@nki.jit
def addresses(data: Any, at: Any) -> Any:
    """Every spelling of an offset that is known at run time, on rows 2 and 3."""
    index = nl.ndarray((1, 1), dtype=nl.int32, buffer=nl.sbuf)
    nisa.dma_copy(dst=index, src=at)
    register = nisa.register_alloc(index)
    views = [
        data.ap([[1, 1], [1, 1]], scalar_offset=index),
        data.ap([[1, 1], [1, 1]], offset=1, scalar_offset=register, indirect_dim=0),
        data[nl.ds(register, 1), 0:1],
        data[nl.ds(register + 1, 1)],
        data[register : register + 1],
        data.select(0, index),
    ]
    assert all(view.is_indirect() for view in views)
    tiles = []
    for view in views:
        tiles.append(nl.ndarray((1, 1), dtype=nl.float32, buffer=nl.sbuf))
        nisa.dma_copy(dst=tiles[-1], src=view.reshape((1, 1)))
    return result_of(*tiles)


@nki.jit
def moves(at: Any) -> Any:
    """Registers into registers and memory."""
    first = nisa.register_alloc(5)
    second = nisa.register_alloc()
    nisa.register_move(second, first)
    nisa.register_move(first, 7)
    stored = [nl.ndarray((1, 1), dtype=nl.float32, buffer=nl.sbuf) for _ in range(3)]
    for tile, register in zip(stored, (first, second, second * 2 - 1)):
        nisa.register_store(tile, register)
    return result_of(*stored)


class Dynamic(unittest.TestCase):
    """Values through the host, and what was recorded on the way."""

    def setUp(self) -> None:
        restore()
        self.host = Listening()

    def tearDown(self) -> None:
        restore()

    def test_structured_loops(self) -> None:
        self.assertEqual(floats(structured(array(1, 2, 4, 8), number(3))), [6.0, 3.0])

    def test_offsets_known_at_run_time(self) -> None:
        self.assertEqual(floats(addresses(array(1, 2, 4, 8), number(2))), [4.0, 8.0, 4.0, 8.0, 4.0, 4.0])
        self.assertEqual(floats(addresses(array(1, 2, 4, 8), number(0))), [1.0, 2.0, 1.0, 2.0, 1.0, 1.0])

    def test_a_copy_moved_by_a_value_in_sbuf_names_the_value(self) -> None:
        addresses(array(1, 2, 4, 8), number(2))
        copies = [i for i in self.host.programs[-1].instructions if i.operation.endswith("dma_copy")]
        moved = [k for k, copy in enumerate(copies) if "src_address" in copy.operands]
        # Of the six views, after the load of the index: those that the tensor moves, not those that the register does.
        self.assertEqual(moved, [1, 6])

    def test_registers_hold_and_store_integers(self) -> None:
        self.assertEqual(floats(moves(number(0))), [7.0, 5.0, 9.0])

    def test_instructions_of_structured_loops_know_their_iteration(self) -> None:
        structured(array(1, 2, 4, 8), number(3))
        loops = [i.loops for i in self.host.programs[-1].instructions if i.operation.endswith("tensor_tensor")]
        self.assertEqual(loops, [[("fori_loop", 1)], [("fori_loop", 2)]])

    def test_an_assertion_looks_at_all_elements(self) -> None:
        @nki.jit
        def kernel(x: Any, wanted: float) -> Any:
            tile = nl.ndarray((2, 1), nl.float32)
            nisa.dma_copy(dst=tile, src=x)
            doubled = nl.multiply(tile, 2.0)
            assert nl.equal(doubled, wanted), "not doubled"
            assert not nl.equal(doubled, wanted + 1)
            return x

        kernel(array(3, 3), 6.0)
        with self.assertRaisesRegex(AssertionError, "not doubled"):
            kernel(array(3, 4), 6.0)


class Before07(unittest.TestCase):
    """Loops that the machine decides and Python writes: of NKI 0.6 and before."""

    def setUp(self) -> None:
        restore()
        settings.nki_version = "0.6"
        self.host = Listening()

    def tearDown(self) -> None:
        restore()

    def test_a_loop_runs_as_often_as_its_register_says(self) -> None:
        for count, total in ((0, 0.0), (1, 1.0), (3, 7.0)):
            self.assertEqual(floats(sums_rows(array(1, 2, 4, 8), number(count))), [total])

    def test_while_register_ends_when_it_is_zero(self) -> None:
        self.assertEqual(floats(counts_down(number(4))), [4.0])

    def test_instructions_know_their_iteration_and_their_dynamic_operands(self) -> None:
        sums_rows(array(1, 2, 4), number(2))
        copies = [i for i in self.host.programs[-1].instructions if i.attributes.get("dynamic")]
        self.assertEqual([(i.attributes["dynamic"], i.loops) for i in copies], [(["src"], [("i", 0)]), (["src"], [("i", 1)])])
        counts_down(number(3))
        adds = [i.loops for i in self.host.programs[-1].instructions if i.attributes.get("op0") == "add"]
        self.assertEqual([[name for name, _ in loops] for loops in adds], [["register"]] * 3)
        self.assertEqual(len({loops[0][1] for loops in adds}), 3)

    def test_an_empty_loop_is_a_kernel_too(self) -> None:
        @nki.jit
        def kernel(x: Any) -> Any:
            for _ in nl.dynamic_range(2):
                pass
            return x

        kernel(array(1, 2))
        self.assertEqual(len(self.host.programs[-1].instructions), 2)

    def test_only_what_control_flow_needs_is_asked_for(self) -> None:
        sums_rows(array(1, 2, 4), number(2))
        self.assertEqual([request["purpose"] for request in self.host.asked("peek")], ["control"])

    def test_the_program_says_which_version_it_is_for(self) -> None:
        structured(array(1, 2, 4, 8), number(3))
        self.assertEqual(self.host.programs[-1].meta["nkiVersion"], "0.6")
        settings.nki_version = ""
        structured(array(1, 2, 4, 8), number(3))
        self.assertNotIn("nkiVersion", self.host.programs[-1].meta)


def in_kernel(call: Callable[[], Any]) -> Callable[[], Any]:
    """The call inside a kernel."""

    @nki.jit
    def kernel() -> Any:
        call()

    return kernel


def ordered(call: Callable[[], Any]) -> Any:
    """The call inside a block that keeps its order."""
    with nl.no_reorder():
        return call()


#: Of loops that NKI 0.7 has no longer.
MISUSE_BEFORE_07 = {
    r"this register has no value yet": lambda: nl.dynamic_range(nisa.register_alloc()),
    r"dst is the variable of a loop, which only the loop writes": lambda: [nisa.register_move(i, 3) for i in nl.dynamic_range(2)],
    r"nl.dynamic_range cannot be inside 'with nl.no_reorder\(\)'": lambda: ordered(lambda: nl.dynamic_range(2)),
    r"step must be an integer known when": lambda: nl.dynamic_range(0, 4, nisa.register_alloc(1)),
    r"nl.tiles came with NKI 0.7, and this kernel is for NKI 0.6": lambda: nl.tiles(nl.zeros((4, 4), nl.int32), tile_shape=(2, 2)),
    r"nisa.scalar_load came with NKI 0.7": lambda: nisa.scalar_load(nl.zeros((1, 1), nl.int32)),
}

MISUSE = {
    r"NKI 0.7 has no nl.dynamic_range: .* Kernels for NKI 0.6 run with --nki-version 0.6": lambda: nl.dynamic_range(2),
    r"NKI 0.7 does not take a register in 'if' and 'while': loop with nl.fori_loop": lambda: "" if nisa.register_alloc(1) else "",
    r"NKI 0.7 does not take a register in int\(\)": lambda: int(nisa.register_alloc(1)),
    r"NKI 0.7 does not take a register in range\(\) and as an index": lambda: range(nisa.register_alloc(1)),
    r"NKI 0.7 does not take a register in range\(\):": lambda: nl.affine_range(nisa.register_alloc(1)),
    r"dst takes a register from nisa.register_alloc, not int": lambda: nisa.register_load(3, nl.zeros((1, 1), nl.int32)),
    r"src takes a tensor of one element, not int": lambda: nisa.register_load(nisa.register_alloc(), 3),
    r"a register holds one element, the tensor has shape \(1, 2\)": lambda: nisa.register_alloc(nl.zeros((1, 2), nl.int32)),
    r"a register takes an integer or another register, not float": lambda: nisa.register_move(nisa.register_alloc(), 1.5),
    r"dst has shape \(1, 2\); a register is one element": lambda: nisa.register_store(nl.zeros((1, 2), nl.int32), nisa.register_alloc(1)),
    r"a register cannot hold nan": lambda: nisa.register_alloc(nl.full((1, 1), float("nan"), nl.float32)),
    r"nothing has written .* before": lambda: nisa.register_alloc(nl.ndarray((1, 1), nl.float32)),
    r"nl.fori_loop cannot be inside": lambda: ordered(lambda: nl.fori_loop(0, 2, print)),
    r"nl.while_loop cannot be inside": lambda: ordered(lambda: nl.while_loop(nisa.register_alloc(1), print)),
    r"Python cannot compare it": lambda: nisa.register_alloc(1) < 2,
    r"Python cannot compare": lambda: nisa.register_alloc(1) == 1,
    r"step must be a positive integer, not 0": lambda: nl.fori_loop(0, 4, print, 0),
    r"the body returns the register": lambda: nl.while_loop(nisa.register_alloc(1), lambda register: None),
    r"slice 4:5 is out of range of axis 0": lambda: nl.ndarray((4, 1), nl.float32)[nl.ds(nisa.register_alloc(4), 1)],
    r"ap reaches elements 4\.\.4": lambda: nl.load(
        nl.ndarray((4, 1), nl.float32, nl.hbm).ap([[1, 1]], scalar_offset=nisa.register_alloc(4))
    ),
    r"with the offset 4, src leaves its tensor": lambda: nl.load(
        nl.ndarray((4, 1, 1), nl.float32, nl.hbm).select(0, nl.full((1, 1), 4, nl.int32))
    ),
    r"is a register, an NkiScalar or a tensor of one element, not int": lambda: nl.ndarray((4, 1), nl.float32, nl.hbm).ap(
        [[1, 1]], scalar_offset=1
    ),
}


class Values(unittest.TestCase):
    """What Python decides by a register, which NKI 0.7 does not take."""

    def tearDown(self) -> None:
        restore()

    def test_each_line_is_warned_of_once(self) -> None:
        @nki.jit
        def kernel(count: Any) -> Any:
            register, total = loaded(count), 0
            while register:
                total += int(register)
                nisa.register_move(register, 0)
            nisa.register_alloc(register)
            return result_of(nl.full((1, 1), float(total), dtype=nl.float32, buffer=nl.sbuf))

        settings.nki_version = "0.6"
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            self.assertEqual(floats(kernel(number(3))), [3.0])
        first = kernel.func.__code__.co_firstlineno
        self.assertEqual([(str(w.filename), w.lineno - first) for w in caught], [(__file__, 3), (__file__, 4)])
        self.assertRegex(
            str(caught[0].message), "NKI 0.7 does not take a register in 'if' and 'while': loop with nl.fori_loop or nl.while_loop"
        )
        self.assertRegex(str(caught[1].message), r"in int\(\)")


class LoopVariables(unittest.TestCase):
    """What the compiler does not take of a loop's variable that is a register."""

    def setUp(self) -> None:
        restore()

    def tearDown(self) -> None:
        restore()

    def test_writing_it_has_no_effect_and_arithmetic_is_warned_of(self) -> None:
        @nki.jit
        def kernel(count: Any) -> Any:
            total = nl.zeros((1, 1), dtype=nl.float32, buffer=nl.sbuf)
            stored = nl.ndarray((1, 1), dtype=nl.float32, buffer=nl.sbuf)

            def body(i: Any) -> None:
                nisa.register_move(i, 100)
                nisa.register_store(stored, i + 1)
                nisa.tensor_tensor(dst=total, data1=total, data2=stored, op=nl.add)

            nl.fori_loop(0, loaded(count), body)
            return result_of(total)

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            self.assertEqual(floats(kernel(number(3))), [6.0])
        first = kernel.func.__code__.co_firstlineno
        found = [(w.lineno - first, str(w.message)[:52]) for w in caught]
        self.assertEqual(
            found,
            [(6, "writing the variable of a loop has no effect: only t"), (7, "the NKI compiler does not take arithmetic on the var")],
        )

    def test_names_in_the_body_of_a_loop_are_unique(self) -> None:
        def kernel() -> Any:
            tile = nl.zeros((1, 1), dtype=nl.float32, buffer=nl.sbuf)

            def inner(j: Any) -> None:
                nisa.memset(tile, 2, name="inner")

            def body(i: Any) -> None:
                nisa.memset(tile, 0, name="first")
                nl.fori_loop(0, 2, inner)
                nisa.memset(tile, 1, name="second")
                nisa.memset(tile, 1, name="inner")

            for _ in range(2):
                nisa.memset(tile, 0, name="outside")
            nl.fori_loop(0, 3, body)
            nl.fori_loop(0, 3, inner)
            return result_of(tile)

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            nki.jit(kernel)()
        first = kernel.__code__.co_firstlineno
        found = {(each.lineno - first, str(each.message)[:66]) for each in caught if "name" in str(each.message)}
        self.assertEqual(found, {(10, "two instructions in the body of a loop have the name 'inner': the ")})

    def test_front_ends_of_before(self) -> None:
        for chosen in ("custom", "parser"):
            with self.subTest(chosen), environment(NKI_COMPILER_FRONTEND=chosen):
                settings.nki_version = ""
                with self.assertRaisesRegex(nki.NkiUnsupportedError, f"NKI_COMPILER_FRONTEND={chosen} .*--nki-version 0.6"):
                    in_kernel(lambda: None)()
                settings.nki_version = "0.6"
                in_kernel(lambda: None)()
        settings.nki_version = ""
        with environment(NKI_COMPILER_FRONTEND="tracer"):
            in_kernel(lambda: None)()


class Misuse(unittest.TestCase):
    """Each says what is wrong."""

    def setUp(self) -> None:
        restore()

    def tearDown(self) -> None:
        restore()

    def test_messages(self) -> None:
        for version, calls in (("", MISUSE), ("0.6", MISUSE_BEFORE_07)):
            settings.nki_version = version
            for message, call in calls.items():
                with self.subTest(message), self.assertRaisesRegex(Exception, message):
                    in_kernel(call)()

    def test_an_unknown_version_is_refused(self) -> None:
        settings.nki_version = "1.5"
        with self.assertRaisesRegex(ValueError, r"unknown version of NKI '1.5': NKI Scope knows 0.1, .*, 0.7"):
            in_kernel(lambda: None)()


if __name__ == "__main__":
    unittest.main()
