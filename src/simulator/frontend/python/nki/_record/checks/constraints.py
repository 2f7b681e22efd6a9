"""Rules for several operands of one kind of instruction, in addition to the rules of every row: one function per semantics.

The row has the rules of single operands. `isa/constraints.ts` has the simple rules of two operands.

Source: aws-neuron-sdk nki/api/nki/isa/__init__.py, the page of each function; nki/guides/architecture.
"""

from __future__ import annotations

from typing import Any, Callable, Dict

from ..tensors import views
from ..tensors.memory import Layout
from ..vocabulary import table, versions
from ..vocabulary.context import context
from ..vocabulary.errors import NkiValidationError
from ..vocabulary.table import Row

Layouts = Dict[str, Layout]
Attributes = Dict[str, Any]


def _is_legacy() -> bool:
    return context.dialect == "neuronxcc"


def _check_activation(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    if attributes.get("bias") and "bias" not in row.fixed and not _has_number_bias(generation, {**row.fixed, **attributes}["op"]):
        having = table.targets_with("activationNumberBias")
        raise NkiValidationError(
            f"{row.name}: a number as bias is not available on NeuronCore-{generation} (it is on {having}): give a [P, 1] tile"
        )
    scale = layouts.get("scale")
    if scale is not None and str(scale.dtype) != "float32":
        raise NkiValidationError(f"{row.name}: scale is {scale.dtype}; it takes float32")
    bias = layouts.get("bias")
    if bias is not None and not table.has(generation, "activationReciprocalBias") and {**row.fixed, **attributes}["op"] == "reciprocal":
        raise NkiValidationError(f"{row.name}: op=reciprocal takes no bias on NeuronCore-{generation}")
    if bias is not None and bias.dtype.kind != "float" and _is_legacy():
        raise NkiValidationError(f"{row.name}: bias is {bias.dtype}; it takes float32 or float16 or bfloat16")
    if bias is not None and str(bias.dtype) == "tfloat32":
        raise NkiValidationError(f"{row.name}: bias is tfloat32; it takes any other dtype")
    _check_activation_reduction(row, attributes.get("reduce_op", "add"), generation)


def _has_number_bias(generation: str, op: str) -> bool:
    """Beside what is documented: the kernel for NKI 0.3 of zml/zml at 51b2f81 has one, and ran on Inferentia2; copies of foxl-ai/kiln at
    fc21e10 (kiln/kernels/dsa_long_select.py, NKI 0.6) have one, and ran on Trn1."""
    return table.has(generation, "activationNumberBias") or op == "copy" or not (_is_legacy() or versions.is_at_least("0.4"))


def _check_activation_reduction(row: Row, op: str, generation: str) -> None:
    """Source: nki.isa.activation_reduce of NKI 0.7; before, NeuronCore-v3 and later took nl.maximum and nl.minimum in the text."""
    if op == "add":
        return
    if not table.has(generation, "activationReductions"):
        raise NkiValidationError(f"{row.name}: reduce_op={op}; NeuronCore-{generation} reduces with add only")
    if "reduce_cmd" in row.fixed and versions.is_at_least("0.7"):
        raise NkiValidationError(f"{row.name}: reduce_op={op}; ScalarE reduces with nl.add only: reduce with nisa.tensor_reduce after it")


def _check_range_select(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    if attributes["on_false_value"] > -3.4028e38:
        raise NkiValidationError(f"{row.name}: on_false_value={attributes['on_false_value']}; the hardware knows the lowest float32 only")


def _check_affine_select(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    if "pattern" not in attributes:
        return
    counts = [count for _, count in attributes["pattern"]]
    free = views.elements(layouts["dst"].shape[1:])
    if views.elements(counts) != free:
        raise NkiValidationError(
            f"{row.name}: pattern has {views.elements(counts)} elements; dst {layouts['dst'].shape} has {free} per partition"
        )


def _check_load(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    """`load_reduce` needs an initial value; no other mode accepts one."""
    initial = "imm1" if row.semantics == "cumulative" else "reduce_init"
    command = attributes.get("reduce_cmd")
    if command == "load_reduce" and initial not in attributes and initial not in layouts:
        raise NkiValidationError(f"{row.name}: reduce_cmd=load_reduce needs {initial}")
    if command != "load_reduce" and initial == "reduce_init" and (initial in layouts or attributes.get(initial)):
        raise NkiValidationError(f"{row.name}: {initial} is for reduce_cmd=load_reduce, not for {command}")


def _check_search(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    partitions = layouts["data"].shape[0]
    for name in ("vals", "dst_idx"):
        if name in layouts and layouts[name].shape[0] != partitions:
            raise NkiValidationError(f"{row.name}: {name} has {layouts[name].shape[0]} partitions, data {partitions}")


def _check_uniform(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    low, high = attributes.get("min"), attributes.get("max")
    if isinstance(low, float) and isinstance(high, float) and not low < high:
        raise NkiValidationError(f"{row.name}: min={low} is not below max={high}")


def _check_dropout(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    data, probability = layouts.get("data"), layouts.get("prob")
    if data is None or probability is None:
        return
    kinds = ["float32"] if data.dtype.kind == "int" else ["float"]
    if str(probability.dtype) not in kinds and probability.dtype.kind not in kinds:
        raise NkiValidationError(f"{row.name}: prob is {probability.dtype}; with data of {data.dtype} it takes {kinds[0]}")


def _check_copy(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    """Rows by indices have descriptors that GpSimd makes."""
    many = any(f"{name}_index" in layouts and views.elements(layouts[f"{name}_index"].shape) > 1 for name in ("src", "dst"))
    if many and attributes.get("dge_mode") in ("hwdge", "none"):
        raise NkiValidationError(f"{row.name}: dge_mode.{attributes['dge_mode']}; with an index for each row, dge_mode is unknown or swdge")


def _check_fill(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    dst = layouts["dst"]
    if dst.dtype.kind == "packed" and attributes.get("value"):
        raise NkiValidationError(f"{row.name}: dst is {dst.dtype}; packed elements are filled with 0 only, not {attributes['value']}")


def _check_bn_aggr(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    free = views.elements(layouts["data"].shape[1:])
    if free % 3:
        raise NkiValidationError(
            f"{row.name}: data has {free} elements per partition; (count, mean, variance * count) take a multiple of 3"
        )


def _check_nonzero(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    dst, src = layouts["dst"], layouts["src"]
    if dst.shape[0] != src.shape[0] or views.elements(dst.shape[1:]) != views.elements(src.shape[1:]) + 1:
        raise NkiValidationError(f"{row.name}: dst has shape {dst.shape}; it takes one element per partition more than src {src.shape}")


def _check_topk(row: Row, layouts: Layouts, attributes: Attributes, generation: str) -> None:
    values, indices, src, n = layouts["val_dst"], layouts["idx_dst"], layouts["src"], attributes["n"]
    if not 8 <= n < 65536:
        raise NkiValidationError(f"{row.name}: n={n}; it takes 8 to 65535")
    if views.elements(src.shape[1:]) * 16 < n:
        raise NkiValidationError(f"{row.name}: n={n} values over 16 partitions need {-(-n // 16)} columns; src {src.shape} has fewer")
    wanted = (src.shape[0], views.elements(values.shape[1:]))
    if wanted[1] > n or values.shape[0] != wanted[0] or (indices.shape[0], views.elements(indices.shape[1:])) != wanted:
        raise NkiValidationError(
            f"{row.name}: val_dst {values.shape} and idx_dst {indices.shape}; both take [{src.shape[0]}, K] with K <= n"
        )


BY_SEMANTICS: Dict[str, Callable[[Row, Layouts, Attributes, str], None]] = {
    "activation": _check_activation,
    "affineSelect": _check_affine_select,
    "bnAggr": _check_bn_aggr,
    "copy": _check_copy,
    "cumulative": _check_load,
    "dropout": _check_dropout,
    "exponential": _check_load,
    "fill": _check_fill,
    "findIndex8": _check_search,
    "matchReplace8": _check_search,
    "nonzeroWithCount": _check_nonzero,
    "randomUniform": _check_uniform,
    "rangeSelect": _check_range_select,
    "tensorScalarReduce": _check_load,
    "topk": _check_topk,
}
