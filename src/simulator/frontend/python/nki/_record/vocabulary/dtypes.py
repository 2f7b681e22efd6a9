"""Data types: strings with a size, equal to whatever NumPy or torch call the same type. Promotion of mixed operands.

Source: aws-neuron-sdk nki/api/nki.api.shared.rst "Supported Data Types", "NKI Type Promotion" (1db4d74e).
"""

from __future__ import annotations

from typing import Any, Dict, Iterable, Optional, Tuple

from . import table


class Dtype(str):
    """A dtype of `nki.language`. `str(nl.float32) == "float32"`; equal to `np.float32`, `np.dtype("float32")`, `torch.float32`."""

    code: int
    itemsize: int
    kind: str

    def __eq__(self, other: object) -> bool:
        """True when both name the same type, in whatever library."""
        if isinstance(other, str):
            return str.__eq__(self, other)
        return str.__eq__(self, _name(other))

    def __ne__(self, other: object) -> bool:
        """Opposite of `==`."""
        return not self == other

    __hash__ = str.__hash__

    @property
    def name(self) -> str:
        """The name, as NumPy's dtypes have it."""
        return str(self)

    def __repr__(self) -> str:
        """The name alone, as it reads in messages."""
        return str(self)


def _make(row: Dict[str, Any]) -> Dtype:
    dtype = Dtype(row["name"])
    dtype.code, dtype.itemsize, dtype.kind = row["code"], row["sizeBytes"], row["class"]
    return dtype


ALL: Dict[str, Dtype] = {row["name"]: _make(row) for row in table.DTYPES}

#: Integers of 64 bits are no dtype of programs, which hold each as `WORDS` elements of the dtype `WORD` (`tensors/words.py`).
WORD, WORDS = ALL["int32"], 2
#: Its code is in no program.
INT64 = _make({"name": "int64", "code": -1, "sizeBytes": WORD.itemsize * WORDS, "class": "int"})
ALL["int64"] = INT64

#: How users and libraries abbreviate. `f32` and so on are what `--arg a=f32[128,512]` takes.
_ALIASES = {
    "f32": "float32",
    "fp32": "float32",
    "float": "float32",
    "f16": "float16",
    "fp16": "float16",
    "half": "float16",
    "bf16": "bfloat16",
    "tf32": "tfloat32",
    "fp32r": "tfloat32",
    "f8e4m3": "float8_e4m3",
    "f8e5m2": "float8_e5m2",
    "float8e4": "float8_e4m3",
    "float8e5": "float8_e5m2",
    "float8_e4m3_fn": "float8_e4m3fn",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "int": "int32",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "bool_": "bool",
    "b1": "bool",
}


def _name(value: Any) -> str:
    """The type's name without its library: np.float32, np.dtype('float32'), torch.float32, jnp.float32 -> 'float32'."""
    if isinstance(value, str):
        return str(value)
    for attribute in ("name", "__name__"):
        name = getattr(value, attribute, None)
        if isinstance(name, str):
            return name
    return str(value).rsplit(".", 1)[-1]


def find(value: Any) -> Optional[Dtype]:
    """The dtype that `value` names, or None."""
    if type(value) is Dtype:
        return value
    name = _name(value)
    return ALL.get(_ALIASES.get(name, name))


def parse(value: Any, where: str = "dtype") -> Dtype:
    """The dtype that `value` names. TypeError names the value and what exists."""
    found = find(value)
    if found is None:
        raise TypeError(f"{where}: {_name(value)!r} is not a data type of NKI. It has {', '.join(ALL)}")
    return found


def promote(dtypes: Iterable[Dtype]) -> Dtype:
    """dtype of a result whose operands have these; at least one."""
    result: Optional[Dtype] = None
    for dtype in dtypes:
        result = dtype if result is None or result is dtype else _promote2(result, dtype)
    if result is None:
        raise TypeError("no tensor to take a dtype from")
    return result


#: Float types by how much they hold: two of one rank that differ widen to the type named.
_FLOAT_RANK = {
    "float8_e4m3": (0, "bfloat16"),
    "float8_e5m2": (0, "bfloat16"),
    "float8_e3m4": (0, "bfloat16"),
    "float8_e4m3fn": (0, "bfloat16"),
    "float8_e8m0fnu": (0, "bfloat16"),
    "float16": (1, "float32"),
    "bfloat16": (1, "float32"),
    "tfloat32": (2, "tfloat32"),
    "float32": (3, "float32"),
}


def _promote2(a: Dtype, b: Dtype) -> Dtype:
    if a.kind == "packed" or b.kind == "packed":
        raise TypeError(f"{a} and {b} have no common type: packed elements only move, and feed nisa.nc_matmul_mx")
    if a.kind == "float" or b.kind == "float":
        if a.kind != b.kind:
            return a if a.kind == "float" else b
        (rank_a, wider), (rank_b, _) = _FLOAT_RANK[a], _FLOAT_RANK[b]
        return ALL[wider] if rank_a == rank_b else (a if rank_a > rank_b else b)
    return _promote_ints(a, b)


def _promote_ints(a: Dtype, b: Dtype) -> Dtype:
    (signed_a, bits_a), (signed_b, bits_b) = _int_shape(a), _int_shape(b)
    if signed_a == signed_b:
        return a if bits_a >= bits_b else b
    signed_bits, unsigned_bits = (bits_a, bits_b) if signed_a else (bits_b, bits_a)
    if signed_bits > unsigned_bits:
        return a if signed_a else b
    # the engines have no int64: int32 with uint32 widens to float32
    return ALL["float32"] if unsigned_bits >= 8 * WORD.itemsize else ALL[f"int{unsigned_bits * 2}"]


def _int_shape(dtype: Dtype) -> Tuple[bool, int]:
    return dtype.startswith("int"), 1 if dtype == "bool" else dtype.itemsize * 8
