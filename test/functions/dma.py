"""What DMA engines do beside copies: gathers and scatters by indices, sums, transposes, two cores with each other."""

# ruff: noqa: D103 - names of cases say what they hold

from harness import BOTH, LEGACY, array, each, integers, misuse, numbers, run_kernel, same, tile, value

TABLE = numbers(24, 6)
ROWS = [5, 0, 23, 7, 7, 1, 22, 11]
INDEX = [[row] for row in ROWS]
NEW = numbers(8, 6, seed=9)


def hbm(d, *shape, dtype="float32"):
    """An output tensor."""
    return d.nl.ndarray(shape, dtype=dtype, buffer=d.nl.shared_hbm)


def loaded(d, x):
    """The tensor in SBUF."""
    made = d.nl.ndarray(x.shape, dtype=x.dtype, buffer=d.nl.sbuf)
    d.nisa.dma_copy(dst=made, src=x)
    return made


def rows_of(d, table, index):
    """A view of the table's rows that the indices name, in the dialect's own spelling."""
    if d is LEGACY:
        return table[index, d.nl.arange(6)[None, :]]
    return table.ap(pattern=[[6, index.shape[0]], [1, 6]], vector_offset=index, indirect_dim=0)


# -- gathers and scatters ---------------------------------------------------------------------------------------------


@value("isa.dma_copy", BOTH)
def gathers_rows_by_indices(d):
    def kernel(table, rows):
        index, out = loaded(d, rows), hbm(d, 8, 6)
        got = d.nl.ndarray((8, 6), dtype=table.dtype, buffer=d.nl.sbuf)
        d.nisa.dma_copy(dst=got, src=rows_of(d, table, index))
        d.nisa.dma_copy(dst=out, src=got)
        return out

    same(run_kernel(d, kernel, TABLE, array(INDEX, "uint32")), [TABLE[row] for row in ROWS])


@value("isa.dma_copy", BOTH)
def skips_rows_that_are_not_there(d):
    def kernel(table, rows):
        index, out = loaded(d, rows), hbm(d, 3, 6)
        got = d.nl.full((3, 6), -1, d.nl.float32, buffer=d.nl.sbuf)
        d.nisa.dma_copy(dst=got, src=rows_of(d, table, index), oob_mode=d.nisa.oob_mode.skip)
        d.nisa.dma_copy(dst=out, src=got)
        return out

    same(run_kernel(d, kernel, TABLE, array([[2], [24], [-1]], "int32")), [TABLE[2], [-1.0] * 6, [-1.0] * 6])


def _select_row(d, table, index, **options):
    got = d.nl.full((1, 6), -1, d.nl.float32, buffer=d.nl.sbuf)
    d.nisa.dma_copy(dst=got, src=table.reshape((24, 1, 6)).select(0, index), **options)
    return got


@value("isa.dma_copy", label="of a position that select skips")
def skips_a_position_that_is_not_there(d):
    def kernel(table, rows):
        out = hbm(d, 1, 6)
        d.nisa.dma_copy(dst=out, src=_select_row(d, table, loaded(d, rows), oob_mode=d.nisa.oob_mode.skip))
        return out

    for row, wanted in ((2, TABLE[2]), (23, TABLE[23]), (24, [-1.0] * 6)):
        same(run_kernel(d, kernel, TABLE, array([[row]], "int32")), [wanted])


@value("isa.dma_copy")
def takes_more_indices_than_there_are_rows(d):
    def kernel(table, rows):
        index, out = loaded(d, rows), hbm(d, 40, 6)
        got = d.nl.zeros((40, 6), d.nl.float32, buffer=d.nl.sbuf)
        source = table.ap(pattern=[[6, 40], [1, 6]], vector_offset=index, indirect_dim=0)
        d.nisa.dma_copy(dst=got, src=source, oob_mode=d.nisa.oob_mode.skip)
        d.nisa.dma_copy(dst=out, src=got)
        return out

    rows = [-1 if k % 3 == 0 else 7 * k % 24 for k in range(40)]
    wanted = [[0.0] * 6 if row < 0 else TABLE[row] for row in rows]
    same(run_kernel(d, kernel, TABLE, array([[row] for row in rows], "int32")), wanted)


@value("isa.dma_copy", BOTH)
def scatters_rows_by_indices_with_a_cast(d):
    def kernel(table, rows, new):
        out = hbm(d, 24, 6)
        d.nisa.dma_copy(dst=out, src=table)
        d.nisa.dma_copy(dst=rows_of(d, out, loaded(d, rows)), src=loaded(d, new))
        return out

    want = [list(row) for row in TABLE]
    for row, numbers_of_row in zip(ROWS, integers(8, 6)):
        want[row] = numbers_of_row
    same(run_kernel(d, kernel, TABLE, array(INDEX, "int32"), array(integers(8, 6), "int32")), want)


@value("isa.dma_copy", [LEGACY])
def adds_to_what_is_there(d):
    def kernel(table, rows, new):
        out = hbm(d, 24, 6)
        d.nisa.dma_copy(dst=out, src=table)
        d.nisa.dma_copy(dst=rows_of(d, out, loaded(d, rows)), src=loaded(d, new), dst_rmw_op=d.nl.add)
        return out

    want = [list(row) for row in TABLE]
    for row, more in zip(ROWS, NEW):  # row 7 twice
        want[row] = [a + b for a, b in zip(want[row], more)]
    same(run_kernel(d, kernel, TABLE, array(INDEX, "int32"), NEW), want)


@value("isa.dma_copy")
def from_a_batch_that_a_value_in_sbuf_selects(d):
    def kernel(batches, which):
        out = hbm(d, 8, 6)
        at = loaded(d, which)
        d.nisa.dma_copy(dst=out[0:4], src=batches.select(0, at))
        d.nisa.dma_copy(dst=out[4:8], src=batches.ap(pattern=[[6, 4], [1, 6]], scalar_offset=at, indirect_dim=0))
        return out

    batches = numbers(3, 4, 6)
    same(run_kernel(d, kernel, batches, array([[2]], "int32")), batches[2] * 2)


@value("isa.dma_copy")
def rows_by_vector_select_of_a_reshaped_tensor(d):
    def kernel(table, rows):
        out = hbm(d, 4, 3)
        d.nisa.dma_copy(dst=out, src=table.reshape((48, 3)).vector_select(0, loaded(d, rows)))
        return out

    halves = [row[k : k + 3] for row in TABLE for k in (0, 3)]
    same(run_kernel(d, kernel, TABLE, array([[3], [47], [0], [3]], "uint32")), [halves[i] for i in (3, 47, 0, 3)])


@value("isa.dma_copy")
def moves_what_lies_inside_of_a_tile_that_a_value_in_sbuf_places(d):
    def kernel(new, starts):
        out, at, tiles = hbm(d, 24, 6), loaded(d, starts), loaded(d, new)
        d.nisa.dma_copy(dst=out, src=tile(24, 6, fill=0))
        for k in range(3):
            there = out.ap(pattern=[[6, 8], [1, 6]], offset=0, scalar_offset=at[0:1, k : k + 1], indirect_dim=0)
            d.nisa.dma_copy(dst=there, src=tiles, oob_mode=d.nisa.oob_mode.skip)
        return out

    same(run_kernel(d, kernel, NEW, array([[20, -1000, 3]], "int32")), [[0.0] * 6] * 3 + NEW + [[0.0] * 6] * 9 + NEW[:4])


@misuse("isa.dma_copy", r"scalar_offset or vector_offset, not both")
def by_two_kinds_of_offset(d):
    index = tile(8, 1, dtype="uint32", fill=0)
    hbm(d, 24, 6).ap(pattern=[[6, 8], [1, 6]], vector_offset=index, scalar_offset=index)


@misuse("isa.dma_copy", r"indices must be integers in SBUF")
def by_indices_that_are_floats(d):
    hbm(d, 24, 6).vector_select(0, tile(8, 1, fill=0))


@misuse("isa.dma_copy", r"only tensors in HBM can be addressed by a vector")
def of_a_tile_by_a_vector(d):
    tile(24, 6).vector_select(0, tile(8, 1, dtype="uint32", fill=0))


@misuse("isa.dma_copy", r"the DMA engines only add", [LEGACY])
def that_multiplies_into_the_destination(d):
    d.nisa.dma_copy(dst=hbm(d, 4, 6), src=d.nl.zeros((4, 6), d.nl.float32, buffer=d.nl.sbuf), dst_rmw_op=d.nl.multiply)


@misuse("isa.dma_copy", r"priority is not available on NeuronCore-v3; it is on trn3")
def with_a_priority_on_trn2(d):
    d.nisa.dma_copy(dst=hbm(d, 4, 6), src=hbm(d, 4, 6), priority=1)


@misuse("isa.dma_copy", r"priority must be 0 to 3, not 4", target="trn3")
def with_a_priority_that_is_none(d):
    d.nisa.dma_copy(dst=hbm(d, 4, 6), src=hbm(d, 4, 6), priority=4)


@misuse("isa.dma_copy", r"dge_mode.hwdge is not available on NeuronCore-v2", BOTH, target="trn1")
def with_hardware_descriptors_on_trn1(d):
    d.nisa.dma_copy(dst=hbm(d, 4, 6), src=hbm(d, 4, 6), dge_mode=d.nisa.dge_mode.hwdge)


@value("language.load", [LEGACY])
def gathers_by_a_tile_of_indices(d):
    def kernel(table, rows):
        out = hbm(d, 8, 6)
        rows_here = d.nl.load(rows)
        p, f = d.nl.arange(8)[:, None], d.nl.arange(6)[None, :]
        d.nl.store(out, d.nl.load(table[rows_here[p, 0], f]))
        return out

    same(run_kernel(d, kernel, TABLE, array(INDEX, "int32")), [TABLE[row] for row in ROWS])


@value("language.load", [LEGACY])
def gathers_under_a_mask(d):
    def kernel(table, rows):
        out = hbm(d, 8, 6)
        p, f = d.nl.arange(8)[:, None], d.nl.arange(6)[None, :]
        d.nl.store(out, d.nl.zeros((8, 6), d.nl.float32, buffer=d.nl.sbuf))
        d.nl.store(out[p, f], d.nl.load(table[d.nl.load(rows)[p, 0], f], mask=p < 5), mask=p < 5)
        return out

    same(run_kernel(d, kernel, TABLE, array(INDEX, "int32")), [TABLE[row] for row in ROWS[:5]] + [[0.0] * 6] * 3)


@value("language.load", [LEGACY])
def gathers_what_lies_inside(d):
    def kernel(table, rows):
        out = hbm(d, 8, 6)
        p, f = d.nl.arange(8)[:, None], d.nl.arange(6)[None, :]
        tile = d.nl.zeros((8, 6), d.nl.float32, buffer=d.nl.sbuf)
        far = d.nl.add(d.nl.load(rows), 1000 * (d.nl.load(rows) > 9), dtype=d.nl.int32)
        tile[p, f] = d.nl.load(table[far[p, 0], f], mode=d.nisa.oob_mode.skip)
        d.nl.store(out, tile)
        return out

    want = [TABLE[row] if row <= 9 else [0.0] * 6 for row in ROWS]
    same(run_kernel(d, kernel, TABLE, array(INDEX, "int32")), want)


@value("language.store", [LEGACY])
def scatters_by_a_tile_of_indices(d):
    def kernel(new, rows):
        out = hbm(d, 24, 6)
        d.nl.store(out, d.nl.zeros((24, 6), d.nl.float32, buffer=d.nl.sbuf))
        d.nl.store(out[d.nl.load(rows), d.nl.arange(6)[None, :]], d.nl.load(new))
        return out

    want = [[0.0] * 6 for _ in range(24)]
    for row, numbers_of_row in zip(ROWS, NEW):
        want[row] = numbers_of_row
    same(run_kernel(d, kernel, NEW, array(INDEX, "int32")), want)


@misuse("language.load", r"only one axis", [LEGACY])
def by_two_tiles_of_indices(d):
    index = d.nl.zeros((8, 1), d.nl.int32, buffer=d.nl.sbuf)
    d.nl.load(hbm(d, 24, 6)[index, index])


@value("language.atomic_rmw", [LEGACY])
def adds_a_tile_to_rows(d):
    def kernel(table, rows, new):
        out = hbm(d, 24, 6)
        d.nisa.dma_copy(dst=out, src=table)
        d.nl.atomic_rmw(out[d.nl.load(rows), d.nl.arange(6)[None, :]], value=d.nl.load(new), op=d.nl.add)
        return out

    want = [list(row) for row in TABLE]
    for row, more in zip(ROWS, NEW):
        want[row] = [a + b for a, b in zip(want[row], more)]
    same(run_kernel(d, kernel, TABLE, array(INDEX, "int32"), NEW), want)


@value("language.atomic_rmw", [LEGACY])
def adds_a_number_to_rows(d):
    def kernel(table, rows):
        out = hbm(d, 24, 6)
        d.nisa.dma_copy(dst=out, src=table)
        d.nl.atomic_rmw(out[d.nl.load(rows), d.nl.arange(6)[None, :]], value=0.5, op=d.nl.add)
        return out

    want = [list(row) for row in TABLE]
    for row in ROWS:
        want[row] = [a + 0.5 for a in want[row]]
    same(run_kernel(d, kernel, TABLE, array(INDEX, "int32")), want)


@misuse("language.atomic_rmw", r"must be indexed by a tile of indices", [LEGACY])
def of_a_whole_tensor(d):
    d.nl.atomic_rmw(hbm(d, 4, 6), value=d.nl.zeros((4, 6), d.nl.float32, buffer=d.nl.sbuf), op=d.nl.add)


# -- offsets within SBUF ----------------------------------------------------------------------------------------------


@value("isa.tensor_copy_dynamic_src", [LEGACY])
def from_offsets_in_sbuf(d):
    def kernel(x, offsets):
        out = hbm(d, 8, 3, 2)
        x, offsets = d.nl.load(x), d.nl.load(offsets)
        got = d.nl.ndarray((8, 3, 2), dtype=d.nl.float32, buffer=d.nl.sbuf)
        p, f = d.nl.mgrid[0:8, 0:2]
        for k in range(3):
            got[p, k, f] = d.nisa.tensor_copy_dynamic_src(x[p, offsets[0, k] + f])
        d.nl.store(out, got)
        return out

    want = [[[row[at], row[at + 1]] for at in (4, 0, 3)] for row in NEW]
    same(run_kernel(d, kernel, NEW, array([[4, 0, 3]], "int32")), want)


@misuse("isa.tensor_copy_dynamic_src", r"the partition axis .* cannot be indexed", [LEGACY])
def of_a_partition(d):
    x, at = d.nl.zeros((8, 6), d.nl.float32, buffer=d.nl.sbuf), d.nl.zeros((1, 1), d.nl.int32, buffer=d.nl.sbuf)
    d.nisa.tensor_copy_dynamic_src(x[at, d.nl.arange(6)[None, :]])


@value("isa.tensor_copy_dynamic_dst", [LEGACY])
def to_an_offset_in_sbuf(d):
    def kernel(x, offset):
        out = hbm(d, 8, 6)
        got = d.nl.zeros((8, 6), d.nl.float32, buffer=d.nl.sbuf)
        p, f = d.nl.mgrid[0:8, 0:2]
        d.nisa.tensor_copy_dynamic_dst(dst=got[p, d.nl.load(offset)[0, 0] + f], src=d.nl.load(x)[p, f])
        d.nl.store(out, got)
        return out

    same(run_kernel(d, kernel, NEW, array([[3]], "int32")), [[0.0] * 3 + row[:2] + [0.0] for row in NEW])


@misuse("isa.tensor_copy_dynamic_dst", r"must have as many elements", [LEGACY])
def of_another_size(d):
    x, at = d.nl.zeros((8, 6), d.nl.float32, buffer=d.nl.sbuf), d.nl.zeros((1, 1), d.nl.int32, buffer=d.nl.sbuf)
    p, f = d.nl.mgrid[0:8, 0:2]
    d.nisa.tensor_copy_dynamic_dst(dst=x[p, at + f], src=x)


@value("isa.tensor_copy")
def of_a_column_that_a_value_in_sbuf_selects(d):
    def kernel(x, which):
        out = hbm(d, 8, 2)
        got = tile(8, 2)
        blocks = loaded(d, x).reshape((8, 3, 2))
        d.nisa.tensor_copy(dst=got, src=blocks.select(1, loaded(d, which)))
        d.nisa.dma_copy(dst=out, src=got)
        return out

    same(run_kernel(d, kernel, NEW, array([[2]], "int32")), [row[4:6] for row in NEW])


# -- sums -------------------------------------------------------------------------------------------------------------


@value("isa.dma_compute")
def sums_three_tensors_of_two_memories(d):
    def kernel(a, b, c):
        out = hbm(d, 8, 6)
        d.nisa.dma_compute(out, [a, loaded(d, b), c], reduce_op=d.nl.add, scales=[1.0, 1.0, 1.0])
        return out

    small = integers(8, 6)
    want = each(lambda a, b, c: a + b + c, NEW, TABLE[:8], small)
    same(run_kernel(d, kernel, NEW, TABLE[:8], array(small, "int32")), want)


@value("isa.dma_compute")
def scatters_sums_to_rows_in_hbm(d):
    def kernel(table, rows, new):
        out = hbm(d, 24, 6)
        d.nisa.dma_copy(dst=out, src=table)
        there = rows_of(d, out, loaded(d, rows))
        d.nisa.dma_compute(there, [there, loaded(d, new)], reduce_op=d.nl.add)
        return out

    rows = [3, 0, 23, 8, 7, 1, 22, 11]
    want = [list(row) for row in TABLE]
    for row, more in zip(rows, NEW):
        want[row] = [a + b for a, b in zip(want[row], more)]
    same(run_kernel(d, kernel, TABLE, array([[row] for row in rows], "uint32"), NEW), want)


@value("isa.dma_compute")
def gathers_rows_and_adds_them(d):
    def kernel(table, rows, new):
        out = hbm(d, 8, 6)
        sums = loaded(d, new)
        d.nisa.dma_compute(sums, [rows_of(d, table, loaded(d, rows)), sums], reduce_op=d.nl.add)
        d.nisa.dma_copy(dst=out, src=sums)
        return out

    want = [[a + b for a, b in zip(TABLE[row], more)] for row, more in zip(ROWS, NEW)]
    same(run_kernel(d, kernel, TABLE, array(INDEX, "uint32"), NEW), want)


@misuse("isa.dma_compute", r"scales must be 1.0 for each of the 2 sources")
def with_a_scale(d):
    x = tile(8, 6, fill=0)
    d.nisa.dma_compute(x, [x, x], reduce_op=d.nl.add, scales=[1.0, 0.5])


@misuse("isa.dma_compute", r"srcs holds 1 to 16 tensors, not 17")
def of_seventeen_sources(d):
    x = tile(8, 6, fill=0)
    d.nisa.dma_compute(x, [x] * 17, reduce_op=d.nl.add)


# -- transposes -------------------------------------------------------------------------------------------------------


def turned(values):
    """First and last axis exchanged, of two axes."""
    return [list(column) for column in zip(*values)]


@value("isa.dma_transpose", BOTH)
def of_two_axes(d):
    def kernel(x):
        out = hbm(d, 6, 24)
        if d is LEGACY:
            d.nl.store(out, d.nisa.dma_transpose(x, axes=(1, 0)))
            return out
        got = tile(6, 24)
        d.nisa.dma_transpose(dst=got, src=x, axes=(1, 0))
        d.nisa.dma_copy(dst=out, src=got)
        return out

    same(run_kernel(d, kernel, TABLE), turned(TABLE))


@value("isa.dma_transpose", BOTH)
def of_four_axes(d):
    def kernel(x):
        out = hbm(d, 5, 3, 4, 2)
        if d is LEGACY:
            d.nl.store(out, d.nisa.dma_transpose(x))
            return out
        got = tile(5, 3, 4, 2)
        d.nisa.dma_transpose(dst=got, src=x)
        d.nisa.dma_copy(dst=out, src=got)
        return out

    x = numbers(2, 3, 4, 5)
    want = [[[[x[a][b][c][e] for a in range(2)] for c in range(4)] for b in range(3)] for e in range(5)]
    same(run_kernel(d, kernel, x), want)


@value("isa.dma_transpose")
def of_rows_that_a_block_of_indices_names(d):
    table = numbers(300, 8)
    rows = integers(128, 2, high=299, seed=4)

    def kernel(x, index):
        out, got = hbm(d, 8, 256, dtype="bfloat16"), tile(8, 256, dtype="bfloat16", fill=0)
        source = x.ap(pattern=[[8, 256], [1, 8]], vector_offset=loaded(d, index), indirect_dim=0)
        d.nisa.dma_transpose(dst=got, src=source, axes=(1, 0))
        d.nisa.dma_copy(dst=out, src=got)
        return out

    flat = [rows[p][column] for column in range(2) for p in range(128)]
    got = run_kernel(d, kernel, array(table, "bfloat16"), array(rows, "uint32"))
    same(got, turned([table[row] for row in flat]))


@misuse("isa.dma_transpose", r"axes of a source of 3 axes must be \(2, 1, 0\), not \(0, 2, 1\)", BOTH)
def in_another_order(d):
    x = hbm(d, 4, 5, 6)
    d.nisa.dma_transpose(**({} if d is LEGACY else {"dst": tile(6, 5, 4)}), src=x, axes=(0, 2, 1))


@misuse("isa.dma_transpose", r"this transpose takes dtypes of 2 bytes")
def of_fp32_by_hardware(d):
    d.nisa.dma_transpose(dst=tile(64, 16), src=hbm(d, 16, 64), dge_mode=d.nisa.dge_mode.hwdge)


@misuse("isa.dma_transpose", r"dst is bfloat16 and src float32")
def with_a_cast(d):
    d.nisa.dma_transpose(dst=tile(6, 4, dtype="bfloat16"), src=hbm(d, 4, 6))


@value("language.load_transpose2d", BOTH)
def loads_turned(d):
    def kernel(x):
        out = hbm(d, 6, 24)
        d.nl.store(out, d.nl.load_transpose2d(x))
        return out

    same(run_kernel(d, kernel, TABLE), turned(TABLE))


@misuse("language.load_transpose2d", r"src is in SBUF; it must be in HBM", BOTH)
def of_a_tile(d):
    d.nl.load_transpose2d(d.nl.zeros((4, 6), d.nl.float32, buffer=d.nl.sbuf))


def _rows(d):
    table = d.nl.ndarray((64, 32), dtype="float16", buffer=d.nl.shared_hbm)
    return table.ap([[32, 16], [1, 32]], vector_offset=tile(16, 1, dtype="uint32", fill=0), indirect_dim=0)


@misuse("isa.dma_transpose", r"dge_mode.hwdge; with a source that is addressed by indices, dge_mode is unknown or swdge")
def rows_by_indices_with_hardware_descriptors(d):
    d.nisa.dma_transpose(tile(32, 16, dtype="float16"), _rows(d), dge_mode=d.nisa.dge_mode.hwdge)


@misuse("isa.dma_transpose", r"addressed by indices is for trn2, trn3", target="trn1")
def rows_by_indices_on_trn1(d):
    d.nisa.dma_transpose(tile(32, 16, dtype="float16"), _rows(d))


@value("isa.dma_transpose")
def skips_by_an_offset_that_is_known_at_run_time(d):
    def kernel(x, at):
        out = hbm(d, 6, 4)
        got, start = tile(6, 4), tile(1, 1, dtype="int32")
        d.nisa.dma_copy(dst=start, src=at)
        d.nisa.dma_transpose(dst=got, src=x.ap([[6, 4], [1, 6]], scalar_offset=start), oob_mode=d.nisa.oob_mode.skip)
        d.nisa.dma_copy(dst=out, src=got)
        return out

    x = [[float(10 * row + column) for column in range(6)] for row in range(8)]
    same(run_kernel(d, kernel, x, array([[3]], "int32")), [list(column) for column in zip(*x[3:7])])


@misuse("isa.dma_transpose", r"oob_mode.skip is for a source that is addressed by indices or by an offset")
def skips_without_indices(d):
    d.nisa.dma_transpose(tile(6, 4), tile(4, 6), oob_mode=d.nisa.oob_mode.skip)


@misuse("isa.dma_copy", r"dst is in PSUM; it must be in HBM or SBUF")
def into_psum(d):
    d.nisa.dma_copy(dst=tile(4, 6, buffer=d.nl.psum), src=tile(4, 6))


@misuse("isa.dma_copy", r"dge_mode.hwdge; with an index for each row, dge_mode is unknown or swdge")
def gathers_with_hardware_descriptors(d):
    d.nisa.dma_copy(dst=tile(16, 32, dtype="float16"), src=_rows(d), dge_mode=d.nisa.dge_mode.hwdge)


@misuse("isa.dma_transpose", r"dst has shape \(6, 4\); the transpose of \(4, 1, 1, 6\) has \(6, 1, 1, 4\), with as many axes")
def a_transpose_that_loses_axes(d):
    d.nisa.dma_transpose(dst=tile(6, 4), src=hbm(d, 4, 1, 1, 6))
