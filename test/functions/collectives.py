"""`nki.collectives` with one rank (with several: `ranks.py`), and the two cores of a logical core with each other."""

# ruff: noqa: D103 - names of cases say what they hold

import os

from harness import array, each, misuse, nisa, nl, numbers, run_kernel, same, tile, value

from nki import collectives as ncc
from nki.collectives import ReplicaGroup

X, Y = numbers(4, 6), numbers(4, 6, seed=2)
ALONE = ReplicaGroup([[0]])


def hbm(d, *shape, dtype="float32"):
    """An output tensor."""
    return d.nl.ndarray(shape, dtype=dtype, buffer=d.nl.shared_hbm)


def private(d, *shape):
    """A tensor of the kernel's own."""
    return d.nl.ndarray(shape, dtype="float32", buffer=d.nl.private_hbm)


#: Arguments after the group of collectives that give a rank its own tensors.
PLAIN = {
    "all_reduce": lambda d: (d.nl.add,),
    "all_gather": lambda d: (0,),
    "reduce_scatter": lambda d: (0, d.nl.maximum),
    "all_to_all": lambda d: (0,),
}


def _plain(name, arguments):
    def its_own_tensors(d):
        def kernel(x, y):
            outs, made = (hbm(d, 4, 6), hbm(d, 4, 6)), [private(d, 4, 6), private(d, 4, 6)]
            getattr(ncc, name)([x, y], made, ALONE, *arguments(d))
            for out, result in zip(outs, made):
                d.nisa.dma_copy(dst=out, src=result)
            return outs

        got = run_kernel(d, kernel, X, Y)
        same(got[0], X)
        same(got[1], Y)

    def with_a_rank_twice(d):
        getattr(ncc, name)([private(d, 4, 6)], [private(d, 4, 6)], ReplicaGroup([[0, 0]]), *arguments(d))

    def from_hbm_into_sbuf(d):
        getattr(ncc, name)([private(d, 4, 6)], [tile(4, 6)], ALONE, *arguments(d))

    value(f"collectives.{name}")(its_own_tensors)
    misuse(f"collectives.{name}", r"a rank is in one list of the replica group only, not \[\[0, 0\]\]")(with_a_rank_twice)
    misuse(f"collectives.{name}", r"all tensors must be in HBM or all in SBUF")(from_hbm_into_sbuf)


for _name, _arguments in PLAIN.items():
    _plain(_name, _arguments)


@misuse("collectives.all_reduce", r"op must be nl.add, nl.minimum or nl.maximum, not multiply")
def that_multiplies(d):
    ncc.all_reduce([hbm(d, 4, 6)], [hbm(d, 4, 6)], ALONE, d.nl.multiply)


@misuse("collectives.all_gather", r"collective_dim must be 0 here, not 1")
def along_the_second_axis(d):
    ncc.all_gather([hbm(d, 4, 6)], [hbm(d, 4, 6)], ALONE, 1)


@value("collectives.collective_permute")
def from_this_rank_to_itself(d):
    def kernel(x):
        out = hbm(d, 4, 6)
        ncc.collective_permute([x], [out], [(0, 0)])
        return out

    same(run_kernel(d, kernel, X), X)


@misuse("collectives.collective_permute", r"runs on one rank, 0, and source_target_pairs \[\[0, -1\]\] names others: run it on several")
def to_another_rank(d):
    ncc.collective_permute([hbm(d, 4, 6)], [hbm(d, 4, 6)], [(0, -1)])


@value("collectives.collective_permute_implicit")
def around_a_ring_of_one(d):
    def kernel(x, y):
        outs = hbm(d, 4, 6), hbm(d, 4, 6)
        ncc.collective_permute_implicit([[x], [y]], [[outs[0]], [outs[1]]], ALONE, [0, 1])
        come = ncc.collective_permute_implicit_current_processing_rank_id(0, ALONE)
        assert isinstance(come, nisa.VirtualRegister) and isinstance(ncc.rank_id(), nisa.VirtualRegister)
        return outs

    got = run_kernel(d, kernel, X, Y)
    same(got[0], X)
    same(got[1], Y)


@misuse("collectives.collective_permute_implicit", r"channel_ids must be 0 to at most 3 without a gap, not \[1\]")
def on_the_second_channel_alone(d):
    ncc.collective_permute_implicit([[hbm(d, 4, 6)]], [[hbm(d, 4, 6)]], ALONE, [1])


@value("collectives.collective_permute_implicit_reduce")
def the_larger_of_two(d):
    def kernel(x, y):
        out = hbm(d, 4, 6)
        ncc.collective_permute_implicit_reduce([[x]], [[y]], [[out]], ALONE, d.nl.maximum)
        return out

    same(run_kernel(d, kernel, X, Y), each(max, X, Y))


@misuse("collectives.collective_permute_implicit_reduce", r"op must be nl.add, nl.minimum or nl.maximum, not subtract")
def that_subtracts(d):
    x = hbm(d, 4, 6)
    ncc.collective_permute_implicit_reduce([[x]], [[x]], [[x]], ALONE, d.nl.subtract)


@misuse("collectives.collective_permute_implicit_reduce", r"priority is not available on NeuronCore-v3")
def with_a_priority_on_trn2(d):
    x = hbm(d, 4, 6)
    ncc.collective_permute_implicit_reduce([[x]], [[x]], [[x]], ALONE, d.nl.add, priority=1)


def _chunk(name, displaced, cores):
    def a_chunk_of_its_own_size(d):
        def kernel(x, metadata):
            out, kept = hbm(d, 4, 6), hbm(d, *metadata.shape, dtype="uint32")
            d.nisa.dma_copy(dst=out, src=tile(4, 6, fill=-1))
            d.nisa.dma_copy(dst=kept, src=metadata)
            getattr(ncc, name)([x], [out], ALONE, kept, has_rdispls=displaced)
            return out, kept

        metadata = [[5], [7], [0]] + ([[2]] if displaced else [])
        out, kept = run_kernel(d, kernel, X, array(metadata, "uint32"), cores=cores)
        to = 2 if displaced else 0
        flat = [number for row in X for number in row][7:12]
        same([number for row in out for number in row], [-1.0] * to + flat + [-1.0] * (19 - to))
        same(kept, [[5], [7], [5], *metadata[3:]])

    def with_metadata_of_another_size(d):
        getattr(ncc, name)([hbm(d, 4, 6)], [hbm(d, 4, 6)], ALONE, hbm(d, 2, 1, dtype="uint32"))

    def a_chunk_in_two_steps(d):
        def kernel(x, metadata):
            out, kept, filled = hbm(d, 4, 6), hbm(d, *metadata.shape, dtype="uint32"), hbm(d, 4, 6)
            d.nisa.dma_copy(dst=out, src=tile(4, 6, fill=-1))
            d.nisa.dma_copy(dst=kept, src=metadata)
            prepared = getattr(ncc, f"{name}_prepare")([filled], [out], ALONE, kept, has_rdispls=displaced)
            d.nisa.dma_copy(dst=filled, src=x)  # the contents are read by the second step
            assert isinstance(getattr(ncc, f"{name}_trigger")(prepared), nisa.NkiInstruction)
            return out

        out = run_kernel(d, kernel, X, array([[24], [0], [0]] + ([[0]] if displaced else []), "uint32"), cores=cores)
        same(out, X)

    def prepared_twice(d):
        for _ in range(2):
            getattr(ncc, f"{name}_prepare")([hbm(d, 4, 6)], [hbm(d, 4, 6)], ALONE, hbm(d, 3, 1, dtype="uint32"))

    def triggered_twice(d):
        handle = getattr(ncc, f"{name}_prepare")([hbm(d, 4, 6)], [hbm(d, 4, 6)], ALONE, hbm(d, 3, 1, dtype="uint32"))
        for _ in range(2):
            getattr(ncc, f"{name}_trigger")(handle)

    def prepared_on_a_switch(d):
        getattr(ncc, f"{name}_prepare")([hbm(d, 4, 6)], [hbm(d, 4, 6)], ALONE, hbm(d, 3, 1, dtype="uint32"))

    def triggered_without_a_prepare(d):
        getattr(ncc, f"{name}_trigger")(nisa.tensor_copy(tile(4, 6), tile(4, 6, fill=0)))

    value(f"collectives.{name}")(a_chunk_in_two_steps)
    misuse(f"collectives.{name}", rf"{name} is prepared and was not triggered yet", cores=cores)(prepared_twice)
    misuse(f"collectives.{name}", rf"{name}_prepare: not on machines .*NeuronSwitch .* call {name}", target="trn3", cores=cores)(
        prepared_on_a_switch
    )
    misuse(f"collectives.{name}", r"this was triggered before; each prepare is for one trigger", cores=cores)(triggered_twice)
    misuse(f"collectives.{name}", rf"prepare_instr takes what {name}_prepare has returned, not NkiInst", cores=cores)(
        triggered_without_a_prepare
    )
    value(f"collectives.{name}")(a_chunk_of_its_own_size)
    misuse(f"collectives.{name}", r"must be uint32 with 3 rows and a column per rank", cores=cores)(with_metadata_of_another_size)


_chunk("all_gather_v", displaced=False, cores=2)
_chunk("all_to_all_v", displaced=True, cores=1)


@misuse("collectives.all_gather_v", r"all_gather_v: the kernel runs on one core, and this is for the two .*: launch it on both")
def gathers_chunks_on_one_core(d):
    ncc.all_gather_v([hbm(d, 4, 6)], [hbm(d, 4, 6)], ALONE, hbm(d, 3, 1, dtype="uint32"))


@misuse("collectives.all_gather_v", r"all_gather_v: the kernel runs on one core, and this is for the two .*: launch it on both")
def prepares_to_gather_chunks_on_one_core(d):
    ncc.all_gather_v_prepare([hbm(d, 4, 6)], [hbm(d, 4, 6)], ALONE, hbm(d, 3, 1, dtype="uint32"))


@value("collectives.all_reduce", label="of a group that an operation makes, and what it returns")
def of_a_group_by_an_operation(d):
    groups = {"bitwise_and": (0, [list(range(8))]), "div": (4, [[0, 1, 2, 3], [4, 5, 6, 7]]), "mod": (4, [[0, 4], [1, 5], [2, 6], [3, 7]])}
    for name, (operand, lists) in groups.items():
        assert ReplicaGroup.from_partition_op(8, ncc.rg_partition_op[name], operand).groups == lists

    def kernel(x):
        made, out = private(d, 4, 6), hbm(d, 4, 6)
        alone = ReplicaGroup.from_partition_op(1, ncc.rg_partition_op.div, 4)
        assert isinstance(ncc.all_reduce([x], [made], alone, d.nl.add), nisa.NkiInstruction)
        d.nisa.dma_copy(dst=out, src=made)
        return out

    same(run_kernel(d, kernel, X), X)


# -- two cores --------------------------------------------------------------------------------------------------------


@value("isa.core_barrier")
def leaves_values_as_they_are(d):
    def kernel(x):
        out = hbm(d, 4, 6)
        d.nisa.dma_copy(dst=out, src=x)
        d.nisa.core_barrier(data=out, cores=(0, 1))
        return out

    same(run_kernel(d, kernel, X), X)


@misuse("isa.core_barrier", r"cores must be \(0, 1\), not \(0, 1, 2\)")
def of_three_cores(d):
    d.nisa.core_barrier(hbm(d, 4, 6), (0, 1, 2))


@misuse("isa.core_barrier", r"is not available on this target \(NeuronCore-v2\)", target="trn1")
def on_trn1(d):
    d.nisa.core_barrier(hbm(d, 4, 6), (0, 1))


@value("isa.sendrecv")
def two_cores_exchange_their_tiles(d):
    def kernel(x):
        out, core = hbm(d, 8, 6), d.nl.program_id(0)
        sent, received = tile(4, 6), tile(4, 6)
        d.nisa.dma_copy(dst=sent, src=x[4 * core : 4 * core + 4, :])
        d.nisa.sendrecv(src=sent, dst=received, send_to_rank=1 - core, recv_from_rank=1 - core, pipe_id=0)
        d.nisa.dma_copy(dst=out[4 * core : 4 * core + 4, :], src=received)
        return out

    same(run_kernel(d, kernel, X + Y, cores=2), Y + X)


def _on_two_cores(message, columns=6, **options):
    """What must fail on both cores."""

    def case(d):
        def kernel():
            d.nisa.sendrecv(src=tile(4, columns, fill=0), dst=tile(4, columns), pipe_id=0, **options)

        run_kernel(d, kernel, cores=2)

    def refused(d):
        try:
            case(d)
        except Exception as error:
            assert message in str(error), error
            run_kernel(d, _exchange, X + Y, cores=2)
        else:
            raise AssertionError("nothing was refused")

    return refused


def _exchange(x):
    core, out = nl.program_id(0), nl.ndarray((8, 6), dtype=nl.float32, buffer=nl.shared_hbm)
    sent, received = tile(4, 6), tile(4, 6)
    nisa.dma_copy(dst=sent, src=x[4 * core : 4 * core + 4, :])
    nisa.sendrecv(src=sent, dst=received, send_to_rank=1 - core, recv_from_rank=1 - core, pipe_id=0)
    nisa.dma_copy(dst=out[4 * core : 4 * core + 4, :], src=received)
    return out


value("isa.sendrecv", label="to a third core is refused")(
    _on_two_cores("send_to_rank must be 0 or 1, not 2", send_to_rank=2, recv_from_rank=0)
)
value("isa.sendrecv", label="of more than GpSimd moves is refused")(
    _on_two_cores(
        "300 elements per partition; dma_engine.gpsimd_dma moves 256 at most",
        columns=300,
        send_to_rank=0,
        recv_from_rank=0,
        dma_engine=nisa.dma_engine.gpsimd_dma,
    )
)


@misuse("isa.sendrecv", r"the kernel runs on one core, and this is for the two of a logical core")
def of_a_core_with_itself(d):
    d.nisa.sendrecv(src=tile(4, 6, fill=0), dst=tile(4, 6), send_to_rank=0, recv_from_rank=0, pipe_id=0)


@misuse("collectives.all_reduce", r"srcs must be in nl.private_hbm where the kernel runs on one core")
def reduces_from_shared_memory(d):
    ncc.all_reduce([hbm(d, 4, 6)], [private(d, 4, 6)], ALONE, d.nl.add)


@misuse("collectives.all_reduce", r"dsts must be in nl.private_hbm where the kernel runs on one core, or set NKI_LNC1_SHARED_HBM=1")
def reduces_into_shared_memory(d):
    ncc.all_reduce([private(d, 4, 6)], [hbm(d, 4, 6)], ALONE, d.nl.add)


@value("collectives.all_reduce", label="of shared memory before NKI 0.7")
def reduces_shared_memory_of_old(d):
    def kernel(x):
        shared, out = hbm(d, 4, 6), hbm(d, 4, 6)
        d.nisa.dma_copy(shared, x)
        ncc.all_reduce([shared], [out], ALONE, d.nl.add)
        return out

    same(run_kernel(d, kernel, X, version="0.6"), X)


@misuse("collectives.all_reduce", r"srcs must be all in nl.private_hbm or all in nl.shared_hbm")
def reduces_from_both_memories(d):
    srcs = [private(d, 4, 6), hbm(d, 4, 6)]
    ncc.all_reduce(srcs, [private(d, 4, 6), private(d, 4, 6)], ALONE, d.nl.add)


@value("collectives.all_reduce")
def reduces_into_shared_memory_where_the_environment_allows_it(d):
    def kernel(x):
        out = hbm(d, 4, 6)
        ncc.all_reduce([x], [out], ALONE, d.nl.add)
        return out

    os.environ["NKI_LNC1_SHARED_HBM"] = "1"
    try:
        same(run_kernel(d, kernel, X), X)
    finally:
        del os.environ["NKI_LNC1_SHARED_HBM"]
