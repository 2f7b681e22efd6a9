"""aws-neuron/nki-library: collectives, each rank with inputs of its own (`nki_scope.on_ranks`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import driver
from references import wide

COLLECTIVES = "src/nkilib_src/nkilib/experimental/collectives"
BF16 = 2e-2


def _bf16(random: np.random.Generator, *shape: int) -> Any:
    import ml_dtypes

    return random.standard_normal(shape).astype(ml_dtypes.bfloat16)


def _gathered(kernel: Any, random: np.random.Generator, ranks: int, rows: int, columns: int) -> Any:
    from nki.collectives import ReplicaGroup
    from nki_scope import on_ranks

    x = _bf16(random, ranks, rows, columns)
    group = ReplicaGroup([list(range(ranks))])
    got = on_ranks(kernel, [{"inp": own, "replica_groups": group, "tp_degree": ranks} for own in x])
    return list(map(wide, got)), [wide(np.concatenate(list(x), axis=1))] * ranks


@driver(f"{COLLECTIVES}/sb2sb_allgather.py", "allgather_sb2sb", case="8 ranks")
def gather_on_chip(module: Any, random: np.random.Generator) -> Any:
    return _gathered(module.allgather_sb2sb, random, 8, 64, 96)


@driver(f"{COLLECTIVES}/sb2sb_allgather.py", "allgather_sb2sb_tiled", case="4 ranks of two cores")
def gather_tiles(module: Any, random: np.random.Generator) -> Any:
    return _gathered(module.allgather_sb2sb_tiled[2], random, 4, 256, 64)


def _ring_of(random: np.random.Generator, kernel: Any, force_hbm: bool) -> Any:
    from nki_scope import on_ranks

    ranks, rows, columns = 4, 512, 256
    x = _bf16(random, ranks, rows, columns)
    given = [{"lhs": own, "tp_degree": ranks, "num_groups": 1, "force_hbm_cc": force_hbm} for own in x]
    got = on_ranks(kernel[2], given)
    return [wide(each).reshape(ranks, rows, columns) for each in got], [wide(x)] * ranks


@driver(f"{COLLECTIVES}/fg_allgather.py", "fine_grained_allgather", case="4 ranks of two cores, in SBUF")
def ring_on_chip(module: Any, random: np.random.Generator) -> Any:
    return _ring_of(random, module.fine_grained_allgather, False)


@driver(f"{COLLECTIVES}/fg_allgather.py", "fine_grained_allgather", case="4 ranks of two cores, in HBM")
def ring_in_hbm(module: Any, random: np.random.Generator) -> Any:
    return _ring_of(random, module.fine_grained_allgather, True)


def _multiplied(random: np.random.Generator, kernel: Any, force_hbm: bool) -> Any:
    from nki_scope import on_ranks

    ranks, rows, inner, columns = 4, 512, 256, 256
    lhs, rhs = _bf16(random, ranks, rows, inner), _bf16(random, ranks, inner, columns)
    given = [
        {"lhs": lhs[rank], "rhs": rhs[rank], "tp_degree": ranks, "num_groups": 1, "force_hbm_cc": force_hbm} for rank in range(ranks)
    ]
    got = on_ranks(kernel[2], given)
    return [wide(each).reshape(ranks, rows, columns) for each in got], [wide(lhs) @ wide(own) for own in rhs]


@driver(f"{COLLECTIVES}/fgcc.py", "allgather_compute_matmul", case="4 ranks of two cores, in SBUF", tolerance=BF16)
def multiply_on_chip(module: Any, random: np.random.Generator) -> Any:
    return _multiplied(random, module.allgather_compute_matmul, False)


@driver(f"{COLLECTIVES}/fgcc.py", "allgather_compute_matmul", case="4 ranks of two cores, in HBM", tolerance=BF16)
def multiply_in_hbm(module: Any, random: np.random.Generator) -> Any:
    return _multiplied(random, module.allgather_compute_matmul, True)


@driver(f"{COLLECTIVES}/topk_reduce.py", "topk_reduce", tolerance=BF16, case="two cores")
def reduce_of_experts(module: Any, random: np.random.Generator) -> Any:
    """Every token's number stands on k rows among others that hold none."""
    import ml_dtypes

    tokens, k, hidden, rows = 16, 4, 256, 128
    x = _bf16(random, rows, hidden + 2)
    numbers = np.full(rows, -1, np.int32)
    numbers[random.permutation(rows)[: tokens * k]] = np.repeat(np.arange(tokens, dtype=np.int32), k)
    x[:, hidden:] = numbers[:, None].view(ml_dtypes.bfloat16)
    wanted = np.stack([wide(x[numbers == token, :hidden]).sum(0) for token in range(tokens)])
    return wide(module.topk_reduce[2](x, tokens, k)), wanted
