"""Largest values, and where values are."""

# ruff: noqa: D103 - names of cases say what they hold

from harness import BOTH, LEGACY, NKI, array, integers, misuse, numbers, run, same, tile, value, written

X = numbers(4, 20)
#: Every value once in its row.
ROWS = [[float((7 * i + 3 * p) % 23) for i in range(20)] for p in range(4)]


@value("isa.max8", BOTH)
def largest_first(d):
    same(run(d, lambda x: written(d, d.nisa.max8, tile(4, 8), src=x), X), [sorted(row, reverse=True)[:8] for row in X])


@misuse("isa.max8", r"src has 7 elements per partition; it takes from 8 to 16384", BOTH)
def of_too_few(d):
    written(d, d.nisa.max8, tile(4, 8), src=tile(4, 7))


@value("isa.nc_find_index8", BOTH)
def of_values_and_of_one_that_is_missing(d):
    wanted = [[row[5], row[0], row[19], 99.0, row[3], row[3], row[7], row[8]] for row in ROWS]

    def body(x, v):
        return written(d, d.nisa.nc_find_index8, tile(4, 8, dtype="uint32"), data=x, vals=v)

    missing = 2**32 - 1
    same(run(d, body, ROWS, wanted), [[5, 0, 19, missing, 3, missing, 7, 8]] * 4)


@value("isa.nc_find_index8", BOTH)
def of_equal_values_in_ascending_order(d):
    data = [[1.0, 2.0, 3.0, 4.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0]]
    wanted = [[3.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0]]

    def body(x, v):
        return written(d, d.nisa.nc_find_index8, tile(1, 8, dtype="uint32"), data=x, vals=v)

    same(run(d, body, data, wanted), [[2, 4, 5, 6, 7, 8, 9, 10]])


@misuse("isa.nc_find_index8", r"vals has 4 elements per partition; it takes 8", BOTH)
def of_four_values(d):
    written(d, d.nisa.nc_find_index8, tile(4, 8, dtype="uint32"), data=tile(4, 20), vals=tile(4, 4))


@misuse("isa.nc_find_index8", r"dst is float32; it takes uint16 or uint32", [NKI])
def into_floats(d):
    d.nisa.nc_find_index8(tile(4, 8), data=tile(4, 20), vals=tile(4, 8))


@value("isa.nc_match_replace8", BOTH)
def the_first_occurrences_and_their_places(d):
    wanted = [row[4:12] for row in ROWS]

    def body(x, v):
        places = tile(4, 8, dtype="uint32")
        out = written(d, d.nisa.nc_match_replace8, tile(4, 20), data=x, vals=v, imm=-1.0, dst_idx=places)
        return out, places

    out, places = run(d, body, ROWS, wanted)
    same(out, [row[:4] + [-1.0] * 8 + row[12:] for row in ROWS])
    same(places, [list(range(4, 12))] * 4)


@value("isa.nc_match_replace8", BOTH)
def equal_values_fill_slots_from_the_last(d):
    """The example of the function's own page."""
    data = [[1.0, 2.0, 3.0, 4.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0]]
    wanted = [[3.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0]]

    def body(x, v):
        places = tile(1, 8, dtype="uint32")
        out = written(d, d.nisa.nc_match_replace8, tile(1, 11), data=x, vals=v, imm=0.0, dst_idx=places)
        return out, places

    out, places = run(d, body, data, wanted)
    same(out, [[1.0, 2.0, 0.0, 4.0] + [0.0] * 7])
    same(places, [[2, 10, 9, 8, 7, 6, 5, 4]])


@value("isa.nc_match_replace8", [LEGACY], label="under a mask, which is applied to the data")
def in_one_corner(d):
    def body(x):
        rows, columns = d.nl.mgrid[0:4, 0:20]
        mask = (rows < 2) & (columns < 10)
        kept = d.nl.copy(x)
        largest = d.nisa.max8(src=x[rows, columns], mask=mask)
        kept[...] = d.nisa.nc_match_replace8(data=x[rows, columns], vals=largest, imm=-1.0, mask=mask)
        return kept

    def replaced(row):
        largest = sorted(row[:10], reverse=True)[:8]
        return [-1.0 if x in largest else x for x in row[:10]]

    got = run(d, body, ROWS)
    same([row[:10] for row in got[:2]], [replaced(row) for row in ROWS[:2]])


@misuse("isa.nc_match_replace8", r"vals has 9 elements per partition; it takes 8", BOTH)
def nine_values(d):
    written(d, d.nisa.nc_match_replace8, tile(4, 20), data=tile(4, 20), vals=tile(4, 9), imm=0.0)


@value("isa.nonzero_with_count")
def in_every_sixteenth_partition(d):
    rows = integers(32, 8, high=1, seed=5)

    def body(x):
        out = tile(32, 9, dtype="int32", fill=7)
        d.nisa.nonzero_with_count(out, x, index_offset=16, padding_val=-1)
        return out

    def found(row):
        places = [i + 16 for i, x in enumerate(row) if x]
        return places + [-1] * (8 - len(places)) + [len(places)]

    same(run(d, body, array(rows, "int32")), [found(row) if p % 16 == 0 else [7] * 9 for p, row in enumerate(rows)])


@misuse("isa.nonzero_with_count", r"dst has shape \(16, 8\); it takes one element per partition more")
def no_room_for_the_count(d):
    d.nisa.nonzero_with_count(tile(16, 8, dtype="int32"), tile(16, 8))


@misuse("isa.nonzero_with_count", r"it is on trn2, trn3", target="trn1")
def on_trn1(d):
    d.nisa.nonzero_with_count(tile(16, 9, dtype="int32"), tile(16, 8))


@value("isa.topk")
def of_a_snake_over_sixteen_partitions(d):
    n, k = 42, 8
    columns = (n + 15) // 16
    values = [float((37 * i) % 101) for i in range(n)]
    snake = [[values[c * 16 + p] if c * 16 + p < n else 500.0 for c in range(columns)] for p in range(16)]

    def body(x):
        largest, places = tile(16, k, dtype="bfloat16"), tile(16, k, dtype="uint32")
        d.nisa.topk(largest, places, x, n=n)
        return largest, places

    order = sorted(range(n), key=values.__getitem__)[-k:]
    largest, places = run(d, body, array(snake, "bfloat16"))
    same(largest, [[values[i] for i in order]] * 16)
    same(places, [order] * 16)


@misuse("isa.topk", r"src has 8 partitions; it must be a multiple of 16")
def over_half_a_core(d):
    values, places = tile(8, 8, dtype="bfloat16"), tile(8, 8, dtype="uint32")
    d.nisa.topk(values, places, tile(8, 3, dtype="bfloat16"), n=20)


@misuse("isa.topk", r"src is float32; it takes bfloat16")
def of_float32(d):
    d.nisa.topk(tile(16, 8, dtype="bfloat16"), tile(16, 8, dtype="uint32"), tile(16, 3), n=42)


@misuse("isa.nc_find_index8", r"vals has 2 partitions, data 4")
def of_values_of_two_partitions(d):
    d.nisa.nc_find_index8(tile(4, 8, dtype="uint32"), data=tile(4, 20), vals=tile(2, 8))


@misuse("isa.nc_match_replace8", r"dst_idx has 2 partitions, data 4")
def into_places_of_two_partitions(d):
    d.nisa.nc_match_replace8(tile(4, 20), tile(4, 20), tile(4, 8), 0.0, dst_idx=tile(2, 8, dtype="uint32"))
