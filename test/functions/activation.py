"""Functions of ScalarE: `nki.isa.activation` with its options, and the `nki.language` functions of one tile."""

# ruff: noqa: D103 - names of cases say what they hold

import math

from harness import BOTH, LEGACY, close, each, misuse, numbers, psum, run, same, tile, value

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


@misuse("isa.activation_reduce", r"reduce_res takes a tensor, not None", BOTH)
def nowhere_to_reduce_to(d):
    arguments = {"op": d.nl.square, "data": tile(4, 6), "reduce_op": d.nl.add, "reduce_res": None}
    d.nisa.activation_reduce(**({} if d is LEGACY else {"dst": tile(4, 6)}), **arguments)
