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

    same(run(d, body, [[8]]), [[1 + 3 + 5 + 7]])


@misuse("language.dynamic_range", r"step must be a positive integer, not 0")
def stands_still(d):
    nl.dynamic_range(0, 4, 0)
