"""Random numbers: sequences repeat with their seed, and keep to their range. The numbers themselves are the simulator's own."""

# ruff: noqa: D103 - names of cases say what they hold

from harness import BOTH, LEGACY, array, flat, misuse, run, run_kernel, same, tile, value


def seeded(d, number):
    """A [1, 1] tile for a seed."""
    return tile(1, 1, dtype="uint32", fill=number)


def bits(d, engine=None):
    """A tile of random bits."""
    out = tile(4, 64, dtype="uint32")
    d.nisa.rng(out, **({} if engine is None else {"engine": engine}))
    return out


def spread(values):
    """Mean of numbers, and whether all differ."""
    return sum(values) / len(values), len(set(values)) == len(values)


@value("isa.rng")
def bits_of_every_weight(d):
    drawn = flat(run(d, lambda: bits(d)))
    for bit in range(32):
        ones = sum(number >> bit & 1 for number in drawn)
        assert 80 < ones < 176, f"bit {bit} is set in {ones} of 256 numbers"
    assert len(set(drawn)) == 256


@value("isa.rng")
def narrow_integers_are_the_lowest_bits(d):
    def body():
        d.nisa.set_rng_seed(seeded(d, 7))
        wide = bits(d)
        d.nisa.set_rng_seed(seeded(d, 7))
        narrow = tile(4, 64, dtype="int8")
        d.nisa.rng(narrow)
        return wide, narrow

    wide, narrow = run(d, body)
    same(narrow, [[(number & 255) - (256 if number & 128 else 0) for number in row] for row in wide])


@misuse("isa.rng", r"dst is float32; it takes int")
def of_floats(d):
    d.nisa.rng(tile(4, 8))


@misuse("isa.rng", r"runs on the GpSimd engine of NeuronCore-v3 and v4 only, not of v2", target="trn1")
def on_gpsimd_of_trn1(d):
    d.nisa.rng(tile(4, 8, dtype="uint32"), engine=d.nisa.engine.gpsimd)


@value("isa.set_rng_seed")
def the_same_seed_the_same_numbers(d):
    def body():
        made = []
        for seed in (7, 7, 8):
            d.nisa.set_rng_seed(seeded(d, seed))
            made.append(bits(d))
        return tuple(made)

    first, second, other = run(d, body)
    same(second, first)
    assert other != first


@misuse("isa.set_rng_seed", r"the seed is one 32-bit value, not uint32\[2, 1\]")
def of_two_values(d):
    d.nisa.set_rng_seed(tile(2, 1, dtype="uint32", fill=1))


STATE = [[123456789, 362436069, 521288629, 88675123, 5783321, 6615241]]


def xorwow(state, count):
    """Marsaglia's generator (2003), from its paper: words x, y, z, w, v and the counter d."""
    x, y, z, w, v, d = state
    made = []
    for _ in range(count):
        t = x ^ x >> 2
        x, y, z, w = y, z, w, v
        v = (v ^ v << 4 ^ t ^ t << 1) & 0xFFFFFFFF
        d = (d + 362437) & 0xFFFFFFFF
        made.append((d + v) & 0xFFFFFFFF)
    return made, [x, y, z, w, v, d]


@value("isa.rand_set_state")
def begins_the_documented_generator(d):
    def body(state):
        d.nisa.rand_set_state(state)
        out = tile(1, 20, dtype="uint32")
        d.nisa.rng(out, engine=d.nisa.engine.gpsimd)
        return out

    same(run(d, body, array(STATE, "uint32")), [xorwow(STATE[0], 20)[0]])


@misuse("isa.rand_set_state", r"has 4 elements per partition; the state of GpSimd takes 6")
def of_four_words(d):
    d.nisa.rand_set_state(tile(4, 4, dtype="uint32", fill=1))


@misuse("isa.rand_set_state", r"runs on the Vector engine of NeuronCore-v4 only")
def on_vector_of_trn2(d):
    d.nisa.rand_set_state(tile(4, 24, dtype="uint32", fill=1), engine=d.nisa.engine.vector)


@value("isa.rand_get_state")
def holds_where_the_generator_stands(d):
    def body(state):
        d.nisa.rand_set_state(state)
        d.nisa.rng(tile(1, 3, dtype="uint32"), engine=d.nisa.engine.gpsimd)
        out = tile(1, 6, dtype="uint32")
        d.nisa.rand_get_state(out)
        return out

    same(run(d, body, array(STATE, "uint32")), [xorwow(STATE[0], 3)[1]])


@misuse("isa.rand_get_state", r"dst must be uint32, not int32")
def as_signed(d):
    d.nisa.rand_get_state(tile(4, 6, dtype="int32"))


@value("isa.rand2")
def uniform_between_bounds_of_each_partition(d):
    def body(low, high):
        out = tile(4, 200)
        d.nisa.rand2(out, low, high)
        return out

    bounds = [(-1.0, 1.0), (0.0, 10.0), (5.0, 6.0), (100.0, 200.0)]
    made = run(d, body, [[low] for low, _ in bounds], [[high] for _, high in bounds], target="trn3")
    for (low, high), row in zip(bounds, made):
        mean, _ = spread(row)
        assert all(low <= number <= high for number in row), f"numbers outside [{low}, {high}]"
        assert abs(mean - (low + high) / 2) < 0.1 * (high - low), f"mean {mean} of [{low}, {high}]"


@misuse("isa.rand2", r"is not available on this target \(NeuronCore-v3\); it is on trn3")
def on_trn2(d):
    d.nisa.rand2(tile(4, 8), 0.0, 1.0)


@value("language.rand", BOTH)
def uniform_in_the_unit_interval(d):
    kept = [] if d is LEGACY else [d.nl.float32]

    def kernel():
        made = d.nl.rand((8, 200), *kept)
        out = d.nl.ndarray((8, 200), dtype=d.nl.float32, buffer=d.nl.shared_hbm)
        d.nl.store(out, made)
        return out

    made = flat(run_kernel(d, kernel))
    mean, distinct = spread(made)
    assert all(0 <= number < 1 for number in made) and abs(mean - 0.5) < 0.05 and distinct


@misuse("language.rand", r"129 partitions", BOTH)
def of_more_partitions_than_there_are(d):
    d.nl.rand((129, 4), d.nl.float32)


@value("language.random_seed", BOTH)
def repeats_rand(d):
    def kernel():
        made = []
        for number in (42, 42):
            seed = d.nl.full((1, 1), number, dtype=d.nl.int32, buffer=d.nl.sbuf)
            d.nl.random_seed(seed)
            out = d.nl.ndarray((4, 50), dtype=d.nl.float32, buffer=d.nl.shared_hbm)
            d.nl.store(out, d.nl.rand((4, 50), d.nl.float32))
            made.append(out)
        return tuple(made)

    first, second = run_kernel(d, kernel)
    same(second, first)


@misuse("language.random_seed", r"the seed is one 32-bit value", BOTH)
def of_a_tile(d):
    d.nl.random_seed(d.nl.zeros((4, 4), d.nl.int32, buffer=d.nl.sbuf))


@misuse("isa.rand2", r"min=1.0 is not below max=0.0", target="trn3")
def from_more_to_less(d):
    d.nisa.rand2(tile(4, 6), 1.0, 0.0)


@misuse("isa.rand2", r"min is bfloat16; it takes float32", target="trn3")
def from_a_narrow_tile(d):
    d.nisa.rand2(tile(4, 6), tile(4, 1, dtype="bfloat16"), 1.0)


@misuse("isa.rand_set_state", r"src_seeds has 3 axes; it takes \[partitions, words\]")
def of_three_axes(d):
    d.nisa.rand_set_state(tile(4, 2, 3, dtype="uint32"))
