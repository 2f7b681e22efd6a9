"""What the functions of `nki.collectives` share: rules of groups, tensors and channels, and the rows that they record.

Source: aws-neuron-sdk nki/api/nki/collectives/__init__.py.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, List, Sequence, Tuple

from ..calls import attributes, calls, grid
from ..tensors.memory import MemoryRegion
from ..tensors.tensor import Tensor
from ..vocabulary import versions
from ..vocabulary.context import context
from ..vocabulary.errors import NkiUnsupportedError, NkiValidationError
from ..vocabulary.instructions import INSTRUCTION, NkiInstruction

#: The rank that is simulated.
RANK = 0
_OPERATIONS = ("add", "minimum", "maximum")
_CHANNELS = 4


def check_version(name: str) -> None:
    """NkiValidationError where the version of NKI does not have a name yet."""
    versions.check(f"nki.collectives.{name}")


def check_group(row: str, group: Any) -> None:
    """The group holds this rank alone."""
    groups = getattr(group, "groups", None)
    if groups is None:
        raise TypeError(f"{row}: replica_group takes a ReplicaGroup, not {type(group).__name__}")
    ranks = [list(ranks) for ranks in groups]
    if ranks != [[RANK]]:
        raise NkiUnsupportedError(f"{row}: NKI Scope simulates one rank; the replica group must be [[{RANK}]], not {ranks}")


def receives(pairs: Sequence[Tuple[int, int]]) -> bool:
    """True when something is sent to this rank."""
    if any(rank != RANK for pair in pairs for rank in pair):
        raise NkiUnsupportedError(f"collective_permute: NKI Scope simulates one rank, {RANK}; the pairs name others: {list(pairs)}")
    return bool(pairs)


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
        if MemoryRegion.shared_hbm not in regions or grid.num_programs(0) > 1:
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


def move(row: str, srcs: Any, dsts: Any, group: Any, priority: Any, only_hbm: bool = False, most: int = 0) -> NkiInstruction:
    """One row per pair of tensors. `most`: tensors that the collective takes at once; 0: any number in HBM."""
    if group is not None:
        check_group(row, group)
    _check_tensors(row, srcs, dsts, only_hbm, most)
    for src, dst in zip(srcs, dsts):
        _check_alike(row, src, dst)
        calls.call(f"nki.collectives.{row}", dst=dst, src=src, priority=priority)
    return INSTRUCTION


def reduce_pair(row: str, srcs0: Any, srcs1: Any, dsts: Any, group: Any, op: Any, priority: Any) -> None:
    """The one row of a channel."""
    check_group(row, group)
    _check_tensors(row, srcs0, dsts, False, 1)
    _check_tensors(row, srcs1, dsts, False, 1)
    calls.call(f"nki.collectives.{row}", dst=dsts[0], src0=srcs0[0], src1=srcs1[0], op=op, priority=priority)


def move_chunk(
    row: str, srcs: Any, dsts: Any, group: Any, metadata: Any, recv_counts_known: bool, has_rdispls: bool, priority: Any
) -> NkiInstruction:
    """A chunk whose size is a value of the metadata."""
    _check_chunk(row, srcs, dsts, group, metadata, has_rdispls)
    calls.call(
        f"nki.collectives.{row}",
        dst=dsts[0],
        src=srcs[0],
        metadata=metadata,
        recv_counts_known=recv_counts_known,
        has_rdispls=has_rdispls,
        priority=priority,
    )
    return INSTRUCTION


def _check_chunk(row: str, srcs: Any, dsts: Any, group: Any, metadata: Any, has_rdispls: bool) -> None:
    check_group(row, group)
    _check_tensors(row, srcs, dsts, True, 1)
    if row == "all_gather_v" and has_rdispls:
        raise NkiUnsupportedError(f"{row}: has_rdispls=True is not supported by the hardware yet")
    rows = 4 if has_rdispls else 3
    if not isinstance(metadata, Tensor) or metadata.dtype != "uint32" or metadata.size != rows:
        raise NkiValidationError(
            f"{row}: metadata_tensor must be uint32 with {rows} rows and a column per rank (1 here), not {_described(metadata)}"
        )


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


def _check_alike(row: str, src: Tensor, dst: Tensor) -> None:
    if src.size != dst.size or src.dtype != dst.dtype:
        raise NkiValidationError(
            f"{row}: with one rank, src {src.dtype}{list(src.shape)} and dst {dst.dtype}{list(dst.shape)} must be alike"
        )


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
