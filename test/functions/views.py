"""The bits of a tensor as another dtype, and tensors whose values the kernel knows. Cases of the copies that read them."""

# ruff: noqa: D103 - names of cases say what they hold

import struct

from harness import BOTH, LEGACY, array, each, integers, misuse, nisa, nl, numbers, run_kernel, same, tile, value

X = numbers(4, 6)


def hbm(d, *shape, dtype="float32"):
    """An output tensor."""
    return d.nl.ndarray(shape, dtype=dtype, buffer=d.nl.shared_hbm)


def words(number):
    """The two 16-bit halves of a float32, lowest first."""
    return list(struct.unpack("<HH", struct.pack("<f", number)))


@value("isa.dma_copy")
def the_bits_of_fp32_as_integers(d):
    def kernel(x):
        same_size, halves = hbm(d, 4, 6, dtype="int32"), hbm(d, 4, 12, dtype="uint16")
        loaded = tile(4, 6)
        d.nisa.dma_copy(dst=loaded, src=x)
        d.nisa.dma_copy(dst=same_size, src=loaded.view(d.nl.int32))
        d.nisa.dma_copy(dst=halves, src=loaded.ap(pattern=[[12, 4], [1, 12]], offset=0, dtype=d.nl.uint16))
        return same_size, halves

    integers_of, halves = run_kernel(d, kernel, X)
    same(integers_of, each(lambda number: struct.unpack("<i", struct.pack("<f", number))[0], X))
    same(halves, [[half for number in row for half in words(number)] for row in X])


@value("isa.tensor_copy", BOTH)
def a_column_by_an_integer_and_a_new_axis_in_its_place(d):
    def kernel(x):
        out, loaded, scaled = hbm(d, 4, 6), tile(4, 6), tile(4, 6)
        d.nisa.dma_copy(dst=loaded, src=x)
        column = d.nisa.tensor_copy(loaded) if d is LEGACY else loaded
        column = column[:, 2][:, None]
        assert (column.shape, loaded[:, 2:3][:, None].shape, loaded[:, 2].shape) == ((4, 1), (4, 1, 1), (4, 1))
        if d is LEGACY:
            d.nl.store(out, d.nl.multiply(loaded, column))
        else:
            d.nisa.tensor_scalar(scaled, loaded, d.nl.multiply, column)
            d.nisa.tensor_copy(scaled, scaled)
            d.nisa.dma_copy(dst=out, src=scaled)
        return out

    same(run_kernel(d, kernel, X), [[number * row[2] for number in row] for row in X])


@value("isa.tensor_copy")
def an_axis_more_by_keyword(d):
    def kernel(x):
        out, kept, loaded = hbm(d, 4, 6), tile(4, 6), tile(4, 6)
        d.nisa.dma_copy(dst=loaded.data, src=x.data)
        widened = loaded.expand_dim(dim=1)
        assert widened.shape == (4, 1, 6) and loaded.data is loaded
        d.nisa.tensor_copy(dst=kept.data, src=widened.squeeze_dim(dim=1))
        d.nisa.dma_copy(dst=out.data, src=kept)
        return out

    same(run_kernel(d, kernel, X), X)


@value("isa.tensor_copy")
def the_upper_half_of_fp32_is_bfloat16(d):
    def kernel(x):
        out, kept, loaded = hbm(d, 4, 6), tile(4, 6), tile(4, 6)
        d.nisa.dma_copy(dst=loaded, src=x)
        d.nisa.tensor_copy(dst=kept, src=loaded.view(d.nl.bfloat16)[:, 1:12:2])
        d.nisa.dma_copy(dst=out, src=kept)
        return out

    def truncated(number):
        return struct.unpack("<f", struct.pack("<HH", 0, words(number)[1]))[0]

    odd = each(lambda number: number + 2**-12, X)
    same(run_kernel(d, kernel, odd), each(truncated, odd))


@value("isa.memset")
def bytes_into_a_tile_of_integers(d):
    def kernel():
        out, made = hbm(d, 4, 2, dtype="int32"), tile(4, 2, dtype="int32", fill=0)
        d.nisa.memset(made.view(d.nl.uint8)[:, 1:8:4], 1)
        d.nisa.dma_copy(dst=out, src=made)
        return out

    same(run_kernel(d, kernel), [[256, 256]] * 4)


@value("isa.dma_copy")
def narrow_integers_of_an_hbm_tensor(d):
    def kernel(x):
        out = hbm(d, 4, 2, dtype="uint32")
        d.nisa.dma_copy(dst=out, src=x.view(d.nl.uint32))
        return out

    x = integers(4, 8, high=255)
    want = [[sum(row[4 * k + b] << 8 * b for b in range(4)) for k in range(2)] for row in x]
    same(run_kernel(d, kernel, array(x, "uint8")), want)


@misuse("isa.dma_copy", r"does not divide into elements of 4 bytes")
def three_halves_as_words(d):
    tile(4, 3, dtype="bfloat16").view(d.nl.float32)


@value("isa.dma_copy")
def constants_and_the_identity(d):
    table = array(X, "float32")

    def kernel():
        out, eye = hbm(d, 4, 6), hbm(d, 5, 5)
        d.nisa.dma_copy(dst=out, src=d.nl.shared_constant(table))
        d.nisa.dma_copy(dst=eye, src=d.nl.shared_identity_matrix(5, dtype=d.nl.bfloat16))
        return out, eye

    out, eye = run_kernel(d, kernel)
    same(out, X)
    same(eye, [[float(row == column) for column in range(5)] for row in range(5)])


@value("isa.dma_copy")
def a_pattern_past_the_end_that_nothing_uses(d):
    def kernel(x):
        out = hbm(d, 4, 6)
        loaded = tile(4, 6)
        following = x
        for row in range(4):
            nisa.dma_copy(dst=loaded[row : row + 1, :], src=following.ap([[6, 1], [1, 6]]))
            following = following.ap([[6, 1], [1, 6]], offset=6 * (row + 1))
        assert following.shape == (1, 6) and following.dtype == nl.float32
        for use in (lambda: nisa.dma_copy(dst=loaded[0:1, :], src=following), lambda: following[:, 0:2]):
            try:
                use()
            except IndexError as error:
                assert "ap reaches elements 24..29 of x, which has 24" in str(error), error
            else:
                raise AssertionError("nothing was refused")
        nisa.dma_copy(dst=out, src=loaded)
        return out

    same(run_kernel(d, kernel, X), X)
