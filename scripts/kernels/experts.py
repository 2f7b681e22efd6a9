"""Inputs of kernels that take tokens to experts block by block."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Blocks(NamedTuple):
    """Tokens in blocks of one expert each. The last row of `hidden` and `affinities` is what padding points at."""

    hidden: Any  # [T + 1, H] bfloat16
    affinities: Any  # [T + 1, E] bfloat16, 0 where an expert is not chosen
    gate_up: Any  # [E, H, 2, I] bfloat16
    down: Any  # [E, I, H] bfloat16
    positions: Any  # [N * block] int32: a token of each place in the blocks, T for none
    experts: Any  # [N, 1] int32: the expert of each block


def blocks_of(
    random: np.random.Generator, tokens: int, hidden: int, intermediate: int, experts: int, block: int, spare: int = 0
) -> Blocks:
    """Every token goes to one or two experts. `spare`: blocks behind the last that hold padding only."""
    import ml_dtypes

    def made(*shape: int, scale: float = 1.0) -> Any:
        return (random.standard_normal(shape) * scale).astype(ml_dtypes.bfloat16)

    chosen = random.random((tokens, experts)) < 0.4
    chosen[np.arange(tokens), random.integers(0, experts, tokens)] = True
    affinities = np.zeros((tokens + 1, experts), np.float32)
    affinities[:-1] = np.where(chosen, random.uniform(0.1, 1, chosen.shape), 0)
    positions, owners = [], []
    for expert in range(experts):
        ids = np.flatnonzero(chosen[:, expert])
        for start in range(0, len(ids), block):
            part = ids[start : start + block]
            positions.append(np.concatenate([part, np.full(block - len(part), tokens)]))
            owners.append([expert])
    for _ in range(spare):
        positions.append(np.full(block, tokens))
        owners.append([experts - 1])
    x = made(tokens + 1, hidden)
    x[-1] = 0
    return Blocks(
        x,
        affinities.astype(ml_dtypes.bfloat16),
        made(experts, hidden, 2, intermediate, scale=hidden**-0.5),
        made(experts, intermediate, hidden, scale=intermediate**-0.5),
        np.concatenate(positions).astype(np.int32),
        np.array(owners, np.int32),
    )
