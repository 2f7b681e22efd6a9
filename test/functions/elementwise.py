"""ALU operations of one or two tiles and numbers, element by element."""

# ruff: noqa: D103 - names of cases say what they hold

import math

from harness import BOTH, LEGACY, array, close, each, integers, misuse, numbers, psum, run, same, tile, value, written

A, B = numbers(4, 6), numbers(4, 6, low=0.5, high=2.0, seed=2)
I, J, K = integers(4, 6), integers(4, 6, high=7, seed=2), integers(4, 6, low=1, high=7, seed=3)
P = numbers(4, 1, low=0.5, high=2.0, seed=3)


def floor_mod(x, y):
    """Remainder with the sign of the divisor."""
    return x - math.floor(x / y) * y


# -- nki.isa ----------------------------------------------------------------------------------------------------------


@value("isa.tensor_tensor", BOTH)
def subtracts(d):
    def body(x, y):
        if d is LEGACY:
            return d.nisa.tensor_tensor(x, y, op=d.nl.subtract)
        out = tile(4, 6)
        d.nisa.tensor_tensor(out, x, y, op=d.nl.subtract)
        return out

    same(run(d, body, A, B), each(lambda x, y: x - y, A, B))


@misuse("isa.tensor_tensor", r"data2 of shape \(4, 3\) does not fit dst")
def shapes_that_differ(d):
    d.nisa.tensor_tensor(tile(4, 6), tile(4, 6), tile(4, 3), op=d.nl.add)


@misuse("isa.tensor_tensor", r"data2 of shape \(4, 1\) does not fit .* as many elements per partition; repeat them with data2.broadcast")
def one_value_per_partition(d):
    d.nisa.tensor_tensor(tile(4, 6), tile(4, 6), tile(4, 1), op=d.nl.add)


@value("isa.tensor_tensor", label="a column repeated by a view")
def repeats_a_column(d):
    def body(x, p):
        out = tile(4, 6)
        d.nisa.tensor_tensor(out, x, p.broadcast(1, 6), op=d.nl.add)
        return out

    same(run(d, body, A, P), [[x + p[0] for x in row] for row, p in zip(A, P)])


@misuse("isa.tensor_tensor", r"do not broadcast together", [LEGACY])
def shapes_that_differ_with_a_returned_tile(d):
    d.nisa.tensor_tensor(tile(4, 6), tile(4, 3), op=d.nl.add)


@value("isa.tensor_scalar", BOTH)
def two_operations_the_second_reversed(d):
    def body(x, p):
        if d is LEGACY:
            return d.nisa.tensor_scalar(x, d.nl.multiply, 2.0, op1=d.nl.subtract, operand1=p, reverse1=True)
        out = tile(4, 6)
        d.nisa.tensor_scalar(out, x, d.nl.multiply, 2.0, op1=d.nl.subtract, operand1=p, reverse1=True)
        return out

    same(run(d, body, A, P), [[p[0] - x * 2.0 for x in row] for row, p in zip(A, P)])


@value("isa.tensor_tensor")
def integer_powers_are_exact(d):
    bases, exponents = [[3, -3, 987654321, 2, 7, 0, -1]], [[21, 5, 3, 31, 0, -1, 2**31 - 1]]

    def body(x, y):
        out = tile(1, 7, dtype="int32")
        d.nisa.tensor_tensor(out, x, y, op=d.nl.power)
        return out

    want = [0 if x == 0 else (x**y if y < 64 else -1) for x, y in zip(bases[0], exponents[0])]
    wrapped = [(x + 2**31) % 2**32 - 2**31 for x in want]
    same(run(d, body, array(bases, "int32"), array(exponents, "int32")), [wrapped])


@misuse("isa.tensor_tensor", r"op=abs takes one operand; this is for operations of two", BOTH)
def an_operation_of_one_tile(d):
    tiles = (tile(4, 6), tile(4, 6))
    d.nisa.tensor_tensor(*tiles, op=d.nl.abs) if d is LEGACY else d.nisa.tensor_tensor(tile(4, 6), *tiles, op=d.nl.abs)


@value("isa.tensor_scalar")
def an_operation_of_one_operand_whatever_the_order(d):
    def body(x):
        out = tile(4, 6)
        d.nisa.tensor_scalar(out, x, d.nl.abs, 0.0, reverse0=True)
        return out

    same(run(d, body, A), each(abs, A))


@misuse("isa.tensor_scalar", r"op0=abs takes one operand; operand0 must be None or 0")
def a_number_for_an_operation_of_one_operand(d):
    d.nisa.tensor_scalar(tile(4, 6), tile(4, 6), d.nl.abs, 2.0)


@misuse("isa.tensor_scalar", r"op1=multiply needs operand1")
def a_second_operation_without_its_operand(d):
    d.nisa.tensor_scalar(tile(4, 6), tile(4, 6), d.nl.add, 2.0, op1=d.nl.multiply)


@misuse("isa.tensor_scalar", r"operand1 without op1; both or neither")
def a_second_operand_without_its_operation(d):
    d.nisa.tensor_scalar(tile(4, 6), tile(4, 6), d.nl.add, 2.0, operand1=3.0)


@misuse("isa.tensor_scalar", r"operand0 is bfloat16; with op0=add it takes float32")
def a_narrow_value_per_partition(d):
    d.nisa.tensor_scalar(tile(4, 6), tile(4, 6), d.nl.add, tile(4, 1, dtype="bfloat16"))


@misuse("isa.tensor_scalar", r"op0=bitwise_and works on the bits of integers; operand0 is 1.5")
def bits_of_a_fraction(d):
    d.nisa.tensor_scalar(tile(4, 6, dtype="int32"), tile(4, 6, dtype="int32"), d.nl.bitwise_and, 1.5)


@misuse("isa.scalar_tensor_tensor", r"op1=square takes one operand")
def a_second_operation_of_one_tile(d):
    d.nisa.scalar_tensor_tensor(tile(4, 6), tile(4, 6), d.nl.add, 2.0, d.nl.square, tile(4, 6))


@misuse("isa.tensor_scalar", r"op0=soft is not an ALU operation", BOTH)
def an_operation_that_does_not_exist(d):
    arguments = (tile(4, 6), "soft", 1.0)
    d.nisa.tensor_scalar(*arguments) if d is LEGACY else d.nisa.tensor_scalar(tile(4, 6), *arguments)


@value("isa.scalar_tensor_tensor", BOTH)
def scalar_then_tile(d):
    def body(x, p, y):
        arguments = {"data": x, "op0": d.nl.multiply, "operand0": p, "op1": d.nl.add, "operand1": y}
        if d is LEGACY:
            return d.nisa.scalar_tensor_tensor(**arguments)
        out = tile(4, 6)
        d.nisa.scalar_tensor_tensor(out, **arguments)
        return out

    close(run(d, body, A, P, B), [[x * p[0] + y for x, y in zip(row, other)] for row, p, other in zip(A, P, B)])


@misuse("isa.scalar_tensor_tensor", r"operand1 takes a tensor, not (float )?2.0", BOTH)
def a_number_for_the_tile(d):
    arguments = {"data": tile(4, 6), "op0": d.nl.add, "operand0": 1.0, "op1": d.nl.add, "operand1": 2.0}
    d.nisa.scalar_tensor_tensor(**({} if d is LEGACY else {"dst": tile(4, 6)}), **arguments)


@value("isa.reciprocal", BOTH)
def one_over_x(d):
    def body(x):
        if d is LEGACY:
            return d.nisa.reciprocal(x)
        out = tile(4, 6)
        d.nisa.reciprocal(out, x)
        return out

    close(run(d, body, B), each(lambda x: 1 / x, B))


@misuse("isa.reciprocal", r"data takes a tensor, not (float )?3.0", BOTH)
def of_a_number(d):
    d.nisa.reciprocal(data=3.0, **({} if d is LEGACY else {"dst": tile(4, 6)}))


# -- nki.language -----------------------------------------------------------------------------------------------------

FLOATS = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "divide": lambda x, y: x / y,
    "maximum": max,
    "minimum": min,
    "mod": floor_mod,
    "fmod": math.fmod,
}


@value("language.divide", [LEGACY])
def integers_to_a_quotient_with_a_fraction(d):
    def body(x, y):
        return d.nl.floor(x / 15, dtype=d.nl.int32), x / y

    floors, quotients = run(d, body, array(I, "int32"), array(K, "int32"))
    same(floors, each(lambda x: x // 15, I))
    close(quotients, each(lambda x, y: x / y, I, K))


COMPARISONS = {
    "equal": lambda x, y: x == y,
    "not_equal": lambda x, y: x != y,
    "less": lambda x, y: x < y,
    "less_equal": lambda x, y: x <= y,
    "greater": lambda x, y: x > y,
    "greater_equal": lambda x, y: x >= y,
    "logical_and": lambda x, y: bool(x) and bool(y),
    "logical_or": lambda x, y: bool(x) or bool(y),
    "logical_xor": lambda x, y: bool(x) != bool(y),
}
BITS = {
    "bitwise_and": lambda x, y: x & y,
    "bitwise_or": lambda x, y: x | y,
    "bitwise_xor": lambda x, y: x ^ y,
    "left_shift": lambda x, y: x << y,
    "right_shift": lambda x, y: x >> y,
}


def _binary(name, f, a, b, dtype, number):
    """Cases of `nl.name(x, y)`: two tiles, and a tile with a number on its right."""

    def tiles(d):
        got = run(d, lambda x, y: getattr(d.nl, name)(x, y), array(a, dtype), array(b, dtype))
        close(each(float, got), each(lambda x, y: float(f(x, y)), a, b))

    def with_a_number(d):
        got = run(d, lambda x: getattr(d.nl, name)(x, number), array(a, dtype))
        close(each(float, got), each(lambda x: float(f(x, number)), a))

    def too_wide(d):
        getattr(d.nl, name)(tile(4, 6, dtype=dtype), tile(4, 5, dtype=dtype))

    value(f"language.{name}", BOTH)(tiles)
    value(f"language.{name}", BOTH)(with_a_number)
    misuse(f"language.{name}", r"broadcast", BOTH)(too_wide)


for _name, _f in FLOATS.items():
    _binary(_name, _f, A, B, "float32", 1.5)
for _name, _f in COMPARISONS.items():
    _binary(_name, _f, I, integers(4, 6, high=2, seed=2) if "logical" in _name else I[::-1], "int32", 50)
for _name, _f in BITS.items():
    _binary(_name, _f, I, J, "int32", 3)
_binary("power", lambda x, y: x**y, B, A, "float32", 2.0)


@value("language.invert", BOTH)
def flips_every_bit(d):
    same(run(d, lambda x: d.nl.invert(x), array(I, "int32")), each(lambda x: ~x, I))


@misuse("language.invert", r"invert works on the bits of integers; .* is float32", BOTH)
def of_floats(d):
    d.nl.invert(tile(4, 6, fill=1.0))


@value("language.logical_not", BOTH)
def true_of_zeros(d):
    zeros = each(lambda x: x % 2, I)
    close(each(float, run(d, lambda x: d.nl.logical_not(x), array(zeros, "int32"))), each(lambda x: float(x == 0), zeros))


@misuse("language.logical_not", r"x takes a tensor, not .*1.0", BOTH)
def of_one_number(d):
    d.nl.logical_not(1.0)


@value("language.where", BOTH)
def chooses(d):
    def body(x, y):
        return d.nl.where(d.nl.less(x, y), x, 7.0)

    same(run(d, body, A, B), each(lambda x, y: x if x < y else 7.0, A, B))


@misuse("language.where", r"broadcast", BOTH)
def condition_of_another_shape(d):
    d.nl.where(tile(4, 5), tile(4, 6), tile(4, 6))


MAGNITUDES = {"abs_max": lambda x, y: x if abs(x) > abs(y) else y, "abs_min": lambda x, y: x if abs(x) < abs(y) else y}


def _magnitude(name, f):
    def of_two_tiles(d):
        mirrored = [[-x for x in row] for row in A[::-1]]
        same(run(d, lambda x, y: getattr(d.nl, name)(x, y), A, mirrored, target="trn3"), each(f, A, mirrored))

    def on_trn2(d):
        getattr(d.nl, name)(tile(4, 6), tile(4, 6))

    value(f"language.{name}")(of_two_tiles)
    misuse(f"language.{name}", r"it is on trn3")(on_trn2)


for _name, _f in MAGNITUDES.items():
    _magnitude(_name, _f)


@value("language.less", label="truth has the inputs' dtype today, bool in the legacy dialect")
def dtype_of_truth(d):
    def body(x):
        truth = d.nl.less(x, 0.0)
        assert truth.dtype == d.nl.float32, truth.dtype
        return truth

    same(run(d, body, A), each(lambda x: float(x < 0), A))


@misuse("isa.tensor_tensor", r"data1 and data2 are both in psum", BOTH)
def of_two_psum_tiles(d):
    written(d, d.nisa.tensor_tensor, tile(4, 6), psum(4, 6), psum(4, 6), op=d.nl.add)


@misuse("isa.tensor_tensor", r"dst is in PSUM, which the GpSimd engine \(op=power\) does not reach")
def power_into_psum(d):
    d.nisa.tensor_tensor(psum(4, 6), tile(4, 6), tile(4, 6), op=d.nl.power)


@misuse("isa.tensor_scalar", r"op0=bitwise_and and op1=add: both must work on bits, or both be arithmetic", BOTH)
def bits_and_numbers(d):
    data = tile(4, 6, dtype="int32")
    operations = {"op0": d.nl.bitwise_and, "operand0": 1, "op1": d.nl.add, "operand1": 1}
    written(d, d.nisa.tensor_scalar, tile(4, 6, dtype="int32"), data, **operations)


@misuse("isa.tensor_scalar", r"op0=subtract, op1=None on the Scalar engine; it computes multiply then add", BOTH)
def subtraction_on_the_scalar_engine(d):
    written(d, d.nisa.tensor_scalar, tile(4, 6), tile(4, 6), d.nl.subtract, 1.0, engine=d.nisa.scalar_engine)


@misuse("isa.tensor_scalar", r"op0=add on the GpSimd engine; it computes rsqrt only", BOTH)
def addition_on_gpsimd(d):
    written(d, d.nisa.tensor_scalar, tile(4, 6), tile(4, 6), d.nl.add, 1.0, engine=d.nisa.gpsimd_engine)


@value("isa.tensor_scalar", BOTH)
def an_operation_of_one_operand(d):
    def body(x):
        return written(d, d.nisa.tensor_scalar, tile(4, 6), x, d.nl.rsqrt, 0.0, engine=d.nisa.gpsimd_engine)

    close(run(d, body, B), each(lambda x: x**-0.5, B))


@misuse("isa.scalar_tensor_tensor", r"op1=bitwise_or works on bits", BOTH)
def of_bits(d):
    arguments = {"data": tile(4, 6), "op0": d.nl.add, "operand0": 1.0, "op1": d.nl.bitwise_or, "operand1": tile(4, 6)}
    written(d, d.nisa.scalar_tensor_tensor, tile(4, 6), **arguments)


@value("isa.tensor_tensor", BOTH, label="32-bit integers are exact")
def large_integers(d):
    a, b = [[2**30 + 7 * k for k in range(6)]] * 4, [[2**29 + k for k in range(6)]] * 4

    def body(x, y):
        return written(d, d.nisa.tensor_tensor, tile(4, 6, dtype="int32"), x, y, op=d.nl.add)

    same(run(d, body, array(a, "int32"), array(b, "int32")), each(lambda x, y: x + y, a, b))


@misuse("isa.tensor_scalar", r"op0=abs_max is not available on NeuronCore-v3 \(it is on trn3\)")
def magnitudes_on_trn2(d):
    d.nisa.tensor_scalar(tile(4, 6), tile(4, 6), d.nl.abs_max, 1.0)


@value("isa.tensor_scalar")
def magnitudes_on_trn3(d):
    def body(x):
        out = tile(4, 6)
        d.nisa.tensor_scalar(out, x, d.nl.abs_max, 1.0)
        return out

    same(run(d, body, B, target="trn3"), each(lambda x: MAGNITUDES["abs_max"](x, 1.0), B))


@misuse("isa.tensor_scalar", r"op0=square is not available on NeuronCore-v3 \(it is on trn3\): use nisa.activation with op=nl.square")
def squares_before_trn3(d):
    d.nisa.tensor_scalar(tile(4, 6), tile(4, 6, fill=0), d.nl.square, None)


@misuse("isa.tensor_scalar", r"op0=relu is not available on NeuronCore-v3 \(it is on trn3\): use op0=nl.maximum with operand0=0.0")
def rectifies_before_trn3(d):
    d.nisa.tensor_scalar(tile(4, 6), tile(4, 6, fill=0), d.nl.relu, None)
