"""Reductions over free axes and partitions."""

# ruff: noqa: D103 - names of cases say what they hold

import math

from harness import BOTH, LEGACY, array, close, misuse, numbers, run, same, tile, value, written

X = numbers(4, 6)
CUBE = numbers(4, 2, 3)

REDUCTIONS = {
    "sum": sum,
    "max": max,
    "min": min,
    "prod": math.prod,
    "mean": lambda row: sum(row) / len(row),
}


def _reduction(name, f):
    def over_the_last_axis(d):
        close(run(d, lambda x: getattr(d.nl, name)(x, axis=1, keepdims=True), X), [[f(row)] for row in X], 1e-5, 1e-6)

    def over_one_of_two_free_axes(d):
        want = [[f(column) for column in zip(*plane)] for plane in CUBE]
        close(run(d, lambda x: getattr(d.nl, name)(x, axis=1), CUBE), want, 1e-5, 1e-6)

    def over_the_partitions(d):
        getattr(d.nl, name)(tile(4, 6), axis=0)

    value(f"language.{name}", BOTH)(over_the_last_axis)
    value(f"language.{name}", BOTH)(over_one_of_two_free_axes)
    misuse(f"language.{name}", r"axis 0 is the partition axis", BOTH)(over_the_partitions)


for _name, _f in REDUCTIONS.items():
    _reduction(_name, _f)


@value("isa.tensor_reduce", BOTH)
def negated_maximum(d):
    def body(x):
        if d is LEGACY:
            return d.nisa.tensor_reduce(d.nl.maximum, x, axis=1, negate=True)
        out = tile(4, 1)
        d.nisa.tensor_reduce(out, d.nl.maximum, x, axis=1, negate=True)
        return out

    same(run(d, body, X), [[-max(row)] for row in X])


@misuse("isa.tensor_reduce", r"axis 2 of a tile of 2 axes", BOTH)
def an_axis_that_is_not_there(d):
    d.nisa.tensor_reduce(op=d.nl.add, data=tile(4, 6), axis=2, **({} if d is LEGACY else {"dst": tile(4, 1)}))


@value("isa.tensor_partition_reduce", BOTH)
def over_partitions(d):
    def body(x):
        if d is LEGACY:
            return d.nisa.tensor_partition_reduce(d.nl.add, x)
        out = tile(1, 6)
        d.nisa.tensor_partition_reduce(out, d.nl.add, x)
        return out

    close(run(d, body, X), [[sum(column) for column in zip(*X)]])


@value("isa.tensor_partition_reduce")
def averages_over_the_partitions(d):
    def body(x):
        out = tile(1, 6)
        d.nisa.tensor_partition_reduce(out, d.nl.average, x)
        return out

    close(run(d, body, X), [[sum(column) / len(X) for column in zip(*X)]])


@misuse(
    "isa.tensor_partition_reduce", r"op=multiply is not a reduction over partitions.*add, average, bitwise_and, bitwise_or, maximum", BOTH
)
def multiplies_over_the_partitions(d):
    d.nisa.tensor_partition_reduce(op=d.nl.multiply, data=tile(4, 6), **({} if d is LEGACY else {"dst": tile(1, 6)}))


@value("isa.tensor_scalar_reduce", BOTH)
def with_the_minimum_of_each_partition(d):
    def body(x):
        least = tile(4, 1)
        arguments = {"data": x, "op0": d.nl.multiply, "operand0": -2.0, "reduce_op": d.nl.minimum, "reduce_res": least}
        return written(d, d.nisa.tensor_scalar_reduce, tile(4, 6), **arguments), least

    out, least = run(d, body, X)
    same(out, [[-2.0 * x for x in row] for row in X])
    same(least, [[min(-2.0 * x for x in row)] for row in X])


@value("isa.tensor_scalar_reduce")
def over_two_calls_negated(d):
    def body(x):
        out, total, commands = tile(4, 6), tile(4, 1), d.nisa.reduce_cmd
        arguments = {"op0": d.nl.add, "operand0": 1.0, "reduce_op": d.nl.add}
        d.nisa.tensor_scalar_reduce(out, x, reduce_cmd=commands.load_reduce, reduce_init=0.5, **arguments)
        d.nisa.tensor_scalar_reduce(out, x, reduce_res=total, reduce_cmd=commands.reduce, reduce_res_negate=True, **arguments)
        return total

    close(run(d, body, X), [[-(0.5 + 2 * sum(x + 1.0 for x in row))] for row in X], absolute=1e-5)


@misuse("isa.tensor_scalar_reduce", r"reduce_op=divide; it takes add or subtract", BOTH)
def by_division(d):
    arguments = {"data": tile(4, 6), "op0": d.nl.add, "operand0": 1.0, "reduce_op": d.nl.divide, "reduce_res": tile(4, 1)}
    written(d, d.nisa.tensor_scalar_reduce, tile(4, 6), **arguments)


@misuse("isa.tensor_scalar_reduce", r"reduce_op=subtract; it takes add or multiply or maximum or minimum")
def by_subtraction(d):
    d.nisa.tensor_scalar_reduce(tile(4, 6), tile(4, 6, fill=0), d.nl.add, 1.0, d.nl.subtract, tile(4, 1))


@misuse("isa.tensor_scalar_reduce", r"dst has 5 axes; it takes 4 at most")
def of_four_free_axes(d):
    d.nisa.tensor_scalar_reduce(tile(4, 2, 2, 2, 2), tile(4, 2, 2, 2, 2, fill=0), d.nl.add, 1.0, d.nl.add, tile(4, 1))


@misuse("isa.tensor_scalar_reduce", r"op0=left_shift works on bits", BOTH)
def of_shifted_bits(d):
    arguments = {"data": tile(4, 6), "op0": d.nl.left_shift, "operand0": 1.0, "reduce_op": d.nl.add, "reduce_res": tile(4, 1)}
    written(d, d.nisa.tensor_scalar_reduce, tile(4, 6), **arguments)


@misuse("isa.tensor_reduce", r"op=power; it takes add or subtract", BOTH)
def by_powers(d):
    written(d, d.nisa.tensor_reduce, tile(4, 1), op=d.nl.power, data=tile(4, 6), axis=1)


@value("language.all", BOTH)
def no_zero_in_the_row(d):
    rows = [[1, 2, 3], [1, 0, 3], [0, 0, 0], [4, 5, 6]]
    got = run(d, lambda x: d.nl.all(x, axis=1), array(rows, "int32"))
    same([[int(x) for x in row] for row in got], [[int(all(row))] for row in rows])


@misuse("language.all", r"axis 0 is the partition axis", BOTH)
def no_zero_in_the_column(d):
    d.nl.all(tile(4, 6), axis=0)


@misuse("isa.tensor_reduce", r"negate is for arithmetic operations; bitwise_or works on bits")
def bits_negated(d):
    d.nisa.tensor_reduce(tile(4, 1, dtype="int32"), d.nl.bitwise_or, tile(4, 6, dtype="int32"), axis=1, negate=True)


@misuse("isa.tensor_scalar_reduce", r"reduce_init is for reduce_cmd=load_reduce, not for reset_reduce")
def a_start_that_nothing_loads(d):
    d.nisa.tensor_scalar_reduce(tile(4, 6), tile(4, 6), d.nl.add, 1.0, d.nl.add, tile(4, 1), reduce_init=2.0)


@misuse("isa.tensor_scalar_reduce", r"reduce_init is bfloat16; it takes float32")
def a_narrow_start(d):
    command, start = d.nisa.reduce_cmd.load_reduce, tile(4, 1, dtype="bfloat16")
    d.nisa.tensor_scalar_reduce(tile(4, 6), tile(4, 6), d.nl.add, 1.0, d.nl.add, tile(4, 1), reduce_cmd=command, reduce_init=start)


@misuse("isa.tensor_scalar_reduce", r"op0=abs_min is not available on NeuronCore-v3 \(it is on trn3\)")
def magnitudes_reduced_on_trn2(d):
    d.nisa.tensor_scalar_reduce(tile(4, 6), tile(4, 6), d.nl.abs_min, 1.0, d.nl.add, tile(4, 1))
