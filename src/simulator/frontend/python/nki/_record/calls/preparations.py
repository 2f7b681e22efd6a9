"""Arguments of functions whose parameters are not simply operands and attributes: index expressions, lists of tensors, masks of
lanes. One short function each converts the user's arguments to those of the row. Rows name the function that they need.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Sequence

from ..tensors import indirect
from ..tensors.arange import arange
from ..tensors.index import Index
from ..tensors.tensor import Tensor
from ..vocabulary import table
from ..vocabulary.context import context
from ..vocabulary.errors import NkiUnsupportedError, NkiValidationError
from ..vocabulary.table import Row
from . import grid
from .attributes import operation_name

Arguments = Dict[str, Any]


def prepare(row: Row, arguments: Arguments) -> bool:
    """Rewrites `arguments` in place. True if a later call with equal arguments may record something else."""
    if row.prepare is not None:
        _PREPARATIONS[row.prepare](row, arguments)
    return indirect.settle(row, arguments) or row.prepare in _NEVER_KNOWN


def _affine_pattern(row: Row, arguments: Arguments) -> None:
    expression = arguments.pop("expr", None)
    if expression is not None:
        if hasattr(expression, "__index__"):  # the variable of a loop
            expression = arange(1)[:, None] + int(expression)
        if not isinstance(expression, Index):
            raise TypeError(f"{row.name}: expr takes an expression of nl.arange, not {type(expression).__name__}")
        expression = expression if expression.ndim > 1 else expression[:, None]
        arguments["shape"] = expression.shape
        arguments["channel_multiplier"] = expression.coefficients[0]
        arguments["pattern"] = list(zip(expression.coefficients[1:], expression.shape[1:]))
        arguments["offset"] = expression.constant
    arguments["pattern"] = [_pair(row, entry) for entry in arguments["pattern"]]


def _whole_value(row: Row, arguments: Arguments) -> None:
    dst, value = arguments.get("dst"), arguments["value"]
    if not isinstance(dst, Tensor) or context.dialect != "nki":
        return
    if dst.dtype.kind in ("int", "uint") and value != int(value):  # AWS's guide refuses 2.0, too, and AWS's library writes 0.0
        raise NkiValidationError(f"{row.name}: value={value!r} is not an integer, and dst is {dst.dtype}: write {int(value)}")


def _pair(row: Row, entry: Any) -> List[int]:
    if not isinstance(entry, (list, tuple)) or len(entry) != 2:
        raise TypeError(f"{row.name}: pattern is a list of [step, num], not {entry!r}")
    return [int(number) for number in entry]


def _sources(row: Row, arguments: Arguments) -> None:
    sources = list(arguments.pop("srcs"))
    most = sum(operand.name.startswith("src") and not operand.name.endswith("_index") for operand in row.operands)
    if not 1 <= len(sources) <= most:
        raise NkiValidationError(f"{row.name}: srcs holds 1 to {most} tensors, not {len(sources)}")
    scales = arguments.pop("scales", None)
    if scales is not None and (len(scales) != len(sources) or any(scale != 1.0 for scale in scales)):
        raise NkiValidationError(f"{row.name}: scales must be 1.0 for each of the {len(sources)} sources, not {scales}")
    _only_sums(row, arguments["reduce_op"])
    if any(isinstance(source, indirect.IndirectTensor) for source in [*sources, arguments["dst"]]):
        _check_update(row, arguments, sources)
    arguments.update({f"src{k}": source for k, source in enumerate(sources)})


def _check_update(row: Row, arguments: Arguments, sources: Sequence[Any]) -> None:
    if len(sources) != 2:
        raise NkiValidationError(f"{row.name}: with indices it takes 2 sources, not {len(sources)}")
    if not arguments.get("unique_indices", True):
        raise NkiUnsupportedError(f"{row.name}: unique_indices=False is not supported by the hardware's DMA yet")


def _only_sums(row: Row, operation: Any) -> None:
    if operation_name(operation) not in ("add", "sum"):
        raise NkiValidationError(f"{row.name}: the DMA engines only add; the operation must be nl.add, not {operation_name(operation)}")


def _update_of_rows(row: Row, arguments: Arguments) -> None:
    _only_sums(row, arguments["op"])
    if not isinstance(arguments["dst"], indirect.IndirectTensor):
        raise NkiValidationError(f"{row.name}: dst must be indexed by a tile of indices, as in dst[idx_tile, i_f]")


def _sum_into_destination(row: Row, arguments: Arguments) -> None:
    if arguments.get("dst_rmw_op") is not None:
        _only_sums(row, arguments["dst_rmw_op"])
        mode = arguments.get("oob_mode")
        if mode is not None and mode.name != "error":
            raise NkiValidationError(f"{row.name}: with dst_rmw_op, oob_mode must be oob_mode.error")


def _valid_indices(row: Row, arguments: Arguments) -> None:
    index = arguments["index"]
    if arguments.get("num_valid_indices") is None and isinstance(index, Tensor):
        arguments["num_valid_indices"] = index.size * table.LIMITS["gpsimdPartitions"] // index.shape[0]


def _lanes(row: Row, arguments: Arguments) -> None:
    lanes = table.LIMITS["quadrantPartitions"]
    mask = arguments["shuffle_mask"]
    good = isinstance(mask, (list, tuple)) and len(mask) == lanes
    if not good or any(entry != 255 and not 0 <= int(entry) < lanes for entry in mask):
        raise NkiValidationError(
            f"{row.name}: shuffle_mask is a list of {lanes} partitions from 0 to {lanes - 1}, or 255 to leave one as it is"
        )


def _cores(row: Row, arguments: Arguments) -> None:
    cores = arguments["cores"]
    if not isinstance(cores, (list, tuple)) or tuple(cores) not in ((0, 1), (0,)):  # (0,), as in nki-library, waits for no other core
        raise NkiValidationError(f"{row.name}: cores must be (0, 1), not {cores!r}")


def _exchange(row: Row, arguments: Arguments) -> None:
    grid.check_two_cores(row.name)
    for name in ("send_to_rank", "recv_from_rank"):
        if arguments[name] not in (0, 1):
            raise NkiValidationError(f"{row.name}: {name} must be 0 or 1, not {arguments[name]!r}")
    if arguments["send_to_rank"] != arguments["recv_from_rank"]:
        raise NkiValidationError(f"{row.name}: with two cores, who is sent to is also who is received from")
    _check_exchange(row, arguments)


#: Elements per partition that GpSimd's own DMA moves at most, of any width.
_GPSIMD_DMA_ELEMENTS = 256


def _check_exchange(row: Row, arguments: Arguments) -> None:
    src, dst = arguments["src"], arguments["dst"]
    if not isinstance(src, Tensor) or not isinstance(dst, Tensor):
        return
    if src.shape != dst.shape or src.dtype != dst.dtype:
        raise NkiValidationError(f"{row.name}: src {src.dtype}{list(src.shape)} and dst {dst.dtype}{list(dst.shape)} must be alike")
    free = src.size // src.shape[0]
    if arguments["dma_engine"].name == "gpsimd_dma" and free > _GPSIMD_DMA_ELEMENTS:
        raise NkiValidationError(f"{row.name}: {free} elements per partition; dma_engine.gpsimd_dma moves {_GPSIMD_DMA_ELEMENTS} at most")


def _flattened(row: Row, arguments: Arguments) -> None:
    axis = arguments.pop("axis", 0)
    if axis != 0:
        raise NkiValidationError(
            f"{row.name}: axis must be 0, not {axis}: it gathers along the flattened free dimensions of each partition"
        )
    data = arguments["data"]
    if arguments.get("dtype") is None and isinstance(data, Tensor):
        arguments["dtype"] = data.dtype


def _reversed_axes(row: Row, arguments: Arguments) -> None:
    axes, src = arguments.pop("axes", None), arguments["src"]
    if not isinstance(src, Tensor):
        return
    orders = {2: (1, 0), 3: (2, 1, 0), 4: (3, 1, 2, 0)}
    wanted = orders.get(src.ndim)
    if wanted is None:
        raise NkiValidationError(f"{row.name}: src has {src.ndim} axes; it takes 2, 3 or 4")
    if axes is not None and tuple(axes) != wanted:
        raise NkiValidationError(f"{row.name}: axes of a source of {src.ndim} axes must be {wanted}, not {tuple(axes)}")


#: By the name that rows have for it (`Preparation` in isa/types.ts).
_PREPARATIONS: Dict[str, Callable[[Row, Arguments], None]] = {
    "affinePattern": _affine_pattern,
    "cores": _cores,
    "exchange": _exchange,
    "flattened": _flattened,
    "lanes": _lanes,
    "reversedAxes": _reversed_axes,
    "sources": _sources,
    "sumIntoDestination": _sum_into_destination,
    "updateOfRows": _update_of_rows,
    "validIndices": _valid_indices,
    "wholeValue": _whole_value,
}

#: Preparations whose result does not depend on the look-up key alone: lists of tensors, and data of the launch.
_NEVER_KNOWN = {"sources", "exchange"}
