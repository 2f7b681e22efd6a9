"""`nki.collectives` on several ranks: what each rank holds afterwards, against loops in plain Python."""

# ruff: noqa: D103 - names of cases say what they hold

import random

from harness import array, each, nisa, nl, note_recorded, numbers, same, tile, value

import neuronxcc.nki as legacy_nki
import neuronxcc.nki.language as legacy_nl
import neuronxcc.nki.nccl as nccl
import nki
from nki import collectives as ncc
from nki.collectives import ReplicaGroup
from nki_scope import on_ranks

RANKS = 4
ALL = ReplicaGroup([list(range(RANKS))])
#: An argument that tells a kernel's Python its rank: `rank_id` is in a register.
ME = int
RING = [(rank, (rank + 1) % RANKS) for rank in range(RANKS)]
HALVES = ReplicaGroup([[0, 2], [1, 3]])


def private(*shape, dtype="float32"):
    """A tensor of the kernel's own."""
    return nl.ndarray(shape, dtype=dtype, buffer=nl.private_hbm)


def returned(made):
    """A copy that the kernel may return."""
    out = nl.ndarray(made.shape, dtype=made.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=made)
    return out


def on_all(kernel, *of_rank, ranks=RANKS):
    """Runs a kernel on the ranks with x and so on of each. Every rank's result as nested lists."""
    names = getattr(kernel, "func", kernel).__code__.co_varnames[: len(of_rank)]
    given = [{name: values(rank) for name, values in zip(names, of_rank)} for rank in range(ranks)]
    results = on_ranks(kernel if hasattr(kernel, "func") else nki.jit(kernel), given)
    note_recorded()
    return [tuple(r.tolist() for r in made) if isinstance(made, tuple) else made.tolist() for made in results]


def inputs(*shape):
    """Values of each rank, as lists and as what a kernel is called with."""
    lists = [numbers(*shape, seed=rank + 1) for rank in range(RANKS)]
    return lists, lambda rank: array(lists[rank])


def total(lists, op=lambda a, b: a + b):
    """Element by element over ranks."""
    result = lists[0]
    for other in lists[1:]:
        result = each(op, result, other)
    return result


@value("collectives.all_reduce", label="over all ranks and over halves, of several tensors")
def reduces(d):
    lists, x = inputs(4, 6)

    def kernel(x):
        doubled, made, halves = private(4, 6), [private(4, 6), private(4, 6)], private(4, 6)
        loaded = tile(4, 6)
        nisa.dma_copy(dst=loaded, src=x)
        nisa.tensor_scalar(dst=loaded, data=loaded, op0=nl.multiply, operand0=2.0)
        nisa.dma_copy(dst=doubled, src=loaded)
        ncc.all_reduce([x, doubled], made, ALL, nl.add)
        ncc.all_reduce([x], [halves], HALVES, nl.maximum)
        return returned(made[0]), returned(made[1]), returned(halves)

    for rank, (once, twice, halves) in enumerate(on_all(kernel, x)):
        same(once, total(lists))
        same(twice, each(lambda v: 2 * v, total(lists)))
        same(halves, total([lists[rank % 2], lists[rank % 2 + 2]], max))


@value("collectives.all_gather", label="in HBM along rows, in SBUF along columns")
def gathers(d):
    lists, x = inputs(4, 6)

    def kernel(x):
        rows, loaded, columns = private(16, 6), tile(4, 6), tile(4, 24)
        nisa.dma_copy(dst=loaded, src=x)
        ncc.all_gather([x], [rows], ALL, 0)
        ncc.all_gather([loaded], [columns], ALL, 1)
        return returned(rows), returned(columns)

    for rows, columns in on_all(kernel, x):
        same(rows, [row for values in lists for row in values])
        same(columns, [[number for values in lists for number in values[row]] for row in range(4)])


@value("collectives.all_gather", label="of the rows that each rank's number picks")
def gathers_by_number(d):
    lists, x = inputs(4, 6)

    def kernel(x):
        row, rows = private(1, 6), private(4, 6)
        nisa.dma_copy(dst=row, src=x.ap(pattern=[[6, 1], [1, 6]], scalar_offset=ncc.rank_id(), indirect_dim=0))
        ncc.all_gather([row], [rows], ALL, 0)
        return returned(rows)

    same(on_all(kernel, x), [[lists[rank][rank] for rank in range(RANKS)]] * RANKS)


@value("collectives.reduce_scatter", label="each rank its rows of the sum")
def scatters(d):
    lists, x = inputs(8, 3)

    def kernel(x):
        made = private(2, 3)
        ncc.reduce_scatter([x], [made], ALL, 0, nl.add)
        return returned(made)

    for rank, got in enumerate(on_all(kernel, x)):
        same(got, total(lists)[2 * rank : 2 * rank + 2])


@value("collectives.all_to_all", label="part r of each rank at rank r")
def exchanges(d):
    lists, x = inputs(8, 3)

    def kernel(x):
        made = private(8, 3)
        ncc.all_to_all([x], [made], ALL, 0)
        return returned(made)

    for rank, got in enumerate(on_all(kernel, x)):
        same(got, [row for values in lists for row in values[2 * rank : 2 * rank + 2]])


@value("collectives.collective_permute", label="along pairs; a rank that gets nothing keeps what it has")
def permutes(d):
    lists, x = inputs(4, 6)

    def kernel(x):
        made = private(4, 6)
        nisa.dma_copy(dst=made, src=tile(4, 6, fill=-1))
        ncc.collective_permute([x], [made], [(0, 1), (1, 3), (3, 2)])
        return returned(made)

    got = on_all(kernel, x)
    same(got[0], each(lambda _: -1.0, lists[0]))
    for source, target in ((0, 1), (1, 3), (3, 2)):
        same(got[target], lists[source])


@value("collectives.collective_permute_implicit", label="round the ring on two channels, with the rank whose data has come")
def goes_round(d):
    lists, x = inputs(4, 6)

    def kernel(x):
        out = nl.ndarray((2, RANKS, 4, 6), dtype=x.dtype, buffer=nl.shared_hbm)
        held = [private(4, 6), private(4, 6)]
        for channel in (0, 1):
            nisa.dma_copy(dst=held[channel], src=x)
        for step in range(RANKS):
            come = ncc.collective_permute_implicit_current_processing_rank_id(step, ALL)
            for channel in (0, 1):
                place = out[channel].ap(pattern=[[6, 4], [1, 6]], scalar_offset=come, indirect_dim=0)
                nisa.dma_copy(dst=place, src=held[channel])
            if step + 1 < RANKS:
                following = [private(4, 6), private(4, 6)]
                ncc.collective_permute_implicit([[held[0]], [held[1]]], [[following[0]], [following[1]]], ALL, [0, 1])
                held = following
        return out

    for got in on_all(kernel, x):
        same(got, [lists, lists])


@value("collectives.collective_permute_implicit_reduce", label="what successors get is the sum of two")
def sums_round(d):
    lists, x = inputs(4, 6)

    def kernel(x):
        sums = private(4, 6)
        ncc.collective_permute_implicit_reduce([[x]], [[x]], [[sums]], ALL, nl.add)
        return returned(sums)

    for rank, got in enumerate(on_all(kernel, x)):
        same(got, each(lambda v: 2 * v, lists[(rank - 1) % RANKS]))


def _metadata(*rows):
    return lambda rank: array([row(rank) for row in rows], "uint32")


@value("collectives.all_gather_v", label="a chunk of another size of each rank")
def gathers_chunks(d):
    lists, x = inputs(4, 6)
    metadata = _metadata(lambda rank: [rank + 1] * RANKS, lambda rank: [rank] * RANKS, lambda rank: [0] * RANKS)

    def kernel(x, metadata):
        made, kept = private(1, 96), private(3, RANKS, dtype="uint32")
        nisa.dma_copy(dst=made, src=tile(1, 96, fill=-1))
        nisa.dma_copy(dst=kept, src=metadata)
        ncc.all_gather_v([x], [made], ALL, kept)
        return returned(made), returned(kept)

    wanted = [-1.0] * 96
    for rank, values in enumerate(lists):
        wanted[24 * rank : 24 * rank + rank + 1] = [number for row in values for number in row][rank : 2 * rank + 1]
    for made, kept in on_all(nki.jit(kernel)[2], x, metadata):
        same(made, [wanted])
        same(kept[2], [1, 2, 3, 4])


@value("collectives.all_to_all_v", label="in two steps, to places that the receivers say")
def exchanges_chunks(d):
    lists, x = inputs(4, 6)

    def sizes(rank):
        return [(rank + other) % 3 for other in range(RANKS)]

    def starts(chunks):
        return [sum(chunks[:k]) for k in range(RANKS)]

    def arriving(rank):
        return [sizes(other)[rank] for other in range(RANKS)]

    metadata = _metadata(sizes, lambda rank: starts(sizes(rank)), lambda rank: [0] * RANKS, lambda rank: starts(arriving(rank)))

    def kernel(x, metadata):
        made, kept, filled = private(1, 24), private(4, RANKS, dtype="uint32"), private(4, 6)
        nisa.dma_copy(dst=made, src=tile(1, 24, fill=-1))
        nisa.dma_copy(dst=kept, src=metadata)
        prepared = ncc.all_to_all_v_prepare([filled], [made], ALL, kept, has_rdispls=True)
        nisa.dma_copy(dst=filled, src=x)
        ncc.all_to_all_v_trigger(prepared)
        return returned(made), returned(kept)

    flat = [[number for row in values for number in row] for values in lists]
    for rank, (made, kept) in enumerate(on_all(kernel, x, metadata)):
        chunks = [flat[other][starts(sizes(other))[rank] :][: sizes(other)[rank]] for other in range(RANKS)]
        wanted = [number for chunk in chunks for number in chunk]
        same(made, [wanted + [-1.0] * (24 - len(wanted))])
        same(kept[2], arriving(rank))


#: What a collective makes of the ranks' (4, 6) tensors: a call, and the same with lists.
STEPS = {
    "reduce": (lambda a, b: ncc.all_reduce([a], [b], ALL, nl.add), lambda lists, _: total(lists)),
    "halves": (
        lambda a, b: ncc.all_reduce([a], [b], HALVES, nl.minimum),
        lambda lists, rank: total([lists[rank % 2], lists[rank % 2 + 2]], min),
    ),
    "exchange": (
        lambda a, b: ncc.all_to_all([a], [b], ALL, 0),
        lambda lists, rank: [values[rank] for values in lists],
    ),
    "ring": (
        lambda a, b: ncc.collective_permute_implicit([[a]], [[b]], ALL),
        lambda lists, rank: lists[(rank - 1) % RANKS],
    ),
    "swap": (
        lambda a, b: ncc.collective_permute([a], [b], [(0, 3), (3, 0), (1, 2), (2, 1)]),
        lambda lists, rank: lists[3 - rank],
    ),
}


def _mixed(seed):
    def mixes(d):
        lists, x = inputs(4, 6)
        drawn = random.Random(seed)
        steps = [drawn.choice(sorted(STEPS)) for _ in range(6)]

        def kernel(x, me):
            held = x
            for step in steps:
                made, changed = private(4, 6), private(4, 6)
                STEPS[step][0](held, made)
                loaded = tile(4, 6)
                nisa.dma_copy(dst=loaded, src=made)
                nisa.tensor_scalar(dst=loaded, data=loaded, op0=nl.add, operand0=float(me), op1=nl.multiply, operand1=0.25)
                nisa.dma_copy(dst=changed, src=loaded)
                held = changed
            return returned(held)

        for step in steps:
            made = [STEPS[step][1](lists, rank) for rank in range(RANKS)]
            lists = [each(lambda v, rank=rank: (v + rank) * 0.25, values) for rank, values in enumerate(made)]
        for rank, got in enumerate(on_all(kernel, x, ME)):
            same(got, lists[rank])

    return mixes


for _seed, _name in enumerate(("all_reduce", "all_to_all", "collective_permute_implicit")):
    # a seed of steps that has the collective it is listed under
    _with = {"all_reduce": "reduce", "all_to_all": "exchange", "collective_permute_implicit": "ring"}[_name]
    _found = next(s for s in range(100 * _seed, 100 * _seed + 100) if _with in [random.Random(s).choice(sorted(STEPS)) for _ in range(1)])
    value(f"collectives.{_name}", label=f"mixed with compute, seed {_found}")(_mixed(_found))


def _refused(message, kernel, ranks=RANKS):
    """What must fail with a message that has all of these parts."""

    def case(d):
        lists, x = inputs(4, 6)
        try:
            on_all(kernel, x, ME, ranks=ranks)
        except Exception as error:
            assert all(part in str(error) for part in message), error
        else:
            raise AssertionError("nothing was refused")

        def fine(x):
            made = private(4, 6)
            ncc.all_reduce([x], [made], ALL, nl.add)
            return returned(made)

        same(on_all(fine, x)[0], total(lists))

    return case


def _one_less(x, me):
    made = private(4, 6)
    if me != 2:
        ncc.all_reduce([x], [made], ALL, nl.add)
    return returned(x)


def _another(x, me):
    made = private(4, 6)
    if me == 1:
        ncc.all_to_all([x], [made], ALL, 0)
    else:
        ncc.all_reduce([x], [made], ALL, nl.add)
    return returned(x)


def _in_a_circle(x, me):
    made, pairs = private(4, 6), [ReplicaGroup([[0, 1]]), ReplicaGroup([[0, 2]])]
    if me == 2:
        ncc.all_reduce([x], [made], pairs[1], nl.add)
    else:
        for group in pairs:
            ncc.all_reduce([x], [made], group, nl.add)
        if me == 1:
            ncc.all_reduce([x], [made], pairs[0], nl.add)
    return returned(x)


value("collectives.all_reduce", label="that a rank does not come to")(
    _refused(["rank 0 waits for ever in all_reduce with ranks 0, 1, 2, 3: rank 2 ends its program without it, at ", "ranks.py:"], _one_less)
)
value("collectives.all_reduce", label="where another rank does something else")(
    _refused(["rank 0 calls all_reduce with ranks 0, 1, 2, 3, and rank 1 calls all_to_all at ", "ranks.py:"], _another)
)
value("collectives.all_reduce", label="once more than its partner")(
    _refused(["rank 1 waits for ever in all_reduce with ranks 0, 1: rank 0 ends its program without it"], _in_a_circle)
)


def _values_of_others(x, me):
    made, count = private(4, 6), tile(1, 1, dtype="int32")
    ncc.all_reduce([x], [made], ALL, nl.add)
    nisa.dma_copy(dst=count, src=made[0:1, 0:1])
    register = nisa.register_alloc()
    nisa.register_load(dst=register, src=count)
    for _ in nl.dynamic_range(register):
        pass
    return returned(made)


value("collectives.all_reduce", label="whose result decides a loop is refused")(
    _refused(["what other ranks have a part in is not known while one rank is recorded"], _values_of_others)
)


@value("collectives.collective_permute", label="of the legacy dialect")
def permutes_in_the_legacy_dialect(d):
    lists, x = inputs(4, 6)

    def kernel(x):
        held = legacy_nl.ndarray((4, 6), dtype=x.dtype, buffer=legacy_nl.private_hbm)
        out = legacy_nl.ndarray((4, 6), dtype=x.dtype, buffer=legacy_nl.shared_hbm)
        nccl.collective_permute(dst=held[:, :], src=x, source_target_pairs=RING)
        legacy_nl.store(out, legacy_nl.load(held))
        return out

    for rank, got in enumerate(on_all(legacy_nki.jit(kernel), x)):
        same(got, lists[(rank - 1) % RANKS])
