"""Tensors as grids of tiles and of blocks of tiles: what each selects, moved by DMA and computed with."""

# ruff: noqa: D103 - names of cases say what they hold

from harness import each, misuse, nisa, nl, numbers, run_kernel, same, tile, value

from nki._record.program import locations

X = numbers(10, 14)


def hbm(*shape, dtype="float32"):
    """An output tensor."""
    return nl.ndarray(shape, dtype=dtype, buffer=nl.shared_hbm)


@value("isa.dma_copy")
def tiles_one_by_one_with_cut_edges(d):
    def kernel(x):
        out = hbm(*x.shape)
        sources, targets = nl.tiles(x, tile_shape=(4, 6)), nl.tiles(out, tile_shape=(4, 6))
        assert (sources.shape, sources.tile_shape, sources.element_shape) == ((3, 3), (4, 6), (10, 14))
        assert sources.index_step_elements == (4, 6) and sources.is_remainder and sources.dtype == nl.float32
        for i in range(sources.shape[0]):
            for j in range(sources.shape[1]):
                source = sources[i, j]
                assert isinstance(source, nl.NkiTileGrid) and source.shape == ()
                assert source.element_shape == (min(4, 10 - 4 * i), min(6, 14 - 6 * j)) == source.data.shape
                assert source.is_remainder == (i == 2 or j == 2)
                loaded = nl.ndarray(source.element_shape, dtype=x.dtype, buffer=nl.sbuf)
                nisa.dma_copy(dst=loaded.data, src=source.data)
                nisa.dma_copy(dst=targets[i, j].data, src=loaded.data)
        return out

    same(run_kernel(d, kernel, X), X)


@value("isa.dma_copy")
def rows_columns_and_slices_of_tiles(d):
    def kernel(x):
        grid = nl.tiles(x, tile_shape=(4, 6))
        outs = []
        for part in (grid[1, :], grid[:, -1], grid[0:2, 1:], grid[2:, 0:1][:, 0]):
            outs.append(hbm(*part.element_shape))
            nisa.dma_copy(dst=outs[-1], src=part.data)
        gaps = grid[::2, 0]
        assert gaps.element_shape == (6, 6) and gaps.index_step_elements == (8,) and not gaps.is_data_representable
        assert gaps[1].is_data_representable and gaps[1].data.shape == (2, 6)
        return tuple(outs)

    row, column, middle, corner = run_kernel(d, kernel, X)
    same(row, X[4:8])
    same(column, [line[12:] for line in X])
    same(middle, [line[6:] for line in X[0:8]])
    same(corner, [line[0:6] for line in X[8:]])


@value("isa.dma_copy")
def blocks_and_their_tiles(d):
    def kernel(x):
        out = hbm(*x.shape)
        sources = nl.blocks(x, tile_shape=(2, 3), block_shape=(2, 2))
        targets = nl.blocks(nl.tiles(out, tile_shape=(2, 3)), block_shape=(2, 2))
        assert sources.shape == targets.shape == (3, 3) and sources.block_shape == (2, 2)
        assert sources.index_step_elements == (4, 6)
        for i in range(3):
            for j in range(3):
                inner, goals = nl.tiles(sources[i, j]), nl.tiles(targets[i, j])
                assert inner.shape == (2 if i < 2 else 1, 2 if j < 2 else 1) and inner.tile_shape == (2, 3)
                for k in range(inner.shape[0]):
                    for m in range(inner.shape[1]):
                        nisa.dma_copy(dst=goals[k, m].data, src=inner[k, m].data)
        return out

    same(run_kernel(d, kernel, X), X)


@value("isa.dma_copy")
def slabs_of_a_dimension_without_tiles(d):
    def kernel(x):
        out = hbm(2, 6)
        grid = nl.tiles(x, tile_shape=(2, 4))
        assert grid.shape == (3, 2, 2) and grid.element_shape == (3, 4, 6)
        slab = grid[2]
        assert slab.shape == (2, 2) and slab.element_shape == (4, 6)
        nisa.dma_copy(dst=out, src=slab[1, :].data)
        return out

    x = numbers(3, 4, 6)
    same(run_kernel(d, kernel, x), x[2][2:4])


def _packed(d, allocate):
    """Copies X through tiles of SBUF, doubles them there, and gives the whole storage too."""

    def kernel(x):
        out = hbm(*x.shape)
        held = allocate()
        assert held.element_shape == (10, 14) and held.buffer is nl.sbuf and not held.is_data_representable
        sources, targets, inner = nl.tiles(x, tile_shape=(4, 6)), nl.tiles(out, tile_shape=(4, 6)), nl.tiles(held)
        for i in range(3):
            for j in range(3):
                nisa.dma_copy(dst=inner[i, j].data, src=sources[i, j].data)
        for i in range(3):
            row = inner[i, :].data
            assert row.shape == (min(4, 10 - 4 * i), 14)
            nisa.tensor_tensor(dst=row, data1=row, data2=row, op=nl.add)
            nisa.dma_copy(dst=targets[i, :].data, src=row)
        return out

    same(run_kernel(d, kernel, X), each(lambda number: 2 * number, X))


@value("isa.tensor_tensor")
def tiles_side_by_side_on_chip(d):
    _packed(d, lambda: nl.alloc_tiles(tile_shape=(4, 6), element_shape=(10, 14), buffer=nl.sbuf, dtype=nl.float32))


@value("isa.tensor_tensor")
def blocks_side_by_side_on_chip(d):
    made = {"tile_shape": (4, 6), "block_shape": (2, 1), "element_shape": (10, 14), "buffer": nl.sbuf, "dtype": nl.float32}
    _packed(d, lambda: nl.alloc_blocks(**made, name="held"))


@value("isa.dma_copy")
def tiles_in_hbm_and_of_three_dimensions_on_chip(d):
    def kernel(x):
        kept = nl.alloc_tiles(tile_shape=(2, 3), element_shape=x.shape, buffer=nl.private_hbm, dtype=x.dtype)
        held = nl.alloc_tiles(tile_shape=(2, 2, 3), element_shape=x.shape, buffer=nl.sbuf, dtype=x.dtype, address=(0, 256))
        out = hbm(2, 2, 3)
        nisa.dma_copy(dst=kept.data, src=x)
        nisa.dma_copy(dst=held[1, 0, 1].data, src=nl.tiles(kept.data, tile_shape=(2, 2, 3))[1, 0, 1].data)
        nisa.dma_copy(dst=out, src=held[1, 0, 1].data)
        return out

    x = numbers(4, 4, 6)
    same(run_kernel(d, kernel, x), [[line[3:] for line in plane[:2]] for plane in x[2:]])


@value("isa.dma_copy")
def tiles_that_a_loop_of_the_machine_selects(d):
    def kernel(x):
        out = hbm(*x.shape)
        sources, targets = nl.tiles(x, tile_shape=(2, 7)), nl.tiles(out, tile_shape=(2, 7))
        held = nl.alloc_tiles(tile_shape=(2, 7), element_shape=(10, 14), buffer=nl.sbuf, dtype=x.dtype)

        def move(i):
            for j in range(2):
                nisa.dma_copy(dst=held[i, j].data, src=sources[i, j].data)
            nisa.dma_copy(dst=targets[i, :].data, src=held[i, :].data)

        nl.fori_loop(0, 5, move)
        return out

    same(run_kernel(d, kernel, X), X)


def grid(**options):
    """A grid of 3 x 3 tiles in SBUF."""
    return nl.alloc_tiles(**{"tile_shape": (4, 6), "element_shape": (10, 14), "buffer": nl.sbuf, "dtype": nl.float32, **options})


#: Errors point at whoever called it, as with NKI Scope's own functions.
grid.__code__ = grid.__code__.replace(co_filename=locations.__file__)

#: Label -> (message, what is wrong).
REFUSED = {
    "a grid as it is": (r"dst takes a tensor, not NkiTileGrid: give its data", lambda d: nisa.dma_copy(dst=grid()[0, 0], src=hbm(4, 6))),
    "made by hand": (
        r"TypeError: nl.NkiTileGrid\(\.\.\.\) makes no grid: use nl.tiles\(tensor, tile_shape=\.\.\.\)",
        lambda d: nl.NkiTileGrid(hbm(8, 8), (2, 2)),
    ),
    "blocks made by hand": (
        r"TypeError: nl.NkiBlockGrid\(\.\.\.\) makes no grid: use nl.blocks\(",
        lambda d: nl.NkiBlockGrid(hbm(8, 8), [], (2, 2), (1, 1)),
    ),
    "all tiles on chip": (r"do not say what shape several rows of tiles on chip have", lambda d: grid().data),
    "tiles with gaps": (r"tiles with gaps between them", lambda d: nl.tiles(hbm(8, 8), tile_shape=(2, 2))[::2, :].data),
    "gaps grouped again": (r"gaps between them, which cannot", lambda d: nl.tiles(nl.tiles(hbm(8, 8), tile_shape=(2, 2))[::2, :])),
    "a tensor without tile_shape": (r"may be left out only where source is a grid", lambda d: nl.tiles(hbm(8, 8))),
    "a list": (r"TypeError: nl.alloc_tiles: tile_shape takes a tuple of integers, not \[4, 6\]", lambda d: grid(tile_shape=[4, 6])),
    "no element": (r"ValueError: nl.alloc_tiles: every entry of tile_shape must be at least 1", lambda d: grid(tile_shape=(0, 6))),
    "one entry": (r"ValueError: nl.alloc_tiles: tile_shape \(4,\) has 1 entries", lambda d: grid(tile_shape=(4,))),
    "a memory by name": (r"TypeError: nl.alloc_tiles: buffer takes a memory, as nl.sbuf, not str", lambda d: grid(buffer="sbuf")),
    "blocks of another rank": (
        r"block_shape \(2,\) must have as many entries",
        lambda d: nl.blocks(hbm(8, 8), tile_shape=(2, 2), block_shape=(2,)),
    ),
    "fewer axes on chip": (r"must have an entry for each axis of source", lambda d: nl.tiles(tile(4, 2, 3), tile_shape=(2, 3))),
    "other tiles on chip": (r"tile_shape \(2, 3\) is not that of source", lambda d: nl.tiles(grid(), tile_shape=(2, 3))),
    "a cut tile by a scalar": (
        r"the last tile is cut at 10 elements; a register or NkiScalar selects among whole tiles only",
        lambda d: grid()[nisa.register_alloc(1), 0],
    ),
}

for _label, (_message, _call) in REFUSED.items():
    _call.__name__ = _label
    misuse("isa.dma_copy", _message)(_call)
