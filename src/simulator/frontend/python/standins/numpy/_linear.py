"""Products of matrices, einsum, norms, and comparison of whole arrays."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

from . import _engine
from . import _reduce as reduce_
from ._create import asarray
from ._dtypes import promote
from ._missing import missing
from ._shape import broadcast_to, reshape, transpose
from ._ufuncs import UFUNCS, broadcast_shape, isclose, kind_of


def matmul(a: Any, b: Any) -> Any:
    """Matrix product, leading axes broadcast; vectors count as a row on the left and a column on the right."""
    x, y = asarray(a), asarray(b)
    if x.ndim == 0 or y.ndim == 0:
        raise ValueError("matmul: Input operand does not have enough dimensions")
    left = reshape(x, (1, -1)) if x.ndim == 1 else x
    right = reshape(y, (-1, 1)) if y.ndim == 1 else y
    if left.shape[-1] != right.shape[-2]:
        raise ValueError(
            f"matmul: Input operand 1 has a mismatch in its core dimension 0 (size {right.shape[-2]} is different from {left.shape[-1]})"
        )
    cls = kind_of([x, y])
    dtype = promote([x.dtype, y.dtype], [], cls._family)
    shape = broadcast_shape(left.shape[:-2], right.shape[:-2]) + (left.shape[-2], right.shape[-1])
    made = cls._wrap(_engine.op("matmul", [left._array, right._array], shape, dtype.name))
    lead = shape[:-2] + (() if x.ndim == 1 else (shape[-2],)) + (() if y.ndim == 1 else (shape[-1],))
    return made if lead == shape else reshape(made, lead)


def dot(a: Any, b: Any) -> Any:
    """Inner product of the last axis of `a` with the second-last of `b`."""
    x, y = asarray(a), asarray(b)
    if x.ndim == 0 or y.ndim == 0:
        return x * y
    if x.ndim <= 2 and y.ndim <= 2:
        return matmul(x, y)
    raise missing("numpy.dot of more than two dimensions")


def outer(a: Any, b: Any) -> Any:
    """All products of two vectors."""
    return reshape(a, (-1, 1)) * reshape(b, (1, -1))


def kron(a: Any, b: Any) -> Any:
    """Each element of `a` times all of `b`, in place of the element."""
    x, y = asarray(a), asarray(b)
    ndim = max(x.ndim, y.ndim)
    outside, inside = (1,) * (ndim - x.ndim) + x.shape, (1,) * (ndim - y.ndim) + y.shape
    left = reshape(x, [size for n in outside for size in (n, 1)])
    right = reshape(y, [size for n in inside for size in (1, n)])
    return reshape(left * right, [n * m for n, m in zip(outside, inside)])


def vdot(a: Any, b: Any) -> Any:
    """Product of two arrays as vectors."""
    return matmul(reshape(a, -1), reshape(b, -1))


def trace(a: Any) -> Any:
    """Sum of the diagonal."""
    return reduce_.sum(diagonal(a))


def diagonal(a: Any) -> Any:
    """The main diagonal of a matrix."""
    source = asarray(a)
    if source.ndim != 2:
        raise missing("numpy.diagonal of other than two dimensions")
    length = min(source.shape)
    return reshape(source, -1)[:: source.shape[1] + 1][:length]


def einsum(subscripts: str, *operands: Any, **_: Any) -> Any:
    """Einstein summation by labels, without repeated labels in one operand and without an ellipsis."""
    text = subscripts.replace(" ", "")
    inputs, _, output = text.partition("->")
    labels = inputs.split(",")
    if "->" not in text:
        output = "".join(sorted(c for c in set(inputs) - {","} if inputs.count(c) == 1))
    if "." in text or any(len(set(one)) < len(one) for one in labels):
        raise missing(f"numpy.einsum({subscripts!r})")
    if len(labels) != len(operands):
        raise ValueError("einsum: as many operands as there are comma-separated labels")
    arrays = [asarray(x) for x in operands]
    current, names = arrays[0], labels[0]
    for place in range(1, len(arrays)):
        later = output + "".join(labels[place + 1 :])
        current, names = _pair(current, names, arrays[place], labels[place], later)
    summed = tuple(names.index(c) for c in names if c not in output)
    if summed:
        current = reduce_.sum(current, summed)
        names = "".join(c for c in names if c in output)
    return transpose(current, [names.index(c) for c in output])


def _pair(x: Any, xs: str, y: Any, ys: str, later: str) -> Tuple[Any, str]:
    """Two operands as one batched matrix product: batch, left, contracted, right labels."""
    size: Dict[str, int] = {**dict(zip(xs, x.shape)), **dict(zip(ys, y.shape))}
    batch = [c for c in xs if c in ys and c in later]
    shared = [c for c in xs if c in ys and c not in later]
    left = [c for c in xs if c not in ys]
    right = [c for c in ys if c not in xs]

    def grouped(a: Any, names: str, *groups: List[str]) -> Any:
        turned = transpose(a, [names.index(c) for group in groups for c in group])
        lengths = [1, 1]
        for i, group in enumerate(groups[1:]):
            for c in group:
                lengths[i] *= size[c]
        return reshape(turned, [size[c] for c in groups[0]] + lengths)

    product = matmul(grouped(x, xs, batch, left, shared), grouped(y, ys, batch, shared, right))
    names = "".join(batch + left + right)
    return reshape(product, [size[c] for c in names]), names


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """The Euclidean (Frobenius) norm; of vectors also orders 1 and infinity."""
    source = asarray(x)
    if ord in (None, 2, "fro") and (ord != 2 or axis is not None or source.ndim == 1):
        return UFUNCS["sqrt"](reduce_.sum(UFUNCS["square"](source), axis, keepdims=keepdims))
    if source.ndim == 1 or isinstance(axis, int):
        if ord == 1:
            return reduce_.sum(UFUNCS["absolute"](source), axis, keepdims=keepdims)
        if ord == float("inf"):
            return reduce_.max(UFUNCS["absolute"](source), axis, keepdims=keepdims)
    raise missing(f"numpy.linalg.norm(ord={ord!r})")


def allclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> bool:
    """Whether all elements are close: computes."""
    return bool(reduce_.all(asarray(isclose(asarray(a), b, rtol, atol, equal_nan))))


def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> bool:
    """Whether shapes and elements are equal: computes."""
    x, y = asarray(a1), asarray(a2)
    return x.shape == y.shape and bool(reduce_.all(isclose(x, y, 0.0, 0.0, equal_nan)))


def array_equiv(a1: Any, a2: Any) -> bool:
    """Whether elements are equal after broadcasting: computes."""
    x, y = asarray(a1), asarray(a2)
    try:
        shape = broadcast_shape(x.shape, y.shape)
    except ValueError:
        return False
    return array_equal(broadcast_to(x, shape), broadcast_to(y, shape))
