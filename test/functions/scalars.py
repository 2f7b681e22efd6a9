"""`NkiScalar`: integers that the machine computes, between memory, loops and views."""

# ruff: noqa: D103 - names of cases say what they hold

from harness import array, misuse, nisa, nl, run, run_kernel, same, tile, value


def one(number, dtype="int32"):
    """A tile of one element."""
    return tile(1, 1, dtype=dtype, fill=number)


def stored(scalar, dtype="int32"):
    """A scalar's value as a tile."""
    made = tile(1, 1, dtype=dtype)
    nisa.scalar_store(made, scalar)
    return made


def wrapped(number):
    """As int32 holds it."""
    return (number + 2**31) % 2**32 - 2**31


@value("isa.scalar_load")
def computes_in_32_bits(d):
    largest = 2**31 - 1

    def body(x, y):
        a, b = nisa.scalar_load(x), nisa.scalar_load(y)
        made = [a + b, a - b, a * b, -a, a + 1, 1 - a, 3 * a, a * a, a - 5 + b * 2]
        return tuple(stored(scalar) for scalar in made)

    for a, b in ((7, -3), (100000, 100000), (largest, 1)):
        want = [a + b, a - b, a * b, -a, a + 1, 1 - a, 3 * a, a * a, a - 5 + b * 2]
        got = run(d, body, array([[a]], "int32"), array([[b]], "int32"))
        same(list(got), [[[wrapped(number)]] for number in want])


@value("isa.scalar_load")
def loads_from_hbm_what_was_written_before(d):
    def kernel(x):
        out = nl.ndarray((1, 1), dtype=nl.int32, buffer=nl.shared_hbm)
        loaded = tile(1, 1, dtype="int32")
        nisa.scalar_store(x, nisa.scalar_load(x) * 2)
        nisa.dma_copy(dst=loaded, src=x)
        nisa.dma_copy(dst=out, src=loaded)
        return out

    same(run_kernel(d, kernel, array([[21]], "int32"))[0], [[42]][0])


@value("isa.scalar_load")
def moves_views_and_bounds_loops(d):
    def kernel(x, first):
        out = nl.ndarray((4, 2), dtype=nl.float32, buffer=nl.shared_hbm)
        start = tile(1, 1, dtype="int32")
        nisa.dma_copy(dst=start, src=first)
        begin = nisa.scalar_load(start)

        def move(i):
            row = tile(1, 2)
            nisa.dma_copy(dst=row, src=x.ap([[2, 1], [1, 2]], scalar_offset=i))
            kept = tile(1, 2)
            nisa.tensor_copy(dst=kept, src=row)
            nisa.dma_copy(dst=out[nl.ds(i - begin, 1), :], src=kept)

        nl.fori_loop(begin, begin * 2 + 2, move)
        return out

    x = [[float(10 * row), float(10 * row + 1)] for row in range(8)]
    same(run_kernel(d, kernel, x, array([[2]], "int32")), x[2:6])


@value("isa.scalar_store")
def stores_the_variable_of_a_loop_with_plain_bounds(d):
    def body():
        total = one(0)

        def add(i):
            assert isinstance(i, nisa.NkiScalar) and i.dtype == nl.int32
            nisa.tensor_tensor(dst=total, data1=total, data2=stored(i * i), op=nl.add)

        nl.fori_loop(1, 6, add, 2)
        return total

    same(run(d, body), [[1 + 9 + 25]])


@value("isa.scalar_store")
def stores_bits_in_other_dtypes_of_the_width(d):
    def body(x):
        return stored(-nisa.scalar_load(x), "uint32"), stored(nisa.scalar_load(x) + 0x3F7FFFFF, "float32")

    bits, number = run(d, body, array([[1]], "int32"))
    same(bits, [[2**32 - 1]])
    same(number, [[1.0]])


def scalar():
    """A scalar of 5."""
    return nisa.scalar_load(one(5))


@misuse("isa.scalar_load", r"src is uint32; it takes int32 and int64")
def loads_unsigned_integers(d):
    nisa.scalar_load(one(5, "uint32"))


@misuse("isa.scalar_load", r"src has shape \(1, 2\); a scalar is one element")
def loads_two_elements(d):
    nisa.scalar_load(tile(1, 2, dtype="int32", fill=0))


@misuse("isa.scalar_load", r"NKI 0.6", version="0.6")
def loads_64_bits_before_they_came(d):
    nisa.scalar_load(nl.ndarray((1, 1), dtype=nl.int64, buffer=nl.sbuf))


def wide(number=5):
    """A tile of one int64."""
    made = nl.ndarray((1, 1), dtype=nl.int64, buffer=nl.sbuf)
    nisa.memset(made, number)
    return made


def wide_scalar():
    """A scalar of 64 bits."""
    return nisa.scalar_load(wide())


#: What the machine does not do with 64 bits.
REFUSED_IN_64_BITS = {
    "a comparison": (r"NkiScalars of int64 cannot be compared", lambda d: wide_scalar() < 3),
    "the bound of a loop": (r"no branch that compares 64 bits", lambda d: nl.fori_loop(0, wide_scalar(), lambda i: None)),
    "an offset on chip": (
        r"moves tensors in HBM only",
        lambda d: tile(4, 8).ap([[8, 4], [1, 2]], scalar_offset=wide_scalar(), indirect_dim=1),
    ),
    "a subscript on chip": (r"moves tensors in HBM only", lambda d: tile(4, 8)[:, wide_scalar()]),
    "a tile as an offset": (r"an offset of int64 is an NkiScalar", lambda d: tile(4, 8)[:, wide()]),
    "a sum with 32 bits": (r"NkiScalars of int64 and int32 do not go together", lambda d: wide_scalar() + scalar()),
    "a store to 32 bits": (r"dst is int32, of another width than value, int64", lambda d: nisa.scalar_store(one(0), wide_scalar())),
    "a sum of tiles": (
        r"tensor_tensor: dst is int64: integers of 64 bits only move",
        lambda d: nisa.tensor_tensor(wide(), wide(), wide(), nl.add),
    ),
    "a cast": (r"dma_copy: src is int64, dst int32: integers of 64 bits only move", lambda d: nisa.dma_copy(dst=one(0), src=wide())),
    "a register": (r"register_load: src is int64: integers of 64 bits only move", lambda d: nisa.register_alloc(wide())),
    "a number beyond": (r"memset: 9223372036854775808 does not fit into int64", lambda d: nisa.memset(wide(), 2**63)),
    "zeros": (r"nki.language.zeros makes no tensor of int64: allocate it with nl.ndarray", lambda d: nl.zeros((1, 1), nl.int64)),
    "psum": (r"int64 in PSUM", lambda d: nl.ndarray((1, 1), nl.int64, nl.psum)),
}


#: What Python would do by the value, or with operations that the machine does not have.
REFUSED = {
    "an if": (r"has no value while the kernel is traced: 'if', 'while'", lambda d: 1 if scalar() else 0),
    "an if by a comparison": (r"the result of comparing NkiScalars cannot be used", lambda d: 1 if scalar() < 3 else 0),
    "a sum of comparisons": (r"the result of comparing NkiScalars cannot be used", lambda d: (scalar() == 5) + 1),
    "a range": (r"range\(\) cannot use it; loop with nl.fori_loop", lambda d: range(scalar())),
    "an int": (r"int\(\) and range\(\) cannot use it", lambda d: int(scalar())),
    "a division": (r"NkiScalars know \+, - and \*", lambda d: scalar() // 2),
    "a shift": (r"NkiScalars know \+, - and \*", lambda d: 1 << scalar()),
    "a register": (r"NkiScalars know \+, - and \*", lambda d: scalar() + nisa.register_alloc(1)),
    "a number that does not fit": (r"4294967296 does not fit into int32", lambda d: scalar() + 2**32),
    "a while loop": (r"init takes a register", lambda d: nl.while_loop(scalar(), lambda condition: condition)),
    "a move": (r"has no value while the kernel is traced", lambda d: nisa.register_move(nisa.register_alloc(0), scalar())),
    "a store of registers": (r"not NkiScalar: nisa.scalar_store writes it", lambda d: nisa.register_store(one(0), scalar())),
    "an extent": (r"an extent is a whole number, not NkiScalar", lambda d: nl.ndarray((1, scalar()), nl.float32)),
}


for _label, (_message, _call) in [*REFUSED.items(), *((f"{name} in 64 bits", how) for name, how in REFUSED_IN_64_BITS.items())]:
    _call.__name__ = _label
    misuse("isa.scalar_load", _message)(_call)


@misuse("isa.scalar_store", r"value takes an NkiScalar, not int: nisa.memset writes numbers")
def stores_a_number(d):
    nisa.scalar_store(one(0), 3)


@misuse("isa.scalar_store", r"dst is int16, of another width than value, int32")
def stores_into_half_the_width(d):
    nisa.scalar_store(one(0, "int16"), scalar())
