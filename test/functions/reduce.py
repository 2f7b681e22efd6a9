"""Reductions over free axes and partitions."""

# ruff: noqa: D103 - names of cases say what they hold

import math

from harness import BOTH, LEGACY, close, misuse, numbers, run, same, tile, value

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


@misuse("isa.tensor_partition_reduce", r"op=.* is not an ALU operation", BOTH)
def no_such_operation(d):
    d.nisa.tensor_partition_reduce(op="mean", data=tile(4, 6), **({} if d is LEGACY else {"dst": tile(1, 6)}))
