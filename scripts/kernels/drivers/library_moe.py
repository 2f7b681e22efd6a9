"""aws-neuron/nki-library: mixtures of experts."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from experts import Blocks, blocks_of
from harness import driver
from references import mixture_of_experts

CTE = "src/nkilib_src/nkilib/core/moe/moe_cte"
EXPERIMENTAL = "src/nkilib_src/nkilib/experimental/moe"
BF16 = 2e-2


def _case(random: np.random.Generator, **sizes: int) -> Blocks:
    return blocks_of(random, **{"tokens": 383, "hidden": 1024, "intermediate": 256, "experts": 2, "block": 256, **sizes})


def _arguments(case: Blocks) -> Any:
    return {
        "hidden_states": case.hidden,
        "expert_affinities_masked": case.affinities.reshape(-1, 1),
        "gate_up_proj_weight": case.gate_up,
        "down_proj_weight": case.down,
        "token_position_to_id": case.positions,
        "block_to_expert": case.experts,
        "block_size": len(case.positions) // len(case.experts),
    }


def _after() -> Any:
    """Affinities weigh what an expert gives, not what it gets."""
    types = importlib.import_module("nkilib.core.utils.common_types")
    return {"expert_affinities_scaling_mode": types.ExpertAffinityScaleMode.POST_SCALE}


def _compared(case: Blocks, out: Any) -> Any:
    """All but the row that padding writes."""
    return np.asarray(out)[:-1], mixture_of_experts(case.hidden, case.affinities, case.gate_up, case.down)[:-1]


@driver(f"{CTE}/moe_cte.py", "moe_cte", tolerance=BF16)
def moe_cte(module: Any, random: np.random.Generator) -> Any:
    case = _case(random)
    spec = module.MoECTESpec(implementation=module.MoECTEImplementation.shard_on_i)
    return _compared(case, module.moe_cte[2](**_arguments(case), spec=spec))


@driver(f"{CTE}/bwmm_shard_on_I.py", "blockwise_mm_baseline_shard_intermediate", tolerance=BF16)
def shard_on_intermediate(module: Any, random: np.random.Generator) -> Any:
    case = _case(random)
    return _compared(case, module.blockwise_mm_baseline_shard_intermediate[2](**_arguments(case), **_after()))


@driver(f"{CTE}/bwmm_shard_on_I.py", "blockwise_mm_shard_intermediate_dropping", tolerance=BF16)
def shard_on_intermediate_dropping(module: Any, random: np.random.Generator) -> Any:
    case = _case(random, block=1024)  # a block for each expert
    out, *_ = module.blockwise_mm_shard_intermediate_dropping[2](**_arguments(case), **_after())
    return _compared(case, out)


@driver(f"{CTE}/bwmm_shard_on_I.py", "blockwise_mm_baseline_shard_intermediate_hybrid", tolerance=BF16)
def shard_on_intermediate_hybrid(module: Any, random: np.random.Generator) -> Any:
    case = _case(random, spare=2)
    conditions = np.array([1] * (len(case.experts) - 2) + [0] * 3, np.int32)
    got = module.blockwise_mm_baseline_shard_intermediate_hybrid[2](conditions=conditions, num_static_block=1, **_arguments(case), **_after())
    return _compared(case, got)


@driver(f"{CTE}/bwmm_shard_on_block.py", "bwmm_shard_on_block", tolerance=BF16)
def shard_on_block(module: Any, random: np.random.Generator) -> Any:
    case = _case(random)
    out = module.bwmm_shard_on_block[2](**_arguments(case), **_after())
    return _compared(case, np.asarray(out)[:, 0])  # the first core's half holds the sum of both


@driver(f"{EXPERIMENTAL}/forward/bwmm_shard_on_H.py", "blockwise_mm_baseline_shard_hidden", tolerance=BF16)
def shard_on_hidden(module: Any, random: np.random.Generator) -> Any:
    case = _case(random)
    return _compared(case, module.blockwise_mm_baseline_shard_hidden[2](**_arguments(case)))
