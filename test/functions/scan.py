"""Operations in which an element depends on those before it."""

# ruff: noqa: D103 - names of cases say what they hold

from harness import BOTH, NKI, close, misuse, numbers, psum, run, tile, value, written

A, B = numbers(4, 6, low=-1.0, high=1.0), numbers(4, 6, seed=2)


def scan(step, initial, *rows):
    """Running values of `step(state, *elements)`."""
    values, state = [], initial
    for elements in zip(*rows):
        state = step(state, *elements)
        values.append(state)
    return values


@value("isa.tensor_tensor_scan", BOTH)
def multiply_then_add(d):
    def body(x, y):
        return written(d, d.nisa.tensor_tensor_scan, tile(4, 6), x, y, 0.5, op0=d.nl.multiply, op1=d.nl.add)

    close(run(d, body, A, B), [scan(lambda s, a, b: a * s + b, 0.5, *rows) for rows in zip(A, B)], 1e-5, 1e-6)


@value("isa.tensor_tensor_scan", BOTH)
def from_a_value_of_each_partition_and_reversed(d):
    start = [[1.0], [2.0], [3.0], [4.0]]

    def body(x, y, s):
        arguments = {"initial": s, "op0": d.nl.subtract, "op1": d.nl.subtract, "reverse0": True, "reverse1": True}
        return written(d, d.nisa.tensor_tensor_scan, tile(4, 6), x, y, **arguments)

    want = [scan(lambda s, a, b: b - (s - a), first, row, other) for row, other, (first,) in zip(A, B, start)]
    close(run(d, body, A, B, start), want, 1e-5, 1e-6)


@misuse("isa.tensor_tensor_scan", r"data0 and data1 are both in psum", BOTH)
def of_two_psum_tiles(d):
    written(d, d.nisa.tensor_tensor_scan, tile(4, 6), psum(4, 6), psum(4, 6), 0.0, op0=d.nl.add, op1=d.nl.add)


@misuse("isa.tensor_tensor_scan", r"op0=bitwise_and works on bits", BOTH)
def of_bits(d):
    written(d, d.nisa.tensor_tensor_scan, tile(4, 6), tile(4, 6), tile(4, 6), 0.0, op0=d.nl.bitwise_and, op1=d.nl.add)


@value("isa.tensor_scalar_cumulative", BOTH)
def running_sum_of_scaled_elements(d):
    def body(x):
        out = tile(4, 6)
        d.nisa.tensor_scalar_cumulative(dst=out, src=x, op0=d.nl.multiply, op1=d.nl.add, imm0=2.0)
        return out

    close(run(d, body, A), [scan(lambda s, a: a * 2.0 + s, 0.0, row) for row in A])


@value("isa.tensor_scalar_cumulative")
def goes_on_where_the_last_call_stopped(d):
    def body(x, y):
        first, second = tile(4, 6), tile(4, 6)
        arguments = {"op0": d.nl.add, "op1": d.nl.maximum, "imm0": 1.0}
        d.nisa.tensor_scalar_cumulative(first, x, imm1=0.25, reduce_cmd=d.nisa.reduce_cmd.load_reduce, **arguments)
        d.nisa.tensor_scalar_cumulative(second, y, reduce_cmd=d.nisa.reduce_cmd.reduce, **arguments)
        return first, second

    want = [scan(lambda s, a: max(a + 1.0, s), 0.25, row + other) for row, other in zip(A, B)]
    first, second = run(d, body, A, B)
    close([one + two for one, two in zip(first, second)], want)


@misuse("isa.tensor_scalar_cumulative", r"op1=divide; it takes add or subtract or multiply or maximum or minimum", BOTH)
def an_operation_that_does_not_accumulate(d):
    d.nisa.tensor_scalar_cumulative(dst=tile(4, 6), src=tile(4, 6), op0=d.nl.add, op1=d.nl.divide, imm0=1.0)


@misuse("isa.tensor_scalar_cumulative", r"src is int32; it takes float or int8", [NKI])
def of_wide_integers(d):
    d.nisa.tensor_scalar_cumulative(tile(4, 6), tile(4, 6, dtype="int32"), op0=d.nl.add, op1=d.nl.add, imm0=1.0)


@misuse("isa.tensor_scalar_cumulative", r"load_reduce needs imm1", [NKI])
def nothing_to_load(d):
    command = d.nisa.reduce_cmd.load_reduce
    d.nisa.tensor_scalar_cumulative(tile(4, 6), tile(4, 6), op0=d.nl.add, op1=d.nl.add, imm0=1.0, reduce_cmd=command)


@misuse("isa.tensor_tensor_scan", r"op0=abs takes one operand")
def of_one_operand(d):
    d.nisa.tensor_tensor_scan(tile(4, 6), tile(4, 6), tile(4, 6), 0.0, d.nl.abs, d.nl.add)


@misuse("isa.tensor_tensor_scan", r"initial takes a number or one value per partition")
def from_nothing(d):
    d.nisa.tensor_tensor_scan(tile(4, 6), tile(4, 6), tile(4, 6), None, d.nl.add, d.nl.add)


@misuse("isa.tensor_scalar_cumulative", r"imm0 is bfloat16; it takes float32")
def scaled_by_a_narrow_tile(d):
    d.nisa.tensor_scalar_cumulative(tile(4, 6), tile(4, 6), d.nl.multiply, d.nl.add, tile(4, 1, dtype="bfloat16"))
