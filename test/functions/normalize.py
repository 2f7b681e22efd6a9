"""Functions of whole rows."""

# ruff: noqa: D103 - names of cases say what they hold

import math

from harness import BOTH, close, misuse, numbers, run, tile, value

X = numbers(4, 6)
W = numbers(4, 6, low=0.5, high=1.5, seed=2)


@value("language.softmax", BOTH)
def of_rows(d):
    def softmax(row):
        powers = [math.exp(x - max(row)) for x in row]
        return [power / sum(powers) for power in powers]

    close(run(d, lambda x: d.nl.softmax(x, axis=-1), X), [softmax(row) for row in X], 1e-5)


@misuse("language.softmax", r"axis 0 is the partition axis", BOTH)
def of_columns(d):
    d.nl.softmax(tile(4, 6), axis=0)


@value("language.rms_norm", BOTH)
def scaled_by_weights(d):
    def norm(row, weights):
        scale = 1 / math.sqrt(sum(x * x for x in row) / 6 + 1e-3)
        return [x * scale * w for x, w in zip(row, weights)]

    close(run(d, lambda x, w: d.nl.rms_norm(x, w, axis=1, n=6, epsilon=1e-3), X, W), [norm(*pair) for pair in zip(X, W)], 1e-5)


@misuse("language.rms_norm", r"axis 3 of a tile of 2 axes", BOTH)
def over_no_axis_of_the_tile(d):
    d.nl.rms_norm(tile(4, 6), tile(4, 6), axis=3, n=6)
