"""Calls that become several instructions. `record` is `calls.record`, which calls these functions first."""

from __future__ import annotations

from types import FrameType
from typing import Any, Callable, Dict, Optional

from ..allocation import allocation
from ..allocation.filling import Fill
from ..allocation.placement import Blocks, Placement
from ..program import locations
from ..tensors.memory import MemoryRegion, region
from ..tensors.tensor import Tensor
from ..vocabulary import dtypes
from ..vocabulary.context import context
from ..vocabulary.errors import NkiUnsupportedError
from ..vocabulary.table import ROWS, Row

Record = Callable[[Row, FrameType, Dict[str, Any]], Any]


def moved_to_sbuf(record: Record, row: Row, frame: FrameType, operands: Dict[str, Tensor]) -> bool:
    """Copies operands from PSUM to SBUF first, if the instruction reads SBUF only. For functions of `nl`, and in the legacy dialect for
    all functions (AWS's flash attention multiplies tiles that it transposed into PSUM). True if any was copied.
    """
    wanted = [operand.name for operand in row.operands if operand.role == "in" and operand.spaces == ("sbuf",)]
    far = [name for name in wanted if name in operands and operands[name].buffer is MemoryRegion.psum]
    if not row.name.startswith("nki.language.") and context.dialect == "nki":
        return False
    for name in far:
        tile = operands[name]
        near = allocation.allocate(tile.shape, tile.dtype, MemoryRegion.sbuf, tile.name, locations.position(frame)[0])
        record(ROWS["nki.isa.tensor_copy"], frame, {"dst": near, "src": tile})
        operands[name] = near
    return bool(far)


def stored_number(record: Record, row: Row, frame: FrameType, arguments: Dict[str, Any]) -> bool:
    """If a number is given instead of a tile, as in `nl.store(dst, 100)`, makes a tile of that number first. True if it did.

    Source: aws-neuron-sdk nki/test/test_nki_nl_load_store.py, "store scalar into out_tensor".
    """
    if row.tile_of_number is None:
        return False
    dst, value = arguments.get("dst"), arguments.get(row.tile_of_number)
    if not isinstance(dst, Tensor) or not isinstance(value, (int, float)):
        return False
    near = allocation.allocate(dst.shape, dst.dtype, MemoryRegion.sbuf, dst.name, locations.position(frame)[0])
    record(ROWS["nki.isa.memset"], frame, {"dst": near, "value": value})
    arguments[row.tile_of_number] = near
    return True


def chosen(record: Record, frame: FrameType, arguments: Dict[str, Any]) -> Tensor:
    """`nl.where` with a condition of indices and two tiles: a copy of `y`, over which `x` is copied under the condition as a mask.

    Deep-Learning-Profiling-Tools/triton-viz at 3b797ed publishes the time of a layer norm that chooses so between a tile and zeros. How the
    Neuron compiler lowers it is not published.

    Raises:
        NkiUnsupportedError: the tiles have different shapes
    """
    x, y, mask = arguments["x"], arguments["y"], arguments.get("mask")
    if not isinstance(x, Tensor) or x.shape != y.shape:
        raise NkiUnsupportedError("nki.language.where: x and y must be tiles of one shape where the condition compares indices")
    also = {} if mask is None else {"mask": mask}
    _, made = record(ROWS["nki.language.copy"], frame, {"x": y, "dtype": arguments.get("dtype"), **also})
    condition = arguments["condition"] if mask is None else arguments["condition"] & mask
    record(ROWS["nki.language.copy"], frame, {"dst": made, "x": x, "mask": condition})
    return made


def in_tiles(
    record_at: Callable[[int, Row, Dict[str, Any]], None], row: Row, frame: FrameType, arguments: Dict[str, Any]
) -> Optional[Tensor]:
    """The result of `nl.zeros` and the like for a tensor of separate tiles, each filled at its first use. None for other tensors."""
    buffer = arguments.get("buffer")
    where = buffer if isinstance(buffer, Placement) else region(row.result_space if buffer is None else buffer)
    shape, dtype = arguments["shape"], dtypes.parse(arguments.get("dtype") or row.result_dtype.get(context.dialect, "float32"))
    if not isinstance(shape, (tuple, list)) or not allocation.in_tiles(shape, dtype, where):
        return None
    row_index, _, site = locations.position(frame)
    made = allocation.allocate_tiles(shape, dtype, where, arguments.get("name") or site.name, row_index)

    def fill(tile: Tensor) -> None:
        record_at(row_index, row, {**arguments, "shape": tile.shape, "dst": tile})

    if isinstance(made, Blocks):
        made.fill = Fill(made.tiles, fill)
    else:
        fill(made)
    return made
