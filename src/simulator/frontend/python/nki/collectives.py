"""`nki.collectives`: how ranks exchange tensors. Each pair of tensors becomes one row of the table.

A kernel runs on as many ranks as its replica groups name unless the run says otherwise (`capture --ranks`, `nki_scope.on_ranks`). What
`*_prepare` sets up takes no time here: no public text says how long it takes; `*_trigger` takes that of the whole collective.
Source of names, parameters and limits: aws-neuron-sdk nki/api/nki/collectives/__init__.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, List, Optional, Sequence, Tuple

from ._record.calls import functions as _functions
from ._record.language import collectives as _collectives
from ._record.tensors.tensor import Tensor as NkiTensor
from ._record.vocabulary.instructions import INSTRUCTION as _INSTRUCTION
from ._record.vocabulary.instructions import NkiInstruction
from ._record.vocabulary.objects import NKIObject
from ._record.vocabulary.register import VirtualRegister as _VirtualRegister


class rg_partition_op(Enum):  # noqa: N801 - AWS's name
    """What tells the lists of a `ReplicaGroup.from_partition_op` apart. AWS's text shows these; it may have more."""

    bitwise_and = 0
    div = 1
    mod = 2


@dataclass
class ReplicaGroup(NKIObject):
    """Ranks that take part in a collective, as lists of ranks that do not overlap."""

    groups: List[List[int]]

    @classmethod
    def from_partition_op(cls, world_size: int, op: rg_partition_op, operand: int) -> ReplicaGroup:
        """Ranks 0 to `world_size` - 1; those with the same `op(rank, operand)` are in one list."""
        _collectives.check_version("ReplicaGroup.from_partition_op")
        return cls(_collectives.partition(world_size, rg_partition_op(op).name, operand))


def all_reduce(
    srcs: Sequence[NkiTensor],
    dsts: Sequence[NkiTensor],
    replica_group: ReplicaGroup,
    op: Any,
    priority: Optional[int] = None,
    name: Optional[str] = None,
) -> NkiInstruction:
    """`op` (nl.add, nl.minimum or nl.maximum) over all ranks, at every rank. Tensors: all in HBM, or one each in SBUF."""
    _collectives.check_operation("all_reduce", op)
    _collectives.check_regions("all_reduce", srcs, dsts)
    return _collectives.move("all_reduce", srcs, dsts, replica_group, priority, op=op)


def all_gather(
    srcs: Sequence[NkiTensor],
    dsts: Sequence[NkiTensor],
    replica_group: ReplicaGroup,
    collective_dim: int,
    priority: Optional[int] = None,
    name: Optional[str] = None,
) -> NkiInstruction:
    """The tensors of all ranks one after the other along `collective_dim`: 0, or 1 in SBUF."""
    _collectives.check_dimension("all_gather", srcs, collective_dim, in_sbuf=(0, 1))
    return _collectives.move("all_gather", srcs, dsts, replica_group, priority, collective_dim=collective_dim)


def reduce_scatter(
    srcs: Sequence[NkiTensor],
    dsts: Sequence[NkiTensor],
    replica_group: ReplicaGroup,
    collective_dim: int,
    op: Any,
    priority: Optional[int] = None,
    name: Optional[str] = None,
) -> NkiInstruction:
    """`op` over all ranks; part r along `collective_dim` (0) at rank r."""
    _collectives.check_operation("reduce_scatter", op)
    _collectives.check_dimension("reduce_scatter", srcs, collective_dim)
    return _collectives.move("reduce_scatter", srcs, dsts, replica_group, priority, op=op)


def all_to_all(
    srcs: Sequence[NkiTensor],
    dsts: Sequence[NkiTensor],
    replica_group: ReplicaGroup,
    collective_dim: int,
    priority: Optional[int] = None,
    name: Optional[str] = None,
) -> NkiInstruction:
    """Part r of each rank along `collective_dim` (0) to rank r. Tensors in HBM."""
    _collectives.check_dimension("all_to_all", srcs, collective_dim)
    return _collectives.move("all_to_all", srcs, dsts, replica_group, priority, only_hbm=True)


def all_gather_v(
    srcs: Sequence[NkiTensor],
    dsts: Sequence[NkiTensor],
    replica_group: ReplicaGroup,
    metadata_tensor: NkiTensor,
    recv_counts_known: bool = False,
    has_rdispls: bool = False,
    priority: Optional[int] = None,
    name: Optional[str] = None,
) -> NkiInstruction:
    """A flat chunk of each rank at every rank; `metadata_tensor` (uint32): sizes, displacements, received sizes."""
    return _collectives.move_chunk("all_gather_v", srcs, dsts, replica_group, metadata_tensor, recv_counts_known, has_rdispls, priority)


def all_to_all_v(
    srcs: Sequence[NkiTensor],
    dsts: Sequence[NkiTensor],
    replica_group: ReplicaGroup,
    metadata_tensor: NkiTensor,
    recv_counts_known: bool = False,
    has_rdispls: bool = False,
    priority: Optional[int] = None,
    name: Optional[str] = None,
) -> NkiInstruction:
    """A flat chunk of its own size to each rank; `metadata_tensor` (uint32): sizes, displacements, received sizes, places."""
    return _collectives.move_chunk("all_to_all_v", srcs, dsts, replica_group, metadata_tensor, recv_counts_known, has_rdispls, priority)


def all_gather_v_prepare(
    srcs: Sequence[NkiTensor],
    dsts: Sequence[NkiTensor],
    replica_group: ReplicaGroup,
    metadata_tensor: NkiTensor,
    recv_counts_known: bool = False,
    has_rdispls: bool = False,
    priority: Optional[int] = None,
    name: Optional[str] = None,
) -> NkiInstruction:
    """Sets up a `all_gather_v` from its metadata, for `all_gather_v_trigger`."""
    arguments = (srcs, dsts, replica_group, metadata_tensor, recv_counts_known, has_rdispls, priority)
    return _collectives.prepare("all_gather_v", arguments)


def all_gather_v_trigger(prepare_instr: NkiInstruction, name: Optional[str] = None) -> NkiInstruction:
    """Carries out what was prepared last."""
    return _collectives.trigger("all_gather_v", prepare_instr)


def all_to_all_v_prepare(
    srcs: Sequence[NkiTensor],
    dsts: Sequence[NkiTensor],
    replica_group: ReplicaGroup,
    metadata_tensor: NkiTensor,
    recv_counts_known: bool = False,
    has_rdispls: bool = False,
    priority: Optional[int] = None,
    name: Optional[str] = None,
) -> NkiInstruction:
    """Sets up a `all_to_all_v` from its metadata, for `all_to_all_v_trigger`."""
    arguments = (srcs, dsts, replica_group, metadata_tensor, recv_counts_known, has_rdispls, priority)
    return _collectives.prepare("all_to_all_v", arguments)


def all_to_all_v_trigger(prepare_instr: NkiInstruction, name: Optional[str] = None) -> NkiInstruction:
    """Carries out what was prepared last."""
    return _collectives.trigger("all_to_all_v", prepare_instr)


def collective_permute(
    srcs: Sequence[NkiTensor],
    dsts: Sequence[NkiTensor],
    source_target_pairs: Sequence[Tuple[int, int]],
    priority: Optional[int] = None,
    name: Optional[str] = None,
) -> NkiInstruction:
    """From each source rank to its target. Without a pair that ends here, nothing arrives. Tensors in HBM."""
    _collectives.permute(srcs, dsts, source_target_pairs, priority)
    return _INSTRUCTION


def collective_permute_implicit(
    srcs_by_channel: Sequence[Sequence[NkiTensor]],
    dsts_by_channel: Sequence[Sequence[NkiTensor]],
    replica_group: ReplicaGroup,
    channel_ids: Sequence[int] = (0,),
    priority: Optional[int] = None,
    name: Optional[str] = None,
) -> NkiInstruction:
    """To the successor in the ring, on each channel: one tensor per channel."""
    _collectives.check_channels("collective_permute_implicit", channel_ids, srcs_by_channel, dsts_by_channel)
    for channel, srcs, dsts in zip(channel_ids, srcs_by_channel, dsts_by_channel):
        _collectives.move("collective_permute_implicit", srcs, dsts, replica_group, priority, most=1, channel=channel)
    return _INSTRUCTION


def collective_permute_implicit_reduce(
    srcs0_by_channel: Sequence[Sequence[NkiTensor]],
    srcs1_by_channel: Sequence[Sequence[NkiTensor]],
    dsts_by_channel: Sequence[Sequence[NkiTensor]],
    replica_group: ReplicaGroup,
    op: Any,
    channel_ids: Sequence[int] = (0,),
    priority: Optional[int] = None,
    name: Optional[str] = None,
) -> NkiInstruction:
    """`op` of two tensors to the successor in the ring, on each channel."""
    row = "collective_permute_implicit_reduce"
    _collectives.check_operation(row, op)
    _collectives.check_channels(row, channel_ids, srcs0_by_channel, srcs1_by_channel, dsts_by_channel)
    for channel, srcs0, srcs1, dsts in zip(channel_ids, srcs0_by_channel, srcs1_by_channel, dsts_by_channel):
        _collectives.reduce_pair(row, srcs0, srcs1, dsts, replica_group, op, priority, channel)
    return _INSTRUCTION


def collective_permute_implicit_current_processing_rank_id(
    iteration_id: int, replica_group: ReplicaGroup, channel_id: int = 0, name: Optional[str] = None
) -> _VirtualRegister:
    """Rank whose data is processed in this step of the ring: this one's at 0, then its predecessors'."""
    return _collectives.processed_rank("collective_permute_implicit_current_processing_rank_id", iteration_id, replica_group)


def rank_id(name: Optional[str] = None) -> _VirtualRegister:
    """This rank, in a register."""
    return _collectives.rank_id()


__all__ = [_name for _name in globals() if not _name.startswith("_") and _name not in ("annotations", "dataclass", "Enum")]
__getattr__ = _functions.missing(__name__, globals())
