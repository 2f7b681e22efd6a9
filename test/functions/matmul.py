"""TensorE: products and transposes."""

# ruff: noqa: D103 - names of cases say what they hold

from harness import BOTH, LEGACY, array, close, misuse, numbers, psum, run, same, tile, value

S, M = numbers(4, 3), numbers(4, 5, seed=2)


def product(a, b):
    """a @ b."""
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def turned(a):
    """Transpose."""
    return [list(column) for column in zip(*a)]


@value("isa.nc_matmul", BOTH)
def stationary_transposed_times_moving(d):
    def body(s, m):
        if d is LEGACY:
            return d.nisa.nc_matmul(s, m)
        out = psum(3, 5)
        d.nisa.nc_matmul(out, stationary=s, moving=m)
        return out

    close(run(d, body, S, M), product(turned(S), M), absolute=1e-6)


@misuse("isa.nc_matmul", r"must have the same partition axis, the contraction K", BOTH)
def contractions_that_differ(d):
    s, m = tile(4, 3), tile(5, 5)
    d.nisa.nc_matmul(s, m) if d is LEGACY else d.nisa.nc_matmul(psum(3, 5), s, m)


@misuse("isa.nc_matmul", r"(stationary has 129 free elements; the most is 128|129 partitions)", BOTH)
def a_stationary_tile_too_wide(d):
    s, m = tile(4, 129), tile(4, 5)
    d.nisa.nc_matmul(s, m) if d is LEGACY else d.nisa.nc_matmul(psum(128, 5), s, m)


@value("isa.nc_transpose", BOTH)
def swaps_partitions_and_free_axis(d):
    def body(x):
        if d is LEGACY:
            return d.nisa.nc_transpose(x)
        out = psum(5, 4)
        d.nisa.nc_transpose(out, x)
        return out

    same(run(d, body, M), turned(M))


@misuse("isa.nc_transpose", r"Vector engine transposes up to 32 x 32; this tile is 64 x 8")
def too_large_for_vector(d):
    d.nisa.nc_transpose(tile(8, 64), tile(64, 8), engine=d.nisa.vector_engine)


@misuse("isa.nc_transpose", r"has 200 partitions .*memory has 128", [LEGACY])
def more_columns_than_partitions(d):
    d.nisa.nc_transpose(tile(4, 200), engine=d.nisa.vector_engine)


@value("isa.nc_transpose", [LEGACY])
def a_large_one_on_vector_in_blocks(d):
    """Of 128 x 64, as autocomp's attention has it."""
    x = numbers(128, 64)
    same(run(d, lambda tile: d.nisa.nc_transpose(tile, engine=d.nisa.vector_engine), x), turned(x))


@misuse("isa.nc_transpose", r"the Tensor engine, which alone transposes more than 32 x 32, reads SBUF and writes PSUM")
def a_large_one_into_sbuf(d):
    d.nisa.nc_transpose(tile(8, 64), tile(64, 8))


@misuse("isa.nc_transpose", r"data \(4, 5\) is in PSUM and dst in PSUM; the Tensor engine")
def on_tensor_from_psum(d):
    d.nisa.nc_transpose(psum(5, 4), psum(4, 5), engine=d.nisa.engine.tensor)


@value("language.matmul", BOTH)
def of_tiles_as_they_are(d):
    a = numbers(3, 4, seed=3)
    close(run(d, lambda x, y: d.nl.matmul(x, y), a, M), product(a, M), absolute=1e-6)


@value("language.matmul", BOTH)
def of_the_first_transposed(d):
    close(run(d, lambda x, y: d.nl.matmul(x, y, transpose_x=True), S, M), product(turned(S), M), absolute=1e-6)


@misuse("language.matmul", r"contracts over its free axis, 3, y .* over its partition axis, 4", BOTH)
def inner_extents_that_differ(d):
    d.nl.matmul(tile(4, 3), tile(4, 5))


@value("language.transpose", BOTH)
def of_a_tile(d):
    same(run(d, lambda x: d.nl.transpose(x), M), turned(M))


@misuse("language.transpose", r"has 200 partitions .*memory has 128", BOTH)
def of_a_tile_too_wide(d):
    d.nl.transpose(tile(4, 200))


@value("isa.nc_matmul")
def two_rows_of_fp8_at_a_time(d):
    s, m = numbers(4, 2, 3, step=0.25), numbers(4, 2, 5, step=0.25, seed=2)

    def body(x, y):
        out = psum(3, 5)
        d.nisa.nc_matmul(out, x, y, perf_mode=d.nisa.matmul_perf_mode.double_row)
        return out

    pairs = [(p, k) for p in range(4) for k in range(2)]
    want = [[sum(s[p][k][i] * m[p][k][j] for p, k in pairs) for j in range(5)] for i in range(3)]
    close(run(d, body, array(s, "float8_e4m3"), array(m, "float8_e4m3")), want, absolute=1e-6)


@value("isa.nc_matmul", [LEGACY])
def two_whole_rows_of_fp8_by_name(d):
    s, m = numbers(4, 2, 128, step=0.25), numbers(4, 2, 200, step=0.25, seed=2)

    def body(x, y):
        return d.nisa.nc_matmul(x, y, perf_mode="double_row_gen3")

    pairs = [(p, k) for p in range(4) for k in range(2)]
    want = [[sum(s[p][k][i] * m[p][k][j] for p, k in pairs) for j in range(200)] for i in range(128)]
    close(run(d, body, array(s, "float8_e4m3"), array(m, "float8_e4m3")), want, absolute=1e-5)


@value("isa.nc_matmul")
def accumulates_what_was_written_before(d):
    def body(s, m):
        out = psum(3, 5)
        d.nisa.nc_matmul(out, s, m, accumulate=False)
        d.nisa.nc_matmul(out, s, m)
        d.nisa.nc_matmul(out, s, m, accumulate=True, tile_position=(0, 0), tile_size=(32, 128))
        return out

    close(run(d, body, S, M), [[3 * x for x in row] for row in product(turned(S), M)], absolute=1e-5)


MATMUL_MISUSES = {
    r"double_row takes stationary of shape \[K, 2, \.\.\.\]": ("float8_e4m3", "float8_e4m3", {"perf_mode": "double_row"}),
    r"if one is float32 or tfloat32, the other must be too": ("bfloat16", "float32", {}),
    r"float8_e4m3fn is not available on NeuronCore-v3; it is on trn3": ("float8_e4m3fn", "bfloat16", {}),
    r"tile_position and tile_size must both be set": ("float32", "float32", {"tile_position": (0, 0)}),
    r"row tile size 48; NeuronCore-v3 has 32, 64, 128": ("float32", "float32", {"tile_position": (0, 0), "tile_size": (48, 128)}),
    r"row tile position 16 is not a multiple": ("float32", "float32", {"tile_position": (16, 0), "tile_size": (32, 128)}),
}


def _matmul_misuse(message, left, right, options):
    def refused(d):
        s, m = tile(4, 3, dtype=left), tile(4, 5, dtype=right)
        mode = {"perf_mode": d.nisa.matmul_perf_mode.double_row} if "perf_mode" in options else {}
        d.nisa.nc_matmul(psum(3, 5), s, m, **{**options, **mode})

    misuse("isa.nc_matmul", message)(refused)


for _message, _case in MATMUL_MISUSES.items():
    _matmul_misuse(_message, *_case)


@misuse("isa.nc_matmul", r"stationary is uint8; it takes float8_e4m3 or")
def of_integers(d):
    d.nisa.nc_matmul(psum(3, 5), tile(4, 3, dtype="uint8"), tile(4, 5, dtype="uint8"))


@value("isa.nc_matmul", label="a product over all banks of PSUM on Trn3")
def over_all_banks(d):
    s, wide = numbers(2, 3, seed=5), numbers(2, 4096, seed=6)

    def body(x, y):
        out = psum(3, 4096)
        d.nisa.nc_matmul(out, x, y)
        return out

    close(run(d, body, s, wide, target="trn3"), product(turned(s), wide), absolute=1e-6)


@misuse("isa.nc_matmul", r"moving has 4097 free elements; the most is 4096", target="trn3")
def over_more_than_all_banks(d):
    d.nisa.nc_matmul(psum(3, 4096), tile(2, 3), tile(2, 4097))


@value("language.matmul", (LEGACY,), label="under a condition that holds nowhere adds nothing")
def left_out_whole(d):
    def body(x, y):
        total = d.nl.zeros((3, 5), dtype="float32", buffer=d.nl.psum)
        for step in range(2):
            total += d.nl.matmul(x, y, transpose_x=True, mask=step < 1)
        return d.nl.copy(total)

    close(run(d, body, S, M), product(turned(S), M), absolute=1e-6)
