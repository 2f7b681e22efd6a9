"""Loads, stores, copies, fills."""

# ruff: noqa: D103 - names of cases say what they hold

from harness import BOTH, LEGACY, array, each, integers, misuse, numbers, run, run_kernel, same, tile, value

X = numbers(4, 6)


def hbm(d, *shape):
    """An output tensor."""
    return d.nl.ndarray(shape, dtype=d.nl.float32, buffer=d.nl.shared_hbm)


@value("isa.dma_copy", BOTH)
def between_hbm_tensors(d):
    def kernel(x):
        out = hbm(d, 4, 6)
        d.nisa.dma_copy(dst=out, src=x)
        return out

    same(run_kernel(d, kernel, X), X)


@misuse("isa.dma_copy", r"must have as many elements", BOTH)
def sizes_that_differ(d):
    d.nisa.dma_copy(dst=hbm(d, 4, 6), src=tile(4, 5))


@value("isa.tensor_copy", BOTH)
def rounds_to_the_destination(d):
    def body(x):
        if d is LEGACY:
            return d.nisa.tensor_copy(x, dtype=d.nl.int32)
        out = tile(4, 6, dtype="int32")
        d.nisa.tensor_copy(out, x)
        return out

    same(run(d, body, X), each(round, X))  # Python rounds ties to even, too


@misuse("isa.tensor_copy", r"does not run on the Tensor engine; it runs on Vector, Scalar, GpSimd", BOTH)
def on_the_tensor_engine(d):
    arguments = {"src": tile(4, 6), "engine": d.nisa.tensor_engine}
    d.nisa.tensor_copy(**({} if d is LEGACY else {"dst": tile(4, 6)}), **arguments)


@misuse("isa.memset", r"dst is float8_e4m3fn_x4; packed elements are filled with 0 only, not 1.0", target="trn3")
def packed_elements_with_ones(d):
    d.nisa.memset(tile(32, 4, dtype="float8_e4m3fn_x4"), 1.0)


@value("isa.memset", BOTH)
def fills(d):
    def body():
        if d is LEGACY:
            return d.nisa.memset((4, 6), 1.5, d.nl.bfloat16)
        out = tile(4, 6, dtype="bfloat16")
        d.nisa.memset(out, 1.5)
        return out

    same(run(d, body), [[1.5] * 6] * 4)


@misuse("isa.memset", r"dst takes a tensor, not None")
def without_a_tile(d):
    d.nisa.memset(None, 1.5)


@misuse("isa.memset", r"at least 1", [LEGACY])
def of_an_empty_shape(d):
    d.nisa.memset((4, 0), 1.5, d.nl.float32)


@value("language.load", BOTH)
def with_a_cast(d):
    def kernel(x):
        out = hbm(d, 4, 6)
        d.nl.store(out, d.nl.load(x, dtype=d.nl.float32))
        return out

    same(run_kernel(d, kernel, array(integers(4, 6), "int32")), integers(4, 6))


@value("language.store", BOTH)
def a_number(d):
    def kernel(x):
        out = d.nl.ndarray((4, 6), dtype=d.nl.float32, buffer=d.nl.shared_hbm)
        d.nl.store(out, 100)
        return out

    same(run_kernel(d, kernel, array([[0.0]])), [[100.0] * 6] * 4)


@misuse("language.load", r"src is in SBUF; it must be in HBM", BOTH)
def of_a_tile(d):
    d.nl.load(tile(4, 6))


@value("language.store", BOTH)
def part_of_a_tile(d):
    def kernel(x):
        out = hbm(d, 4, 3)
        d.nl.store(out, d.nl.load(x)[:, 1:4])
        return out

    same(run_kernel(d, kernel, X), [row[1:4] for row in X])


@misuse("language.store", r"dst is in SBUF; it must be in HBM", BOTH)
def to_a_tile(d):
    d.nl.store(tile(4, 6), tile(4, 6))


@value("language.copy", BOTH)
def is_another_tile(d):
    def body(x):
        kept = d.nl.copy(x)
        x[...] = 0.0
        return kept

    same(run(d, body, X), X)


@misuse("language.copy", r"x takes a tensor, not .*2.0", BOTH)
def of_a_number(d):
    d.nl.copy(2.0)


FILLS = {"zeros": ((), 0.0), "ones": ((), 1.0), "full": ((2.5,), 2.5)}


def _fill(name, arguments, number):
    def a_tile(d):
        same(run(d, lambda: getattr(d.nl, name)((4, 6), *arguments, dtype=d.nl.float32, buffer=d.nl.sbuf)), [[number] * 6] * 4)

    def more_partitions_than_there_are(d):
        getattr(d.nl, name)((129, 6), *arguments, dtype=d.nl.float32, buffer=d.nl.sbuf)

    value(f"language.{name}", BOTH)(a_tile)
    misuse(f"language.{name}", r"129 partitions", BOTH)(more_partitions_than_there_are)


for _name, (_arguments, _number) in FILLS.items():
    _fill(_name, _arguments, _number)


@value("language.copy", label="of a tile that broadcast_to repeats, with another dtype")
def repeated_and_cast(d):
    rows = [[1.5], [-2.5], [3.25]]
    got = run(d, lambda x: d.nl.broadcast_to(x, (3, 4), dtype=d.nl.int32), rows)
    same(got, [[2] * 4, [-2] * 4, [3] * 4])


@misuse("language.copy", r"broadcast_to: x has 2 axes and the shape \(2, 3, 4\) has 3; they must be as many")
def repeated_to_more_axes(d):
    d.nl.copy(d.nl.broadcast_to(tile(3, 1), (2, 3, 4)))


@value("language.store", [LEGACY], label="by quotient and remainder of one index")
def stores_by_quotient_and_remainder(d):
    """The whole output in one store, as autocomp's depthwise convolution has it."""
    nl = d.nl

    def kernel(x):
        out = hbm(d, 2, 4, 3, 2)
        loaded = nl.load(x)
        channel, flat = nl.arange(4)[:, None], nl.arange(6)[None, :]
        for n in range(2):
            nl.store(out[n, channel, flat // 2, flat % 2], loaded[channel, flat])
        return out

    rows = [[row[2 * k : 2 * k + 2] for k in range(3)] for row in X]
    same(run_kernel(d, kernel, X), [rows, rows])


@value("language.load", [LEGACY], label="by quotients that are affine")
def loads_by_affine_quotients(d):
    nl = d.nl

    def kernel(x):
        out = hbm(d, 4, 6)
        row, column = nl.arange(4)[:, None], nl.arange(6)[None, :]
        index = 6 * row + column
        nl.store(out[row, column], nl.load(x[index // 6, index % 6]))
        return out

    same(run_kernel(d, kernel, X), X)


@misuse("language.load", r"an index expression with // or % that is not affine takes both parts on neighbouring axes", [LEGACY])
def loads_by_a_remainder_alone(d):
    d.nl.load(hbm(d, 4, 6)[d.nl.arange(4)[:, None], d.nl.arange(12)[None, :] % 6])


@misuse("language.load", r"an index expression with // or % that is not affine takes both parts", [LEGACY])
def loads_by_parts_of_axes_that_do_not_fit(d):
    flat = d.nl.arange(8)[None, :]
    d.nl.load(hbm(d, 4, 2, 6)[d.nl.arange(4)[:, None], flat // 4, flat % 4])
