"""Registers, and the loops that run on them."""

# ruff: noqa: D103 - names of cases say what they hold

from harness import misuse, nisa, nl, run, same, tile, value


def one(number, dtype="int32"):
    """A tile of one element."""
    return tile(1, 1, dtype=dtype, fill=number)


def stored(register):
    """A register's value as a tile."""
    made = tile(1, 1)
    nisa.register_store(made, register)
    return made


@value("isa.register_move")
def moves_numbers_and_registers(d):
    def body():
        first, second = nisa.register_alloc(3), nisa.register_alloc()
        nisa.register_move(second, first)
        nisa.register_move(first, -4)
        return stored(first), stored(second)

    same(run(d, body), ([[-4]], [[3]]))


@misuse("isa.register_move", r"dst takes a register from nisa.register_alloc, not int")
def moves_into_a_number(d):
    nisa.register_move(3, 4)


@value("isa.register_load")
def loads_what_was_computed(d):
    def body(x):
        nisa.tensor_scalar(dst=x, data=x, op0=nl.multiply, operand0=3.0)
        register = nisa.register_alloc()
        nisa.register_load(register, x)
        nisa.memset(x, 0)
        return stored(register)

    same(run(d, body, [[7]]), [[21]])


#: Instructions that leave a sum of eight ones in their engine's registers, and that read it with eight more: (target, first, second).
KEPT = {
    "activation": (
        "trn2",
        lambda d, x: nisa.activation(d, nl.copy, x, reduce_op=nl.add, reduce_cmd=RESET),
        lambda d, x, r: nisa.activation(d, nl.copy, x, reduce_op=nl.add, reduce_res=r, reduce_cmd=REDUCE),
    ),
    "activation_reduce": (
        "trn2",
        lambda d, x: nisa.activation_reduce(d, nl.copy, x, nl.add, None),
        lambda d, x, r: nisa.activation(d, nl.copy, x, reduce_op=nl.add, reduce_res=r, reduce_cmd=REDUCE),
    ),
    "activate2": (
        "trn3",
        lambda d, x: nisa.activate2(d, nl.copy, x, 0.0, 0.0, nl.bypass, nl.bypass, reduce_op=nl.add, reduce_cmd=RESET),
        lambda d, x, r: nisa.activate2(d, nl.copy, x, 0.0, 0.0, nl.bypass, nl.bypass, reduce_op=nl.add, reduce_res=r, reduce_cmd=REDUCE),
    ),
    "exponential": (
        "trn3",
        lambda d, x: nisa.exponential(d, x, 1.0, reduce_cmd=RESET),
        lambda d, x, r: nisa.exponential(d, x, 1.0, reduce_res=r, reduce_cmd=REDUCE),
    ),
    "tensor_scalar_reduce": (
        "trn2",
        lambda d, x: nisa.tensor_scalar_reduce(d, x, nl.multiply, 1.0, nl.add),
        lambda d, x, r: nisa.tensor_scalar_reduce(d, x, nl.multiply, 1.0, nl.add, r, reduce_cmd=REDUCE),
    ),
    "tensor_scalar_cumulative": (
        "trn2",
        lambda d, x: nisa.tensor_scalar_cumulative(d, x, nl.multiply, nl.add, 1.0),
        lambda d, x, r: (
            nisa.tensor_scalar_cumulative(d, x, nl.multiply, nl.add, 1.0, reduce_cmd=REDUCE),
            nisa.tensor_copy(r, d[:, 7:8]),
        ),
    ),
}
RESET, REDUCE = nisa.reduce_cmd.reset_reduce, nisa.reduce_cmd.reduce


def _loads_what_engines_keep(target, first, second):
    def case(d):
        def body(x):
            made, result = tile(1, 8), tile(1, 1)
            first(made, x)
            second(made, x, result)
            register = nisa.register_alloc()
            nisa.register_load(register, nl.copy(result, dtype=nl.int32))
            return stored(register)

        same(run(d, body, [[1.0] * 8], target=target), [[16]])

    return case


for _name, _kept in KEPT.items():
    value("isa.register_load", label=f"of a sum that {_name} left in its engine")(_loads_what_engines_keep(*_kept))


@value("isa.register_load")
def loads_the_largest_that_two_selections_saw(d):
    def body(x):
        result, made, all_of = tile(1, 1), tile(1, 8), tile(1, 8, dtype="uint8", fill=1)
        nisa.select_reduce(made, all_of, x, 0.0, reduce_cmd=RESET)
        nisa.select_reduce(made, all_of, tile(1, 8, fill=2.0), 0.0, result, REDUCE)
        register = nisa.register_alloc()
        nisa.register_load(register, nl.copy(result, dtype=nl.int32))
        return stored(register)

    same(run(d, body, [[5.0] * 8]), [[5]])


@value("isa.register_load")
def draws_again_what_was_loaded(d):
    """A dropout before draws from the same generators."""

    def body(x):
        nisa.set_rng_seed(one(42, "uint32"))
        nisa.dropout(tile(1, 8), x, 0.5)
        bits, low = tile(1, 1, dtype="uint32"), tile(1, 1, dtype="int32")
        nisa.rng(bits)
        nisa.tensor_scalar(low, bits, nl.bitwise_and, 0xFFFF)
        register = nisa.register_alloc()
        nisa.register_load(register, low)
        return stored(register), low

    loaded, drawn = run(d, body, [[1.0] * 8])
    same(loaded, drawn)


@misuse("isa.register_load", r"a register holds one element, the tensor has shape \(1, 2\)")
def loads_two_elements(d):
    nisa.register_load(nisa.register_alloc(), tile(1, 2, fill=0))


@value("isa.register_store")
def stores_into_a_part(d):
    def body():
        made = tile(1, 3, fill=1)
        nisa.register_store(made[0:1, 1:2], nisa.register_alloc(9))
        return made

    same(run(d, body), [[1, 9, 1]])


@misuse("isa.register_store", r"this register has no value yet")
def stores_nothing(d):
    nisa.register_store(one(0), nisa.register_alloc())


@value("language.dynamic_range")
def runs_as_often_as_its_registers_say(d):
    def body(limit):
        total, start = one(0), nisa.register_alloc(1)
        for i in nl.dynamic_range(start, nisa.register_alloc(limit), 2):
            nisa.tensor_tensor(dst=total, data1=total, data2=stored(i), op=nl.add)
        return total

    same(run(d, body, [[8]], version="0.6"), [[1 + 3 + 5 + 7]])


@misuse("language.dynamic_range", r"NKI 0.7 has no nl.dynamic_range: write the body as a function and use nl.fori_loop\(lower, upper, ")
def runs_as_of_old(d):
    nl.dynamic_range(4)


@misuse("language.dynamic_range", r"nl.dynamic_range came with NKI 0.3, and this kernel is for NKI 0.2", version="0.2")
def runs_too_early(d):
    nl.dynamic_range(4)


@misuse("language.dynamic_range", r"step must be a positive integer, not 0", version="0.6")
def stands_still(d):
    nl.dynamic_range(0, 4, 0)
