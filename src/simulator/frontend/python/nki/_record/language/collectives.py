"""What the functions of `nki.collectives` share: rules of groups, tensors and channels, and the rows that they record.

Source: aws-neuron-sdk nki/api/nki/collectives/__init__.py.
"""

from __future__ import annotations

import os
from operator import index as as_index
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ..calls import attributes, calls, grid
from ..tensors.memory import MemoryRegion
from ..tensors.tensor import Tensor
from ..vocabulary import versions
from ..vocabulary.context import context
from ..vocabulary.errors import NkiUnsupportedError, NkiValidationError
from ..vocabulary.instructions import INSTRUCTION, NkiInstruction
from ..vocabulary.register import VirtualRegister

_OPERATIONS = ("add", "minimum", "maximum")
_CHANNELS = 4
#: The generation whose machines have NeuronSwitch: there a collective has no two steps.
_SWITCHED = "v4"
#: Ranks of a chip: the lists that `all_gather_v` takes.
_CHIP_RANKS = 4


def check_version(name: str) -> None:
    """NkiValidationError where the version of NKI does not have a name yet."""
    versions.check(f"nki.collectives.{name}")


def rank_id() -> VirtualRegister:
    """The rank that is being recorded, in a register."""
    context.rank_matters = True
    return VirtualRegister(context.rank)


class Group(NamedTuple):
    """Where a rank takes part: all lists of the replica group, and its own."""

    lists: List[List[int]]
    own: List[int]


def group_of(row: str, group: Any) -> Optional[Group]:
    """The lists of a replica group with this rank in one of them; None when it is in none."""
    groups = getattr(group, "groups", None)
    if groups is None:
        raise TypeError(f"{row}: replica_group takes a ReplicaGroup, not {type(group).__name__}")
    lists = [[as_index(rank) for rank in ranks] for ranks in groups]
    every = [rank for ranks in lists for rank in ranks]
    _check_ranks(row, f"the replica group {lists}", every)
    if len(set(every)) < len(every):
        raise NkiValidationError(f"{row}: a rank is in one list of the replica group only, not {lists}")
    if set(every) != set(range(context.ranks)) or len(set(map(len, lists))) > 1:
        context.rank_matters = True
    own = next((ranks for ranks in lists if context.rank in ranks), None)
    return None if own is None else Group(lists, own)


def pairs_of(row: str, pairs: Sequence[Tuple[int, int]]) -> Optional[List[List[int]]]:
    """(source, target) of each tensor that is sent; None when this rank neither sends nor receives."""
    listed = [[as_index(source), as_index(target)] for source, target in pairs]
    _check_ranks(row, f"source_target_pairs {listed}", [rank for pair in listed for rank in pair])
    for side, ranks in zip(("sends", "receives"), zip(*listed)):
        if len(set(ranks)) < len(ranks):
            raise NkiValidationError(f"{row}: a rank {side} once, not as in {listed}")
    if {rank for pair in listed for rank in pair} != set(range(context.ranks)):
        context.rank_matters = True
    return listed if any(context.rank in pair for pair in listed) else None


def _check_ranks(row: str, what: str, ranks: Sequence[int]) -> None:
    if all(0 <= rank < context.ranks for rank in ranks):
        return
    error = NkiValidationError(f"{row}: the kernel runs on ranks 0 to {context.ranks - 1}, and {what} names others")
    if context.ranks == 1:
        error = NkiUnsupportedError(
            f"{row}: the kernel runs on one rank, 0, and {what} names others: "
            "run it on several with capture --ranks N or nki_scope.on_ranks"
        )
    if min(ranks) >= 0:
        error.ranks_named = max(ranks) + 1
    raise error


def processed_rank(row: str, iteration: int, group: Any) -> VirtualRegister:
    """Rank whose data has come in this step of the ring: own at 0, then the predecessors."""
    ring = group_of(row, group)
    if ring is None:
        raise NkiValidationError(f"{row}: rank {context.rank} is in no list of the replica group")
    context.rank_matters = context.rank_matters or len(ring.own) > 1
    return VirtualRegister(ring.own[(ring.own.index(context.rank) - as_index(iteration)) % len(ring.own)])


def check_operation(row: str, op: Any) -> None:
    """Sum, minimum or maximum."""
    name = attributes.canonical("alu", op, "op")
    if name not in _OPERATIONS:
        raise NkiValidationError(f"{row}: op must be nl.add, nl.minimum or nl.maximum, not {name}")


def check_regions(row: str, srcs: Sequence[Any], dsts: Sequence[Any]) -> None:
    """Private or shared HBM: one of them for all sources and one for all destinations; on a core by itself, private.

    Source: nki.collectives.all_reduce of NKI 0.7.
    """
    if not versions.is_at_least("0.7"):
        return
    for name, tensors in (("srcs", srcs), ("dsts", dsts)):
        regions = {tensor.buffer for tensor in tensors if isinstance(tensor, Tensor) and tensor.buffer.space == "hbm"}
        if len(regions) > 1:
            raise NkiValidationError(f"{row}: {name} must be all in nl.private_hbm or all in nl.shared_hbm")
        if MemoryRegion.shared_hbm not in regions or not grid.is_alone():
            continue
        if name == "srcs":
            raise NkiValidationError(f"{row}: srcs must be in nl.private_hbm where the kernel runs on one core, not in nl.shared_hbm")
        if os.environ.get("NKI_LNC1_SHARED_HBM") != "1":
            raise NkiValidationError(
                f"{row}: dsts must be in nl.private_hbm where the kernel runs on one core, or set NKI_LNC1_SHARED_HBM=1 for nl.shared_hbm"
            )


def check_dimension(row: str, srcs: Sequence[Tensor], dim: int, in_sbuf: Tuple[int, ...] = (0,)) -> None:
    """The axis along which ranks lie."""
    allowed = in_sbuf if srcs and srcs[0].buffer.space == "sbuf" else (0,)
    if dim not in allowed:
        raise NkiValidationError(f"{row}: collective_dim must be {' or '.join(map(str, allowed))} here, not {dim}")


def check_channels(row: str, ids: Sequence[int], *lists: Sequence[Any]) -> None:
    """Channels count from 0, and every list has an entry for each."""
    if list(ids) != list(range(len(ids))) or not 1 <= len(ids) <= _CHANNELS:
        raise NkiValidationError(f"{row}: channel_ids must be 0 to at most {_CHANNELS - 1} without a gap, not {list(ids)}")
    if any(len(tensors) != len(ids) for tensors in lists):
        raise NkiValidationError(f"{row}: {len(ids)} channels, but lists of {', '.join(str(len(tensors)) for tensors in lists)} tensors")


#: Of a collective over n ranks: elements of a source and of a destination, in units of the smaller one.
_SIZES: Dict[str, Callable[[int], Tuple[int, int]]] = {"all_gather": lambda n: (1, n), "reduce_scatter": lambda n: (n, 1)}


def move(
    row: str, srcs: Any, dsts: Any, group: Any, priority: Any, only_hbm: bool = False, most: int = 0, **options: Any
) -> NkiInstruction:
    """One row per pair of tensors. `most`: tensors that the collective takes at once; 0: any number in HBM."""
    members = group_of(row, group)
    _check_tensors(row, srcs, dsts, only_hbm, most)
    if members is None:
        return INSTRUCTION
    for number, (src, dst) in enumerate(zip(srcs, dsts), 1):
        _check_sizes(row, src, dst, len(members.own))
        if row == "all_to_all" and src.size % len(members.own) != 0:
            raise NkiValidationError(f"{row}: {src._described()} cannot be divided among {len(members.own)} ranks")
        more = number < len(srcs)
        calls.call(f"nki.collectives.{row}", dst=dst, src=src, replica_group=members.lists, more=more, priority=priority, **options)
    return INSTRUCTION


def permute(srcs: Any, dsts: Any, pairs: Sequence[Tuple[int, int]], priority: Any) -> None:
    """The one row of a `collective_permute`."""
    row = "collective_permute"
    listed = pairs_of(row, pairs)
    _check_tensors(row, srcs, dsts, True, 1)
    if listed is not None:
        _check_sizes(row, srcs[0], dsts[0], 1)
        calls.call(f"nki.collectives.{row}", dst=dsts[0], src=srcs[0], source_target_pairs=listed, priority=priority)


def reduce_pair(row: str, srcs0: Any, srcs1: Any, dsts: Any, group: Any, op: Any, priority: Any, channel: int) -> None:
    """The one row of a channel."""
    members = group_of(row, group)
    _check_tensors(row, srcs0, dsts, False, 1)
    _check_tensors(row, srcs1, dsts, False, 1)
    if members is None:
        return
    tensors = {"dst": dsts[0], "src0": srcs0[0], "src1": srcs1[0]}
    calls.call(f"nki.collectives.{row}", **tensors, replica_group=members.lists, op=op, channel=channel, priority=priority)


def move_chunk(
    row: str, srcs: Any, dsts: Any, group: Any, metadata: Any, recv_counts_known: bool, has_rdispls: bool, priority: Any
) -> NkiInstruction:
    """A chunk whose size is a value of the metadata."""
    members = _check_chunk(row, srcs, dsts, group, metadata, has_rdispls)
    if members is not None:
        calls.call(
            f"nki.collectives.{row}",
            dst=dsts[0],
            src=srcs[0],
            metadata=metadata,
            replica_group=members.lists,
            recv_counts_known=recv_counts_known,
            has_rdispls=has_rdispls,
            priority=priority,
        )
    return INSTRUCTION


def _check_chunk(row: str, srcs: Any, dsts: Any, group: Any, metadata: Any, has_rdispls: bool) -> Optional[Group]:
    members = group_of(row, group)
    _check_tensors(row, srcs, dsts, True, 1)
    if row == "all_gather_v":  # source: its page of NKI 0.6, current restrictions
        grid.check_two_cores(row)
        if has_rdispls:
            raise NkiUnsupportedError(f"{row}: has_rdispls=True is not supported by the hardware yet")
    if members is None:
        return None
    size, rows = len(members.own), 4 if has_rdispls else 3
    if row == "all_gather_v" and size not in (1, _CHIP_RANKS):
        raise NkiValidationError(f"{row}: a list of the replica group has {_CHIP_RANKS} ranks, those of one chip, not {size}")
    if not isinstance(metadata, Tensor) or metadata.dtype != "uint32" or metadata.size != rows * size:
        raise NkiValidationError(
            f"{row}: metadata_tensor must be uint32 with {rows} rows and a column per rank ({size} here), not {_described(metadata)}"
        )
    return members


def _described(value: Any) -> str:
    return value._described() if isinstance(value, Tensor) else repr(value)


def _check_tensors(row: str, srcs: Any, dsts: Any, only_hbm: bool, most: int) -> None:
    for name, tensors in (("srcs", srcs), ("dsts", dsts)):
        if not isinstance(tensors, (list, tuple)) or not all(isinstance(tensor, Tensor) for tensor in tensors):
            raise TypeError(f"{row}: {name} takes a list of tensors, not {type(tensors).__name__}")
    if len(srcs) != len(dsts) or not srcs:
        raise NkiValidationError(f"{row}: as many sources as destinations, not {len(srcs)} and {len(dsts)}")
    spaces = {tensor.buffer.space for tensor in [*srcs, *dsts]}
    if len(spaces) > 1:
        raise NkiValidationError(f"{row}: all tensors must be in HBM or all in SBUF, not in {' and '.join(sorted(spaces)).upper()}")
    if only_hbm and spaces != {"hbm"}:
        raise NkiValidationError(f"{row}: its tensors must be in HBM, not in {spaces.pop().upper()}")
    limit = 1 if "sbuf" in spaces else most
    if limit and len(srcs) > limit:
        raise NkiValidationError(f"{row}: takes one tensor here, not {len(srcs)}")


def _check_sizes(row: str, src: Tensor, dst: Tensor, ranks: int) -> None:
    of_src, of_dst = _SIZES.get(row, lambda n: (1, 1))(ranks)
    if src.size * of_dst == dst.size * of_src and src.dtype == dst.dtype:
        return
    parts = "alike" if of_src == of_dst else f"as {of_src} to {of_dst} elements"
    tensors = f"src {src.dtype}{list(src.shape)} and dst {dst.dtype}{list(dst.shape)}"
    raise NkiValidationError(f"{row}: over {ranks} rank{'s' * (ranks > 1)}, {tensors} must be {parts}")


# -- collectives in two steps -----------------------------------------------------------------------------------------


class Prepared(NkiInstruction):
    """A collective that is set up and not carried out yet."""

    __slots__ = ("row", "arguments")

    def __init__(self, row: str, arguments: Tuple[Any, ...]) -> None:
        """`arguments`: of `move_chunk`, after its row."""
        self.row = row
        self.arguments = arguments


def prepare(row: str, arguments: Tuple[Any, ...]) -> NkiInstruction:
    """Source: nki.collectives.all_to_all_v_prepare of NKI 0.7: there is one slot, which the trigger frees."""
    check_version(f"{row}_prepare")
    if context.generation == _SWITCHED:
        raise NkiValidationError(f"{row}_prepare: not on machines whose chips are joined by NeuronSwitch (trn3): call {row}")
    srcs, dsts, group, metadata, _, has_rdispls, _ = arguments
    _check_chunk(row, srcs, dsts, group, metadata, has_rdispls)
    recording = context.running()
    if recording.prepared is not None:
        raise NkiValidationError(
            f"{row}_prepare: {recording.prepared.row} is prepared and was not triggered yet: there is one slot; trigger it first"
        )
    recording.prepared = Prepared(row, arguments)
    return recording.prepared


def trigger(row: str, prepared: Any) -> NkiInstruction:
    """Carries out what is in the slot. Each prepare has one trigger."""
    check_version(f"{row}_trigger")
    if not isinstance(prepared, Prepared) or prepared.row != row:
        raise TypeError(f"{row}_trigger: prepare_instr takes what {row}_prepare has returned, not {type(prepared).__name__}")
    recording = context.running()
    if recording.prepared is not prepared:
        raise NkiValidationError(f"{row}_trigger: this was triggered before; each prepare is for one trigger")
    recording.prepared = None
    return move_chunk(row, *prepared.arguments)


_PARTITIONS: Dict[str, Callable[[int, int], int]] = {
    "bitwise_and": lambda rank, operand: rank & operand,
    "div": lambda rank, operand: rank // operand,
    "mod": lambda rank, operand: rank % operand,
}


def partition(world_size: int, operation: str, operand: int) -> List[List[int]]:
    """Ranks by what the operation makes of them, in their order."""
    if operation != "bitwise_and" and operand < 1:
        raise NkiValidationError(f"from_partition_op: operand must be at least 1 for {operation}, not {operand}")
    lists: Dict[int, List[int]] = {}
    for rank in range(world_size):
        lists.setdefault(_PARTITIONS[operation](rank, operand), []).append(rank)
    return list(lists.values())
