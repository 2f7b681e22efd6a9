"""Functions of ScalarE: `nki.isa.activation` with its options, and the `nki.language` functions of one tile."""

# ruff: noqa: D103 - names of cases say what they hold

import math

from harness import BOTH, LEGACY, close, each, misuse, numbers, psum, run, same, tile, value, written

X = numbers(4, 6)
POSITIVE = numbers(4, 6, low=0.25, high=4.0)
P = numbers(4, 1, low=0.5, high=2.0, seed=3)


def sigmoid(x):
    """1 / (1 + e^-x)."""
    return 1 / (1 + math.exp(-x))


def cdf(x):
    """Of the normal distribution."""
    return 0.5 * (1 + math.erf(x / math.sqrt(2)))


def slope(f, x, step=1e-4):
    """Numerical derivative of fourth order."""
    return (8 * (f(x + step) - f(x - step)) - (f(x + 2 * step) - f(x - 2 * step))) / (12 * step)


def gelu(x):
    """x times the normal distribution's cdf."""
    return x * cdf(x)


def gelu_tanh(x):
    """Its approximation by tanh."""
    return 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


FUNCTIONS = {
    "exp": (math.exp, X),
    "log": (math.log, POSITIVE),
    "sqrt": (math.sqrt, POSITIVE),
    "rsqrt": (lambda x: 1 / math.sqrt(x), POSITIVE),
    "reciprocal": (lambda x: 1 / x, POSITIVE),
    "square": (lambda x: x * x, X),
    "abs": (abs, X),
    "sign": (lambda x: (x > 0) - (x < 0), X),
    "tanh": (math.tanh, X),
    "sigmoid": (sigmoid, X),
    "relu": (lambda x: max(x, 0.0), X),
    "gelu": (gelu, X),
    "gelu_dx": (lambda x: slope(gelu, x), X),
    "gelu_apprx_tanh": (gelu_tanh, X),
    "gelu_apprx_sigmoid": (lambda x: x * sigmoid(1.702 * x), X),
    "gelu_apprx_sigmoid_dx": (lambda x: slope(lambda t: t * sigmoid(1.702 * t), x), X),
    "silu": (lambda x: x * sigmoid(x), X),
    "silu_dx": (lambda x: slope(lambda t: t * sigmoid(t), x), X),
    "softplus": (lambda x: math.log1p(math.exp(x)), X),
    "mish": (lambda x: x * math.tanh(math.log1p(math.exp(x))), X),
    "erf": (math.erf, X),
    "erf_dx": (lambda x: 2 / math.sqrt(math.pi) * math.exp(-x * x), X),
    "sin": (math.sin, X),
    "cos": (math.cos, X),
    "arctan": (math.atan, X),
    "negative": (lambda x: -x, X),
    "tan": (math.tan, numbers(4, 6, low=-1.5, high=1.5)),
    "floor": (math.floor, X),
    "ceil": (math.ceil, X),
    "trunc": (math.trunc, X),
}


def _function(name, f, data):
    def of_a_tile(d):
        close(run(d, lambda x: getattr(d.nl, name)(x), data), each(f, data), relative=1e-5, absolute=1e-6)

    def of_a_host_number(d):
        getattr(d.nl, name)(2.0)

    value(f"language.{name}", BOTH)(of_a_tile)
    misuse(f"language.{name}", r"x takes a tensor, not .*2.0", BOTH)(of_a_host_number)


for _name, (_f, _data) in FUNCTIONS.items():
    _function(_name, _f, _data)


@value("isa.activation", BOTH)
def scale_then_bias(d):
    def body(x, p):
        if d is LEGACY:
            return d.nisa.activation(d.nl.exp, x, bias=p, scale=0.5)
        out = tile(4, 6)
        d.nisa.activation(out, op=d.nl.exp, data=x, bias=p, scale=0.5)
        return out

    close(run(d, body, X, P), [[math.exp(x * 0.5 + p[0]) for x in row] for row, p in zip(X, P)])


@value("isa.activation", BOTH)
def scale_of_each_partition(d):
    def body(x, p):
        if d is LEGACY:
            return d.nisa.activation(d.nl.copy, x, scale=p)
        out = tile(4, 6)
        d.nisa.activation(out, op=d.nl.copy, data=x, scale=p)
        return out

    same(run(d, body, X, [[0.5], [2.0], [1.0], [-1.0]]), [[x * s for x in row] for row, s in zip(X, (0.5, 2.0, 1.0, -1.0))])


@misuse("isa.activation", r"op=expo is not an activation function .*nl\.exp", BOTH)
def an_unknown_function(d):
    arguments = ("expo", tile(4, 6))
    d.nisa.activation(*arguments) if d is LEGACY else d.nisa.activation(tile(4, 6), *arguments)


@misuse("isa.activation", r"data is in HBM; it must be in SBUF or PSUM", BOTH)
def on_hbm(d):
    data = d.nl.ndarray((4, 6), dtype=d.nl.float32, buffer=d.nl.shared_hbm)
    d.nisa.activation(op=d.nl.exp, data=data, **({} if d is LEGACY else {"dst": psum(4, 6)}))


@value("isa.activation_reduce", BOTH)
def sums_what_it_writes(d):
    def body(x):
        total = tile(4, 1)
        arguments = {"op": d.nl.square, "data": x, "reduce_op": d.nl.add, "reduce_res": total}
        if d is LEGACY:
            return d.nisa.activation_reduce(**arguments), total
        out = tile(4, 6)
        d.nisa.activation_reduce(out, **arguments)
        return out, total

    out, total = run(d, body, X)
    close(out, each(lambda x: x * x, X))
    close(total, [[sum(x * x for x in row)] for row in X])


@misuse("isa.activation_reduce", r"reduce_res has 6 elements per partition; it takes 1", BOTH)
def into_a_whole_tile(d):
    arguments = {"op": d.nl.square, "data": tile(4, 6), "reduce_op": d.nl.add, "reduce_res": tile(4, 6)}
    d.nisa.activation_reduce(**({} if d is LEGACY else {"dst": tile(4, 6)}), **arguments)


@value("isa.activation", BOTH, label="registers keep a sum from call to call")
def sum_over_two_calls(d):
    def body(x):
        total, commands = tile(4, 1), d.nisa.reduce_cmd
        arguments = {"op": d.nl.copy, "data": x, "reduce_op": d.nl.add}
        written(d, d.nisa.activation, tile(4, 6), reduce_cmd=commands.reset_reduce, **arguments)
        written(d, d.nisa.activation, tile(4, 6), reduce_cmd=commands.reduce, reduce_res=total, **arguments)
        return total

    close(run(d, body, X), [[2 * sum(row)] for row in X], absolute=1e-6)


@value("isa.activation", BOTH, label="sin is a cubic beyond pi, as on the hardware")
def sine_of_nine(d):
    got = run(d, lambda x: written(d, d.nisa.activation, tile(1, 3), op=d.nl.sin, data=x), [[9.0, -9.0, 3.0]])
    close(got, [[27.65, -27.65, math.sin(3.0)]], 1e-3)


@value("language.sin", BOTH, label="of numbers beyond pi")
def sine_beyond_pi(d):
    far = numbers(4, 6, low=-50.0, high=50.0)
    close(run(d, lambda x: d.nl.sin(x), far), each(math.sin, far), 1e-5, 1e-5)


@misuse("isa.activation", r"a number as bias is not available on NeuronCore-v2 .* \[P, 1\] tile", BOTH, target="trn1")
def a_number_as_bias_on_trn1(d):
    written(d, d.nisa.activation, tile(4, 6), op=d.nl.exp, data=tile(4, 6), bias=1.0)


@value("isa.activation", label="a number as bias on NeuronCore-v2, up to NKI 0.3")
def number_as_bias_of_old(d):
    body = lambda x: written(d, d.nisa.activation, tile(4, 6), op=d.nl.exp, data=x, bias=1.0)  # noqa: E731
    close(run(d, body, X, target="trn1", version="0.3"), each(lambda v: math.exp(v + 1.0), X), 1e-5, 1e-5)


@value("isa.activation", label="a number as bias of a copy on NeuronCore-v2")
def number_as_bias_of_copy(d):
    body = lambda x: written(d, d.nisa.activation, tile(4, 6), op=d.nl.copy, data=x, bias=1.0)  # noqa: E731
    close(run(d, body, X, target="trn1"), each(lambda v: v + 1.0, X), 1e-5, 1e-5)


@value("isa.activation_reduce", label="a maximum, before NKI 0.7")
def largest_of_old(d):
    def body(x):
        out, largest = tile(4, 6), tile(4, 1)
        d.nisa.activation_reduce(out, d.nl.copy, x, d.nl.maximum, largest)
        return largest

    same(run(d, body, X, version="0.6"), [[max(row)] for row in X])


@misuse("isa.activation", r"reduce_op=maximum; it takes add", BOTH)
def a_maximum(d):
    written(d, d.nisa.activation, tile(4, 6), op=d.nl.exp, data=tile(4, 6), reduce_op=d.nl.maximum, reduce_res=tile(4, 1))


@value("isa.activate2")
def reversed_operations_then_a_function(d):
    def body(x, p):
        out, total = tile(4, 6), tile(4, 1)
        arguments = {"imm0": 2.0, "imm1": p, "op0": d.nl.multiply, "op1": d.nl.subtract, "reverse1": True}
        command = d.nisa.reduce_cmd.reset_reduce
        d.nisa.activate2(out, d.nl.tanh, x, reduce_op=d.nl.add, reduce_res=total, reduce_cmd=command, **arguments)
        return out, total

    want = [[math.tanh(p[0] - 2.0 * x) for x in row] for row, p in zip(X, P)]
    out, total = run(d, body, X, P, target="trn3")
    close(out, want, 1e-5, 1e-6)
    close(total, [[sum(row)] for row in want], 1e-5, 1e-5)


@value("isa.activate2")
def prelu_with_its_slope(d):
    def body(x):
        out = tile(4, 6)
        nothing = d.nl.bypass
        d.nisa.activate2(out, "prelu", x, imm0=0.0, imm1=0.0, op0=nothing, op1=nothing, relu_param=0.25)
        return out

    same(run(d, body, X, target="trn3"), each(lambda x: x if x > 0 else 0.25 * x, X))


@value("isa.activate2", label="reset puts the registers to where each reduction starts")
def reset_then_reduced(d):
    below = [[-1.0 - abs(x) for x in row] for row in X]
    commands, nothing = d.nisa.reduce_cmd, d.nl.bypass

    def reduced(op):
        def body(x):
            out, total = tile(len(X), len(X[0])), tile(len(X), 1)
            arguments = {"op": d.nl.copy, "data": x, "imm0": 0.0, "imm1": 0.0, "op0": nothing, "op1": nothing, "reduce_op": op}
            d.nisa.activate2(out, **arguments, reduce_cmd=commands.reset)
            d.nisa.activate2(out, **arguments, reduce_res=total, reduce_cmd=commands.reduce)
            return total

        return run(d, body, below, target="trn3")

    same(reduced(d.nl.maximum), [[max(row)] for row in below])
    same(reduced(d.nl.abs_min), [[max(row)] for row in below])
    same(reduced(d.nl.abs_max), [[min(row)] for row in below])


@misuse("isa.activate2", r"reduce_op=multiply; it takes add or maximum or minimum or abs_max or abs_min", target="trn3")
def a_product_of_activations(d):
    nothing = d.nl.bypass
    d.nisa.activate2(tile(4, 6), d.nl.exp, tile(4, 6), 1.0, 1.0, nothing, nothing, reduce_op=d.nl.multiply)


@misuse("isa.activate2", r"reduce_cmd=load_reduce; it takes idle or reset", target="trn3")
def activations_added_to_a_start(d):
    command, nothing = d.nisa.reduce_cmd.load_reduce, d.nl.bypass
    d.nisa.activate2(tile(4, 6), d.nl.exp, tile(4, 6), 1.0, 1.0, nothing, nothing, reduce_op=d.nl.add, reduce_cmd=command)


@misuse("isa.activate2", r"op0=multiply needs imm0", target="trn3")
def without_what_its_operation_needs(d):
    d.nisa.activate2(tile(4, 6), d.nl.exp, tile(4, 6), None, None, d.nl.multiply, d.nl.bypass)


@misuse("isa.activation", r"bias is tfloat32; it takes any other dtype")
def a_bias_of_tfloat32(d):
    d.nisa.activation(tile(4, 6), d.nl.exp, tile(4, 6), bias=tile(4, 1, dtype="tfloat32"))


@misuse("isa.activation_reduce", r"reduce_op=maximum; NeuronCore-v2 reduces with add only", target="trn1")
def the_largest_on_trn1(d):
    d.nisa.activation_reduce(tile(4, 6), d.nl.exp, tile(4, 6), d.nl.maximum, tile(4, 1))


@misuse("isa.activation_reduce", r"reduce_op=maximum; ScalarE reduces with nl.add only")
def the_largest_on_trn2(d):
    d.nisa.activation_reduce(tile(4, 6), d.nl.exp, tile(4, 6), d.nl.maximum, tile(4, 1))


@misuse("isa.exponential", r"reduce_init is for reduce_cmd=load_reduce, not for reset_reduce", target="trn3")
def an_exponential_with_a_start_that_nothing_loads(d):
    d.nisa.exponential(tile(4, 6), tile(4, 6), reduce_cmd=d.nisa.reduce_cmd.reset_reduce, reduce_init=2.0)


@misuse("isa.exponential", r"dst is uint32; it takes float8_e4m3 or", target="trn3")
def an_exponential_into_unsigned_words(d):
    d.nisa.exponential(tile(4, 6, dtype="uint32"), tile(4, 6))


@misuse("isa.exponential", r"max_value is bfloat16; it takes float32", target="trn3")
def an_exponential_below_a_narrow_maximum(d):
    d.nisa.exponential(tile(4, 6), tile(4, 6), max_value=tile(4, 1, dtype="bfloat16"))


@misuse("isa.activate2", r"op0=add, op1=add; it computes add, bypass", target="trn3")
def a_pair_it_does_not_have(d):
    d.nisa.activate2(tile(4, 6), d.nl.exp, tile(4, 6), imm0=1.0, imm1=1.0, op0=d.nl.add, op1=d.nl.add)


@misuse("isa.activate2", r"NeuronCore-v3\); it is on trn3")
def on_trn2(d):
    d.nisa.activate2(tile(4, 6), d.nl.exp, tile(4, 6), imm0=1.0, imm1=1.0, op0=d.nl.multiply, op1=d.nl.add)


@value("isa.exponential")
def less_the_maximum_and_summed(d):
    def body(x, p):
        out, total = tile(4, 6), tile(4, 1)
        commands = d.nisa.reduce_cmd
        d.nisa.exponential(out, x, max_value=p, reduce_res=total, reduce_cmd=commands.load_reduce, reduce_init=1.5)
        return out, total

    want = [[math.exp(x - p[0]) for x in row] for row, p in zip(X, P)]
    out, total = run(d, body, X, P, target="trn3")
    close(out, want, 1e-6)
    close(total, [[1.5 + sum(row)] for row in want], 1e-5)


@misuse("isa.exponential", r"it is on trn3", target="trn1")
def on_trn1(d):
    d.nisa.exponential(tile(4, 6), tile(4, 6))


@misuse("isa.exponential", r"reduce_res has 6 elements per partition; it takes 1", target="trn3")
def a_sum_for_each_element(d):
    d.nisa.exponential(tile(4, 6), tile(4, 6), reduce_res=tile(4, 6), reduce_cmd=d.nisa.reduce_cmd.reset_reduce)


@misuse("isa.activation", r"reduce_res has 2 partitions, dst 4")
def reduced_into_two_partitions(d):
    commands = d.nisa.reduce_cmd
    d.nisa.activation(tile(4, 6), d.nl.exp, tile(4, 6), reduce_op=d.nl.add, reduce_res=tile(2, 1), reduce_cmd=commands.reset_reduce)


@misuse("isa.activation", r"op=reciprocal takes no bias on NeuronCore-v2", target="trn1")
def a_reciprocal_with_a_bias_on_trn1(d):
    d.nisa.activation(tile(4, 6), d.nl.reciprocal, tile(4, 6), bias=tile(4, 1))
