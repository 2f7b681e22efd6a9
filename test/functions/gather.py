"""Index patterns, gathers within SBUF, moves between partitions, bounds of sequences."""

# ruff: noqa: D103 - names of cases say what they hold

from harness import BOTH, LEGACY, array, integers, misuse, numbers, run, same, tile, value

X = numbers(32, 24)


# -- iota -------------------------------------------------------------------------------------------------------------


@value("isa.iota")
def an_affine_pattern_of_two_dimensions(d):
    def body():
        out = tile(4, 2, 3, dtype="int32")
        d.nisa.iota(out, [[10, 2], [-1, 3]], offset=5, channel_multiplier=100)
        return out

    same(run(d, body), [[[5 + 100 * c + 10 * y - x for x in range(3)] for y in range(2)] for c in range(4)])


@value("isa.iota")
def casts_on_write(d):
    def body():
        out = tile(2, 3, dtype="bfloat16")
        d.nisa.iota(out, [[1, 3]], offset=300)
        return out

    same(run(d, body), [[300.0, 300.0, 302.0]] * 2)  # 301 lies between two bfloat16: to the even one


@value("isa.iota", [LEGACY])
def of_index_expressions(d):
    rows, columns = d.nl.arange(8)[:, None], d.nl.arange(3)[None, :]
    same(run(d, lambda: d.nisa.iota(5 + 2 * rows - columns, dtype=d.nl.int32)), [[5 + 2 * p - f for f in range(3)] for p in range(8)])


@value("isa.iota", [LEGACY])
def under_a_mask(d):
    rows, columns = d.nl.arange(8)[:, None], d.nl.arange(6)[None, :]

    def body():
        out = d.nl.zeros((8, 6), d.nl.int32, buffer=d.nl.sbuf)
        out[rows, columns] = d.nisa.iota(10 * rows + columns, dtype=d.nl.int32, mask=(rows > 1) & (columns < 5) & (rows + columns < 9))
        return out

    want = [[10 * p + f if p > 1 and f < 5 and p + f < 9 else 0 for f in range(6)] for p in range(8)]
    same(run(d, body), want)


@misuse("isa.iota", r"makes 4 values per partition, dst \(2, 3\) has 3")
def that_does_not_fill_the_tile(d):
    d.nisa.iota(tile(2, 3, dtype="int32"), [[1, 4]])


@misuse("isa.iota", r"pattern has 5 entries; the most is 4")
def of_five_dimensions(d):
    d.nisa.iota(tile(2, 1, dtype="int32"), [[1, 1]] * 5)


@value("isa.iota", [LEGACY])
def of_the_variable_of_a_loop(d):
    def body():
        out = d.nl.zeros((2, 3), d.nl.int32)
        for i in d.nl.sequential_range(4):
            out[...] = d.nl.add(out, d.nisa.iota(i, dtype=d.nl.int32).broadcast_to((2, 3)))
        return out

    same(run(d, body), [[6] * 3] * 2)


@misuse("isa.iota", r"expr takes an expression of nl.arange, not str", [LEGACY])
def of_text(d):
    d.nisa.iota("7", dtype=d.nl.int32)


# -- gathers ----------------------------------------------------------------------------------------------------------

INDICES = integers(32, 5, high=23, seed=3)


def _gathered():
    return [[row[i] for i in picks] for row, picks in zip(X, INDICES)]


@value("isa.nc_n_gather")
def within_each_partition(d):
    def body(x, i):
        out = tile(32, 5)
        d.nisa.nc_n_gather(out, x, i)
        return out

    same(run(d, body, X, array(INDICES, "uint32")), _gathered())


@misuse("isa.nc_n_gather", r"indices must be uint32, not int32")
def by_signed_indices(d):
    d.nisa.nc_n_gather(tile(8, 5), tile(8, 24), tile(8, 5, dtype="int32", fill=0))


@misuse("isa.nc_n_gather", r"data is in PSUM; it must be in SBUF")
def from_psum(d):
    d.nisa.nc_n_gather(tile(8, 5), tile(8, 24, buffer=d.nl.psum), tile(8, 5, dtype="uint32", fill=0))


@value("language.gather_flattened", BOTH)
def over_flattened_free_axes(d):
    same(run(d, lambda x, i: d.nl.gather_flattened(x.reshape((32, 4, 6)), i), X, array(INDICES, "uint32")), _gathered())


@misuse("language.gather_flattened", r"as many partitions", BOTH)
def of_other_partitions(d):
    data, indices = d.nl.zeros((8, 24), d.nl.float32, buffer=d.nl.sbuf), d.nl.zeros((4, 5), d.nl.uint32, buffer=d.nl.sbuf)
    d.nl.gather_flattened(data, indices)


LOCAL = [[4 * i for i in row] for row in integers(32, 2, high=4, seed=5)]


@value("isa.local_gather", BOTH)
def by_groups_of_16_partitions(d):
    def body(x, i):
        if d is LEGACY:
            return d.nisa.local_gather(x, i, 4, 20).reshape((32, 80))
        out = tile(32, 80)
        d.nisa.local_gather(out, x, i, num_elem_per_idx=4, num_valid_indices=20)
        return out

    def want(p):
        group = p // 16 * 16
        flat = [LOCAL[group + k % 16][k // 16] for k in range(20)]
        return [X[p][start + e] for start in flat for e in range(4)]

    same(run(d, body, X, array(LOCAL, "uint16")), [want(p) for p in range(32)])


@value("isa.local_gather", BOTH)
def all_indices_by_default(d):
    def body(x, i):
        if d is LEGACY:
            return d.nisa.local_gather(x, i).reshape((32, 32))
        out = tile(32, 32)
        d.nisa.local_gather(out, x, i)
        return out

    want = [[X[p][LOCAL[p // 16 * 16 + k % 16][k // 16]] for k in range(32)] for p in range(32)]
    same(run(d, body, X, array(LOCAL, "uint16")), want)


@misuse("isa.local_gather", r"num_elem_per_idx must be one of 1, 2, 4, 8, 16, 32, not 3", BOTH)
def of_three_elements(d):
    source, index = (d.nl.zeros((16, 8), d.nl.float32, buffer=d.nl.sbuf), d.nl.zeros((16, 1), d.nl.uint16, buffer=d.nl.sbuf))
    if d is LEGACY:
        d.nisa.local_gather(source, index, 3)
    else:
        d.nisa.local_gather(tile(16, 48), source, index, 3)


@misuse("isa.local_gather", r"as many partitions, a multiple of 16")
def of_eight_partitions(d):
    d.nisa.local_gather(tile(8, 8), tile(8, 8), tile(8, 1, dtype="uint16"))


# -- between partitions -----------------------------------------------------------------------------------------------


@value("isa.nc_stream_shuffle", BOTH)
def turns_a_quadrant_in_place(d):
    def body(x):
        d.nisa.nc_stream_shuffle(src=x, dst=x, shuffle_mask=[(i - 1) % 32 for i in range(32)])
        return x

    same(run(d, body, X), [X[(i - 1) % 32] for i in range(32)])


@value("isa.nc_stream_shuffle", BOTH)
def leaves_partitions_of_255_and_spreads_one(d):
    def body(x):
        out = d.nl.zeros((64, 24), d.nl.float32, buffer=d.nl.sbuf)
        d.nisa.nc_stream_shuffle(src=x, dst=out[32:64], shuffle_mask=[2] * 16 + [255] * 16)
        return out

    same(run(d, body, X), [[0.0] * 24] * 32 + [X[2]] * 16 + [[0.0] * 24] * 16)


@misuse("isa.nc_stream_shuffle", r"list of 32 partitions from 0 to 31", BOTH)
def of_a_mask_of_four(d):
    x = d.nl.zeros((32, 4), d.nl.float32, buffer=d.nl.sbuf)
    d.nisa.nc_stream_shuffle(src=x, dst=x, shuffle_mask=[3, 2, 1, 0])


@misuse("isa.nc_stream_shuffle", r"a shuffle does not cast", BOTH)
def into_another_dtype(d):
    x, y = d.nl.zeros((32, 4), d.nl.float32, buffer=d.nl.sbuf), d.nl.zeros((32, 4), d.nl.bfloat16, buffer=d.nl.sbuf)
    d.nisa.nc_stream_shuffle(src=x, dst=y, shuffle_mask=list(range(32)))


# -- sequences --------------------------------------------------------------------------------------------------------

SEGMENTS = [0, 1, 1, 2, 2, 2, 0, 3, 3]


@value("isa.sequence_bounds", BOTH)
def first_and_last_of_each_segment(d):
    def body(ids):
        if d is LEGACY:
            return d.nisa.sequence_bounds(segment_ids=ids)
        out = tile(1, 2, 9, dtype="int32")
        d.nisa.sequence_bounds(out, ids)
        return out

    same(run(d, body, array([SEGMENTS], "int32")), [[[9, 1, 1, 3, 3, 3, 9, 7, 7], [-1, 3, 3, 6, 6, 6, -1, 9, 9]]])


@misuse("isa.sequence_bounds", r"segment_ids has 2 partitions; it takes 1", BOTH)
def of_two_partitions(d):
    ids = d.nl.zeros((2, 9), d.nl.float32, buffer=d.nl.sbuf)
    if d is LEGACY:
        d.nisa.sequence_bounds(segment_ids=ids)
    else:
        d.nisa.sequence_bounds(tile(1, 2, 9), ids)
