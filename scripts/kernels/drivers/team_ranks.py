"""nki-samples, contributed/neuron-team-kernels: attention over a ring of ranks, each with its part of the sequence.

The kernels call two functions of the compiler that are not published, `nisa._tiled_offloaded_memcpy` and `_tiled_offloaded_fma`. Here stand, in
their place, a DMA, and a sum on chip: what their names and their arguments say.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Iterator, List

import numpy as np
from harness import driver, part_of
from references import causal, softmax, wide

TEAM = "contributed/neuron-team-kernels"
BF16 = 2e-2
#: With a head of less than 128 the backward kernel, as published, loads the sums of the exponentials of as many rows only.
RANKS, HEAD, PART = 2, 128, 512


@contextmanager
def _offloaded() -> Iterator[None]:
    import neuronxcc.nki.isa as nisa
    import neuronxcc.nki.language as nl

    def copy(dst: Any, src: Any, dtype: Any = None) -> None:
        nisa.dma_copy(dst=dst, src=src)

    def add(*srcs: Any, scales: Any, dst: Any) -> None:
        first, second = (nl.multiply(nl.load(src), scale) for src, scale in zip(srcs, scales))
        nl.store(dst, nl.add(first, second))

    nisa._tiled_offloaded_memcpy, nisa._tiled_offloaded_fma = copy, add  # type: ignore[attr-defined]
    yield
    del nisa._tiled_offloaded_memcpy, nisa._tiled_offloaded_fma  # type: ignore[attr-defined]


def _on_ring(kernel: Any, given: List[Any], **common: Any) -> List[Any]:
    from nki_scope import on_ranks

    pairs = [(rank, (rank + 1) % RANKS) for rank in range(RANKS)]
    with _offloaded():
        return on_ranks(kernel[1, 1], [{**own, **common, "rank_id": rank, "src_tgt_pairs": pairs} for rank, own in enumerate(given)])


def _parts(x: Any) -> Any:
    """[1, 1, d, S] -> each rank's [1, 1, d, S / ranks]."""
    return np.split(x, RANKS, axis=3)


def _swapped(x: Any) -> Any:
    return np.swapaxes(wide(x), 2, 3)


def _drawn(random: np.random.Generator, count: int) -> List[Any]:
    return [random.standard_normal((1, 1, HEAD, RANKS * PART)).astype(np.float32) for _ in range(count)]


@driver(f"{TEAM}/attention.py", "ring_attention_fwd", tolerance=BF16, case=f"{RANKS} ranks")
def ring_forward(module: Any, random: np.random.Generator) -> Any:
    q, k, v = _drawn(random, 3)
    config = module.FlashConfig(seq_tile_size=PART, training=False, should_transpose_v=True)
    given = [{"q": a, "k": b, "v": c, "seed": None} for a, b, c in zip(_parts(q), _parts(k), _parts(v))]
    got = _on_ring(module.ring_attention_fwd, given, config=config)
    y = softmax(causal(_swapped(q) @ wide(k) / HEAD**0.5)) @ _swapped(v)
    return [np.asarray(each[0] if isinstance(each, (tuple, list)) else each) for each in got], np.split(y, RANKS, axis=2)


@driver(f"{TEAM}/attention.py", "ring_attention_bwd", tolerance=BF16, case=f"{RANKS} ranks")
def ring_backward(module: Any, random: np.random.Generator) -> Any:
    q, k, v, dy = _drawn(random, 4)
    scores = causal(_swapped(q) @ wide(k) / HEAD**0.5)
    p = softmax(scores)
    out = np.swapaxes(p @ _swapped(v), 2, 3).astype(np.float32)
    log_sum = (scores.max(-1) + np.log(np.exp(scores - scores.max(-1, keepdims=True)).sum(-1))).astype(np.float32)
    sums = [part.reshape(1, 1, PART // 128, 128).swapaxes(2, 3).copy() for part in np.split(log_sum, RANKS, axis=2)]
    named = zip(_parts(q), _parts(k), _parts(v), _parts(out), _parts(dy), sums)
    names = ("q_ref", "k_ref", "v_ref", "o_ref", "dy_ref", "lse_ref")
    given = [{**dict(zip(names, own)), "seed_ref": None} for own in named]
    got = _on_ring(module.ring_attention_bwd, given, use_causal_mask=True, mixed_precision=True)
    dp = _swapped(dy) @ wide(v)
    ds = p * (dp - (p * dp).sum(-1, keepdims=True)) / HEAD**0.5
    wanted = [np.swapaxes(ds @ _swapped(k), 2, 3), wide(q) @ ds, wide(dy) @ p]
    return [np.asarray(x) for each in got for x in each], [part for rank in zip(*map(_parts, wanted)) for part in rank]


part_of("ring_attention_fwd and ring_attention_bwd", f"{TEAM}/attention_build_blocks.py")
