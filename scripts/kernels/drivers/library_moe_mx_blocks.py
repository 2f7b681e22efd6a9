"""aws-neuron/nki-library: MX mixtures of experts that take tokens block by block."""

from __future__ import annotations

import importlib
from typing import Any, Dict, Tuple

import mx
import numpy as np
from experts import Blocks, blocks_of
from harness import driver

CTE = "src/nkilib_src/nkilib/core/moe/moe_cte"
FP8 = 5e-2  # kernels round to bfloat16 before they quantize, and so now and then to the next fp8
LIMIT = 1.0


def _case(
    random: np.random.Generator, hidden: int, intermediate: int, four_bits: bool = False, spare: int = 0
) -> Tuple[Blocks, mx.Experts, Dict[str, Any]]:
    """Tokens in blocks of 256, three experts, and the arguments that all of these kernels take."""
    types = importlib.import_module("nkilib.core.utils.common_types")
    blocks = blocks_of(random, tokens=383, hidden=hidden, intermediate=1, experts=3, block=256, spare=spare)
    case = mx.experts(random, 3, hidden, intermediate, four_bits)
    return (
        blocks,
        case,
        {
            "hidden_states": blocks.hidden,
            "expert_affinities_masked": blocks.affinities.reshape(-1, 1),
            "gate_up_proj_weight": case.gate_up.data,
            "down_proj_weight": case.down.data,
            "token_position_to_id": blocks.positions,
            "block_to_expert": blocks.experts,
            "gate_and_up_proj_bias": case.gate_up_bias,
            "down_proj_bias": case.down_bias,
            "gate_up_proj_scale": case.gate_up.scales,
            "down_proj_scale": case.down.scales,
            "block_size": 256,
            "expert_affinities_scaling_mode": types.ExpertAffinityScaleMode.POST_SCALE,
            "gate_clamp_upper_limit": LIMIT,
            "up_clamp_upper_limit": LIMIT,
            "up_clamp_lower_limit": -LIMIT,
        },
    )


def _compared(blocks: Blocks, case: mx.Experts, out: Any) -> Any:
    """All but the row that padding writes."""
    return np.asarray(out)[:-1], mx.mixture(blocks.hidden, blocks.affinities, case, LIMIT)[:-1]


def _conditions(blocks: Blocks, spare: int, behind: int) -> Any:
    """[N + behind]: 1 for the blocks that have tokens."""
    return np.array([1] * (len(blocks.experts) - spare) + [0] * (spare + behind), np.int32)


def _halves(random: np.random.Generator, spare: int = 0) -> Any:
    """Two cores share I. Without a bias of the second projection: as published both cores add all of it, and the sum has it twice."""
    blocks, case, arguments = _case(random, 512, 1024, spare=spare)
    case.down_bias[:] = 0
    return blocks, case, arguments


@driver(f"{CTE}/bwmm_shard_on_I_mx.py", "blockwise_mm_shard_intermediate_mx", target="trn3", tolerance=FP8)
def shard_on_intermediate(module: Any, random: np.random.Generator) -> Any:
    blocks, case, arguments = _halves(random)
    return _compared(blocks, case, module.blockwise_mm_shard_intermediate_mx[2](**arguments))


@driver(f"{CTE}/bwmm_shard_on_I_mx.py", "blockwise_mm_shard_intermediate_mx_hybrid", target="trn3", tolerance=FP8)
def shard_on_intermediate_hybrid(module: Any, random: np.random.Generator) -> Any:
    blocks, case, arguments = _halves(random, spare=2)
    run = module.blockwise_mm_shard_intermediate_mx_hybrid[2]
    return _compared(blocks, case, run(conditions=_conditions(blocks, 2, 1), num_static_block=1, **arguments))


@driver(f"{CTE}/bwmm_shard_on_block_mx.py", "bwmm_shard_on_block_mx", target="trn3", tolerance=FP8, case="all blocks")
def shard_on_block(module: Any, random: np.random.Generator) -> Any:
    blocks, case, arguments = _case(random, 512, 512)
    return _compared(blocks, case, np.asarray(module.bwmm_shard_on_block_mx[2](**arguments))[0])


@driver(f"{CTE}/bwmm_shard_on_block_mx.py", "bwmm_shard_on_block_mx", target="trn3", tolerance=FP8, case="fp4, blocks with tokens")
def shard_on_block_dynamic(module: Any, random: np.random.Generator) -> Any:
    blocks, case, arguments = _case(random, 512, 512, four_bits=True, spare=4)
    out = module.bwmm_shard_on_block_mx[2](conditions=_conditions(blocks, 4, 2), n_static_blocks=2, **arguments)
    return _compared(blocks, case, np.asarray(out)[0])
