"""`neuronxcc.nki.nccl`: collectives of the legacy compiler. AWS does not document them; what `collective_permute` does is taken from its
namesake in `nki.collectives`, and the others are refused."""

from __future__ import annotations

from typing import Any, Sequence, Tuple

from nki._record.language import collectives as _collectives
from nki._record.vocabulary import refusals as _refusals


def collective_permute(dst: Any, src: Any, source_target_pairs: Sequence[Tuple[int, int]]) -> None:
    """From each source rank to its target. Without a pair that ends here, nothing arrives. Tensors in HBM."""
    _collectives.permute([src], [dst], source_target_pairs, None)


__getattr__ = _refusals.refusing("neuronxcc.nki.nccl", "is a collective of the legacy dialect, which AWS does not document")
