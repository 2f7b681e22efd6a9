"""Elements chosen by a predicate, an index or chance."""

# ruff: noqa: D103 - names of cases say what they hold

from harness import BOTH, LEGACY, array, each, flat, integers, misuse, numbers, psum, run, same, tile, value, written

X, Y = numbers(4, 6), numbers(4, 6, seed=2)
BITS = integers(4, 6, high=1, seed=3)
P = numbers(4, 1, seed=4)
LOWEST = -3.4028234663852886e38


@value("isa.tensor_copy_predicated", BOTH)
def where_the_predicate_holds(d):
    def body(x, y, bits):
        d.nisa.tensor_copy_predicated(dst=x, src=y, predicate=bits)
        return x

    same(run(d, body, X, Y, array(BITS, "uint8")), each(lambda x, y, bit: y if bit else x, X, Y, BITS))


@value("isa.tensor_copy_predicated", BOTH)
def a_number_where_it_does_not(d):
    def body(x, bits):
        d.nisa.tensor_copy_predicated(dst=x, src=9.0, predicate=bits, reverse_pred=True)
        return x

    same(run(d, body, X, array(BITS, "uint32")), each(lambda x, bit: x if bit else 9.0, X, BITS))


@misuse("isa.tensor_copy_predicated", r"predicate is float32; it takes uint8 or uint16 or uint32", BOTH)
def by_floats(d):
    d.nisa.tensor_copy_predicated(dst=tile(4, 6), src=tile(4, 6), predicate=tile(4, 6))


@misuse("isa.tensor_copy_predicated", r"src is bfloat16 and dst is float32; they must have the same dtype", BOTH)
def with_a_cast(d):
    d.nisa.tensor_copy_predicated(dst=tile(4, 6), src=tile(4, 6, dtype="bfloat16"), predicate=tile(4, 6, dtype="uint8"))


@value("isa.select_reduce", BOTH)
def with_the_maximum_of_each_partition(d):
    def body(bits, x, p):
        out, largest = tile(4, 6), tile(4, 1)
        d.nisa.select_reduce(dst=out, predicate=bits, on_true=x, on_false=p, reduce_res=largest, reduce_cmd=d.nisa.reduce_cmd.reset_reduce)
        return out, largest

    want = [[x if bit else p[0] for x, bit in zip(row, bits)] for row, bits, p in zip(X, BITS, P)]
    out, largest = run(d, body, array(BITS, "uint8"), X, P)
    same(out, want)
    same(largest, [[max(row)] for row in want])


@value("isa.select_reduce", BOTH)
def over_two_calls(d):
    def body(bits, x, y):
        out, largest = tile(4, 6), tile(4, 1)
        commands = d.nisa.reduce_cmd
        d.nisa.select_reduce(dst=out, predicate=bits, on_true=x, on_false=-9.0, reduce_cmd=commands.reset_reduce)
        d.nisa.select_reduce(
            dst=out, predicate=bits, on_true=y, on_false=-9.0, reduce_res=largest, reduce_cmd=commands.reduce, reverse_pred=True
        )
        return out, largest

    out, largest = run(d, body, array(BITS, "uint8"), X, Y)
    same(out, each(lambda y, bit: -9.0 if bit else y, Y, BITS))
    chosen = each(lambda x, y, bit: x if bit else y, X, Y, BITS)
    same(largest, [[max(row)] for row in chosen])


@misuse("isa.select_reduce", r"reduce_op=minimum; it takes maximum", BOTH)
def the_minimum(d):
    bits = tile(4, 6, dtype="uint8")
    d.nisa.select_reduce(dst=tile(4, 6), predicate=bits, on_true=tile(4, 6), on_false=0.0, reduce_op=d.nl.minimum)


@misuse("isa.select_reduce", r"on_true and predicate are both in psum", BOTH)
def from_psum_twice(d):
    d.nisa.select_reduce(dst=tile(4, 6), predicate=psum(4, 6, dtype="uint8"), on_true=psum(4, 6), on_false=0.0)


@value("isa.range_select", BOTH)
def between_two_bounds(d):
    low, high = [[0.0], [1.0], [2.0], [9.0]], [[3.0], [6.0], [4.0], [0.0]]

    def body(x, a, b):
        largest = tile(4, 1)
        arguments = {"comp_op0": d.nl.greater_equal, "comp_op1": d.nl.less, "bound0": a, "bound1": b, "range_start": 1}
        command = d.nisa.reduce_cmd.reset_reduce
        out = written(d, d.nisa.range_select, tile(4, 6), on_true_tile=x, reduce_res=largest, reduce_cmd=command, **arguments)
        return out, largest

    want = [[x if a[0] <= i + 1 < b[0] else LOWEST for i, x in enumerate(row)] for row, a, b in zip(X, low, high)]
    out, largest = run(d, body, X, low, high)
    same(out, want)
    same(largest, [[max(row)] for row in want])


@misuse("isa.range_select", r"not available on this target \(NeuronCore-v2\); it is on trn2, trn3", BOTH, target="trn1")
def on_trn1(d):
    arguments = {"comp_op0": d.nl.greater, "comp_op1": d.nl.less, "bound0": tile(4, 1), "bound1": tile(4, 1)}
    written(d, d.nisa.range_select, tile(4, 6), on_true_tile=tile(4, 6), **arguments)


@misuse("isa.range_select", r"bound0 has 6 elements per partition; it takes 1", BOTH)
def a_bound_for_each_element(d):
    arguments = {"comp_op0": d.nl.greater, "comp_op1": d.nl.less, "bound0": tile(4, 6), "bound1": tile(4, 1)}
    written(d, d.nisa.range_select, tile(4, 6), on_true_tile=tile(4, 6), **arguments)


@misuse("isa.range_select", r"comp_op0=not_equal; it takes equal or less", BOTH)
def a_comparison_it_does_not_have(d):
    arguments = {"comp_op0": d.nl.not_equal, "comp_op1": d.nl.less, "bound0": tile(4, 1), "bound1": tile(4, 1)}
    written(d, d.nisa.range_select, tile(4, 6), on_true_tile=tile(4, 6), **arguments)


@value("isa.affine_select", BOTH)
def a_causal_mask(d):
    def body(x):
        if d is LEGACY:
            rows, columns = d.nl.arange(4)[:, None], d.nl.arange(6)[None, :]
            return d.nisa.affine_select(pred=(rows >= columns), on_true_tile=x, on_false_value=-9.0)
        out = tile(4, 6)
        d.nisa.affine_select(out, pattern=[[-1, 6]], channel_multiplier=1, on_true_tile=x, on_false_value=-9.0, cmp_op=d.nl.greater_equal)
        return out

    same(run(d, body, X), [[x if p >= i else -9.0 for i, x in enumerate(row)] for p, row in enumerate(X)])


@value("isa.affine_select")
def two_dimensions_and_an_offset(d):
    def body(x):
        out = tile(4, 2, 3)
        d.nisa.affine_select(out, pattern=[[3, 2], [1, 3]], channel_multiplier=-2, on_true_tile=x, on_false_value=0.5, offset=-1)
        return out

    cube = numbers(4, 2, 3)
    places = [[[3 * y + x - 2 * p - 1 for x in range(3)] for y in range(2)] for p in range(4)]
    same(run(d, body, cube), each(lambda x, place: x if place == 0 else 0.5, cube, places))


@misuse("isa.affine_select", r"pattern has 5 elements; dst \(4, 6\) has 6 per partition")
def a_pattern_of_another_size(d):
    d.nisa.affine_select(tile(4, 6), pattern=[[1, 5]], channel_multiplier=1, on_true_tile=tile(4, 6), on_false_value=0.0)


@misuse("isa.affine_select", r"pred does not take a tensor", [LEGACY])
def by_a_tile(d):
    d.nisa.affine_select(pred=tile(4, 6), on_true_tile=tile(4, 6), on_false_value=0.0)


def dropped(d, call):
    """0 keeps all, 1 drops all, 0.5 drops about half and leaves the others as they are."""
    wide = numbers(8, 512, low=1.0, high=2.0)
    same(run(d, lambda x: call(x, 0.0), wide), wide)
    same(run(d, lambda x: call(x, 1.0), wide), each(lambda x: 0.0, wide))
    got = flat(run(d, lambda x: call(x, 0.5), wide))
    assert all(a in (0.0, b) for a, b in zip(got, flat(wide)))
    assert 1800 < got.count(0.0) < 2300, got.count(0.0)  # 8 standard deviations around 2048


@value("isa.dropout", BOTH)
def zeroes_a_share(d):
    dropped(d, lambda x, prob: written(d, d.nisa.dropout, tile(8, 512), x, prob=prob))


@value("isa.dropout", BOTH)
def a_share_for_each_partition(d):
    got = run(d, lambda x, p: written(d, d.nisa.dropout, tile(4, 6), x, prob=p), Y, [[0.0], [1.0], [0.0], [1.0]])
    same(got, [row if k % 2 == 0 else [0.0] * 6 for k, row in enumerate(Y)])


@misuse("isa.dropout", r"prob takes a number or a tensor, not str", BOTH)
def with_a_word(d):
    written(d, d.nisa.dropout, tile(4, 6), tile(4, 6), prob="often")


@value("language.dropout", BOTH)
def zeroes_a_share_of_a_tile(d):
    dropped(d, lambda x, rate: d.nl.dropout(x, rate))


@misuse("language.dropout", r"x takes a tensor, not .*1.0", BOTH)
def of_a_number(d):
    d.nl.dropout(1.0, 0.5)


@value("isa.affine_select", label="integers keep every bit")
def selects_wide_integers(d):
    rows = [[2**24 + 1, -(2**31), 2**31 - 1, 5]] * 2

    def body(x):
        out = tile(2, 4, dtype="int32")
        d.nisa.affine_select(out, [[-1, 4]], 1, x, 2.5, cmp_op=d.nl.greater_equal, offset=2)
        return out

    want = [[x if 2 + p - i >= 0 else 2 for i, x in enumerate(row)] for p, row in enumerate(rows)]
    same(run(d, body, array(rows, "int32")), want)


@value("isa.dropout", label="integers that stay keep every bit")
def drops_wide_integers(d):
    rows = [[2**24 + 1, -(2**31), 2**31 - 1, 5]] * 2

    def body(x):
        out = tile(2, 4, dtype="int32")
        d.nisa.dropout(out, x, 0.0)
        return out

    same(run(d, body, array(rows, "int32")), rows)


@misuse("isa.dropout", r"prob is bfloat16; with data of int32 it takes float32")
def integers_by_narrow_probabilities(d):
    d.nisa.dropout(tile(4, 6, dtype="int32"), tile(4, 6, dtype="int32"), tile(4, 1, dtype="bfloat16"))


@misuse("isa.range_select", r"reduce_cmd=load_reduce; it takes idle or reset")
def a_range_that_loads(d):
    operands = (tile(4, 6), tile(4, 6), d.nl.less, d.nl.less, tile(4, 1), tile(4, 1))
    d.nisa.range_select(*operands, reduce_cmd=d.nisa.reduce_cmd.load_reduce)
