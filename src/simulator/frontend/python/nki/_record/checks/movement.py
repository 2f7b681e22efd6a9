"""Rules of gathers, transposes by DMA, random numbers: sizes, dtypes, generations. Each error message names limit and value.

Source: aws-neuron-sdk nki/api/nki/isa/__init__.py, the constraints of each function.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional

from ..tensors import views
from ..tensors.memory import Layout
from ..vocabulary import table, versions
from ..vocabulary.context import context
from ..vocabulary.errors import NkiValidationError
from ..vocabulary.table import Row

Layouts = Dict[str, Layout]
Check = Callable[[Row, Layouts, Dict[str, Any]], None]

_RUNS = (1, 2, 4, 8, 16, 32)
_MOST_INDICES = 4096
_MOST_PATTERN = 4
_WORDS = {"GpSimd": 6, "Vector": 24}


def _free(layout: Layout) -> int:
    return views.elements(layout.shape[1:])


def _fail(row: Row, text: str) -> NkiValidationError:
    return NkiValidationError(f"{row.name}: {text}")


def _iota(row: Row, layouts: Layouts, attributes: Dict[str, Any]) -> None:
    pattern, dst = attributes.get("pattern", []), layouts["dst"]
    if len(pattern) > _MOST_PATTERN:
        raise _fail(row, f"pattern has {len(pattern)} entries; the most is {_MOST_PATTERN}")
    made = views.elements([count for _, count in pattern])
    if made != _free(dst):
        raise _fail(row, f"pattern {pattern} makes {made} values per partition, dst {dst.shape} has {_free(dst)}")


def _gather(row: Row, layouts: Layouts, attributes: Dict[str, Any]) -> None:
    dst, data, indices = (layouts[name] for name in ("dst", "data", "indices"))
    if indices.dtype != "uint32":
        raise _fail(row, f"indices must be uint32, not {indices.dtype}")
    if len({dst.shape[0], data.shape[0], indices.shape[0]}) > 1:
        raise _fail(row, f"dst {dst.shape}, data {data.shape} and indices {indices.shape} must have as many partitions")
    if _free(dst) != _free(indices):
        raise _fail(row, f"dst {dst.shape} and indices {indices.shape} must have as many elements per partition")
    if row.name.startswith("nki.isa.") and dst.dtype != data.dtype:
        raise _fail(row, f"dst is {dst.dtype} and data {data.dtype}; a gather does not cast")


def _local_gather(row: Row, layouts: Layouts, attributes: Dict[str, Any]) -> None:
    dst, source, index = (layouts[name] for name in ("dst", "src_buffer", "index"))
    group = table.LIMITS["gpsimdPartitions"]
    run, valid = attributes["num_elem_per_idx"], attributes["num_valid_indices"]
    if source.shape[0] != index.shape[0] or source.shape[0] % group:
        raise _fail(row, f"src_buffer {source.shape} and index {index.shape} must have as many partitions, a multiple of {group}")
    if index.dtype != "uint16":
        raise _fail(row, f"index must be uint16, not {index.dtype}")
    if dst.dtype != source.dtype:
        raise _fail(row, f"dst is {dst.dtype} and src_buffer {source.dtype}; a gather does not cast")
    if run not in _RUNS:
        raise _fail(row, f"num_elem_per_idx must be one of {', '.join(map(str, _RUNS))}, not {run}")
    held = _free(index) * group
    if not 0 < valid <= held:
        raise _fail(row, f"num_valid_indices is {valid}; {group} partitions of index hold {held}")
    if valid > _MOST_INDICES:
        raise _fail(row, f"{valid} indices per core; the most is {_MOST_INDICES}")
    if dst.shape[0] != source.shape[0] or _free(dst) != valid * run:
        raise _fail(row, f"dst has shape {dst.shape}; the gather makes {source.shape[0]} x {valid * run}")


def _stream_shuffle(row: Row, layouts: Layouts, attributes: Dict[str, Any]) -> None:
    dst, source = layouts["dst"], layouts["src"]
    if dst.dtype != source.dtype:
        raise _fail(row, f"dst is {dst.dtype} and src {source.dtype}; a shuffle does not cast")
    if _free(dst) != _free(source):
        raise _fail(row, f"dst {dst.shape} and src {source.shape} must have as many elements per partition")


def _sequence_bounds(row: Row, layouts: Layouts, attributes: Dict[str, Any]) -> None:
    dst, ids = layouts["dst"], layouts["segment_ids"]
    for name, layout in (("segment_ids", ids), ("dst", dst)):
        if layout.dtype not in ("float32", "int32"):
            raise _fail(row, f"{name} must be float32 or int32, not {layout.dtype}")
        if layout.shape[0] != 1:
            raise _fail(row, f"{name} has {layout.shape[0]} partitions; it takes 1")
    if _free(dst) != 2 * _free(ids):
        raise _fail(row, f"dst has shape {dst.shape}; the bounds of {ids.shape} take {(1, 2, _free(ids))}")


def _dma_transpose(row: Row, layouts: Layouts, attributes: Dict[str, Any]) -> None:
    dst, source = layouts["dst"], layouts["src"]
    shape = source.shape
    wanted = (shape[-1], *shape[1:-1], shape[0])
    if dst.shape[0] != wanted[0] or views.elements(dst.shape) != views.elements(wanted):
        raise _fail(row, f"dst has shape {dst.shape}; the transpose of {shape} has {wanted}")
    if row.shape == "dmaTranspose" and dst.shape != wanted and versions.is_at_least("0.4"):  # nki/migration/index.rst
        raise _fail(row, f"dst has shape {dst.shape}; the transpose of {shape} has {wanted}, with as many axes: reshape dst")
    if row.shape == "dmaTranspose" and dst.dtype != source.dtype and context.dialect == "nki":
        raise _fail(row, f"dst is {dst.dtype} and src {source.dtype}; they must be the same")
    if "src_index" in layouts:
        _indirect_transpose(row, source, layouts["src_index"], attributes.get("dge_mode"))
    elif attributes.get("dge_mode") == "hwdge":
        _hardware_transpose(row, source)
    elif attributes.get("dge_mode") == "swdge":
        raise _fail(row, "dge_mode.swdge needs a source that is addressed by indices")
    if attributes.get("oob_mode") == "skip" and "src_index" not in layouts and not source.dynamic:
        raise _fail(row, "oob_mode.skip is for a source that is addressed by indices or by an offset known at run time")


def _hardware_transpose(row: Row, source: Layout) -> None:
    shape, rows = source.shape, table.LIMITS["dmaTransposeRows"]
    fits = shape[0] == rows if len(shape) == 2 else rows % shape[0] == 0 and shape[0] * shape[-2] % rows == 0
    if not fits:
        raise _fail(row, f"dge_mode.hwdge takes {rows} rows (a divisor of them with 3 or 4 axes), src has shape {shape}")
    _turned_row(row, source)


def _indirect_transpose(row: Row, source: Layout, index: Layout, mode: Optional[str]) -> None:
    rows = table.LIMITS["dmaTransposeRows"]
    if not table.has(context.generation, "indirectDmaTranspose"):
        having = table.targets_with("indirectDmaTranspose")
        raise _fail(row, f"a source that is addressed by indices is for {having}; this target is NeuronCore-{context.generation}")
    if mode not in (None, "unknown", "swdge"):
        raise _fail(row, f"dge_mode.{mode}; with a source that is addressed by indices, dge_mode is unknown or swdge")
    if len(source.shape) == 4 and 1 not in source.shape[1:3]:
        raise _fail(row, f"of the middle axes of {source.shape} one must be 1")
    if source.space != "hbm":
        raise _fail(row, "a source that is addressed by indices must be in HBM")
    if source.shape[0] % rows or index.shape[0] % rows:
        raise _fail(row, f"rows of src ({source.shape[0]}) and of the indices ({index.shape[0]}) must be multiples of {rows}")
    if _free(index) > 1 and index.shape[0] != table.PARTITIONS:
        raise _fail(row, f"a block of indices takes {table.PARTITIONS} partitions, not {index.shape[0]}")
    if index.dtype != "uint32":
        raise _fail(row, f"indices must be uint32, not {index.dtype}")
    _turned_row(row, source)


def _turned_row(row: Row, source: Layout) -> None:
    most = table.LIMITS["dmaTransposeFree"]
    if source.shape[-1] > most:
        raise _fail(row, f"the last axis of src has {source.shape[-1]} elements; the most is {most}")
    if source.dtype.itemsize != 2:
        raise _fail(row, f"src is {source.dtype}; this transpose takes dtypes of 2 bytes")


def _same_elements(row: Row, layouts: Layouts, attributes: Dict[str, Any]) -> None:
    dst = layouts["dst"]
    for name, layout in layouts.items():
        if not name.endswith("_index") and name != "metadata" and views.elements(layout.shape) != views.elements(dst.shape):
            raise _fail(row, f"{name} of shape {layout.shape} and dst of shape {dst.shape} must have as many elements")


def _seed(row: Row, layouts: Layouts, attributes: Dict[str, Any]) -> None:
    seed: Optional[Layout] = layouts.get("src_seeds") or layouts.get("seed")
    if seed is None:
        return
    if views.elements(seed.shape) != 1 or seed.dtype.itemsize != 4:
        raise _fail(row, f"the seed is one 32-bit value, not {seed.dtype}{list(seed.shape)}")


def _state(row: Row, layouts: Layouts, attributes: Dict[str, Any]) -> None:
    name = "dst" if "dst" in layouts else "src_seeds"
    layout, engine = layouts[name], attributes.get("engine", "GpSimd")
    if layout.dtype != "uint32":
        raise _fail(row, f"{name} must be uint32, not {layout.dtype}")
    if layout.ndim != 2:
        raise _fail(row, f"{name} has {layout.ndim} axes; it takes [partitions, words]")
    words = _WORDS.get(engine, _WORDS["GpSimd"])
    if _free(layout) != words:
        raise _fail(row, f"{name} has {_free(layout)} elements per partition; the state of {engine} takes {words}")
    _not_gpsimd_psum(row, layouts, {"engine": engine})


def _not_gpsimd_psum(row: Row, layouts: Layouts, attributes: Dict[str, Any]) -> None:
    if attributes.get("engine") == "GpSimd" and layouts.get("dst") is not None and layouts["dst"].space == "psum":
        raise _fail(row, "dst is in PSUM, which the GpSimd engine cannot reach; it must be in SBUF")


#: By semantics of the row.
CHECKS: Dict[str, Check] = {
    "combine": _same_elements,
    "dmaCompute": _same_elements,
    "dmaTranspose": _dma_transpose,
    "gather": _gather,
    "getRandomState": _state,
    "iota": _iota,
    "localGather": _local_gather,
    "randomBits": _not_gpsimd_psum,
    "sequenceBounds": _sequence_bounds,
    "setRandomState": _state,
    "setSeed": _seed,
    "streamShuffle": _stream_shuffle,
}
