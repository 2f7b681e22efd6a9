"""Mean and variance of each partition."""

# ruff: noqa: D103 - names of cases say what they hold

from harness import BOTH, close, misuse, numbers, run, tile, value, written

X = numbers(4, 7)


def moments(values):
    """Count, mean, and sum of squared distances."""
    mean = sum(values) / len(values)
    return [len(values), mean, sum((x - mean) ** 2 for x in values)]


@value("isa.bn_stats", BOTH)
def even_and_odd_elements(d):
    want = [moments(row[0::2]) + moments(row[1::2]) for row in X]
    close(run(d, lambda x: written(d, d.nisa.bn_stats, tile(4, 6), x), X), want, 1e-5, 1e-6)


@misuse("isa.bn_stats", r"data has 513 elements per partition; it takes from 1 to 512", BOTH)
def of_a_tile_too_wide(d):
    written(d, d.nisa.bn_stats, tile(4, 6), tile(4, 513))


@value("isa.bn_aggr", BOTH)
def of_two_pieces(d):
    def body(x):
        pieces = tile(4, 12)
        for k, part in enumerate((x[:, 0:4], x[:, 4:7])):
            stats = written(d, d.nisa.bn_stats, tile(4, 6), part)
            pieces[:, 6 * k : 6 * k + 6] = stats
        return written(d, d.nisa.bn_aggr, tile(4, 2), pieces)

    want = [[mean, spread / count] for count, mean, spread in map(moments, X)]
    close(run(d, body, X), want, 1e-5, 1e-6)


@misuse("isa.bn_aggr", r"data has 5 elements per partition; .* take a multiple of 3", BOTH)
def of_no_triples(d):
    written(d, d.nisa.bn_aggr, tile(4, 2), tile(4, 5))


@value("language.var", BOTH)
def of_rows(d):
    want = [[spread / count] for count, _, spread in map(moments, X)]
    close(run(d, lambda x: d.nl.var(x, axis=1), X), want, 1e-5, 1e-6)


@misuse("language.var", r"axis 0 is the partition axis", BOTH)
def of_columns(d):
    d.nl.var(tile(4, 6), axis=0)
