"""aws-neuron/nki-library: mixtures of experts."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from experts import Blocks, blocks_of
from harness import driver
from references import mixture_of_experts, rms_norm, softmax, wide

CORE = "src/nkilib_src/nkilib/core"
CTE = f"{CORE}/moe/moe_cte"
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


def _gradients(case: Blocks, upstream: Any) -> Any:
    """What the kernel is given of the way forth (gates and products [N, 2, I, block], results [N, block, H]), and the gradients."""
    x, weights, down = wide(case.hidden), wide(case.gate_up), wide(case.down)
    grads = [np.zeros_like(x), np.zeros(case.affinities.shape), np.zeros_like(weights), np.zeros_like(down)]
    gates, results = [], []
    for ids, (e,) in zip(case.positions.reshape(len(case.experts), -1), case.experts):
        rows, dout = x[ids], wide(upstream)[ids]
        gate, up = (rows @ weights[e, :, side] for side in (0, 1))
        sigmoid = 1 / (1 + np.exp(-gate))
        inner = gate * sigmoid * up
        result = inner @ down[e]
        scaled = wide(case.affinities)[ids, e][:, None] * dout
        dinner = scaled @ down[e].T
        dgate, dup = dinner * up * sigmoid * (1 + gate * (1 - sigmoid)), dinner * gate * sigmoid
        np.add.at(grads[0], ids, dgate @ weights[e, :, 0].T + dup @ weights[e, :, 1].T)
        np.add.at(grads[1][:, e], ids, (result * dout).sum(axis=1))
        grads[2][e] += np.stack([rows.T @ dgate, rows.T @ dup], axis=1)
        grads[3][e] += inner.T @ scaled
        gates.append(np.stack([gate.T, up.T]))
        results.append(result)
    return np.stack(gates), np.stack(results), grads


@driver(f"{EXPERIMENTAL}/bwd/blockwise_mm_backward.py", "blockwise_mm_bwd", tolerance=BF16)
def backward(module: Any, random: np.random.Generator) -> Any:
    case = _case(random)
    upstream = random.standard_normal(case.hidden.shape).astype(case.hidden.dtype)
    upstream[-1] = 0
    gates, results, wanted = _gradients(case, upstream)
    arguments = {**_arguments(case), "output_hidden_states_grad": upstream}
    dtype = case.hidden.dtype
    got = module.blockwise_mm_bwd[2](
        gate_up_proj_act_checkpoint_T=gates.astype(dtype), down_proj_act_checkpoint=results.astype(dtype), **arguments
    )
    dx, daffinities, *others = map(np.asarray, got)
    wanted[1] = wanted[1][:-1]
    return [dx[:-1], daffinities.reshape(case.affinities.shape)[:-1], *others], [wanted[0][:-1], *wanted[1:]]


@driver(f"{CORE}/moe_block/moe_block_tkg.py", "moe_block_tkg", tolerance=BF16)
def moe_block(module: Any, random: np.random.Generator) -> Any:
    tokens, k = 4, 2
    case = _case(random, tokens=tokens - 1, experts=8, hidden=512)
    types = importlib.import_module("nkilib.core.utils.common_types")
    x = random.standard_normal((tokens, 1, 512)).astype(case.hidden.dtype)
    gamma, router = (random.standard_normal(shape).astype(x.dtype) for shape in ((1, 512), (512, 8)))
    got = module.moe_block_tkg[2](
        x,
        gamma,
        router,
        case.gate_up,
        case.down,
        top_k=k,
        router_act_fn=types.RouterActFnType.SOFTMAX,
        router_pre_norm=False,
        expert_affinities_scaling_mode=types.ExpertAffinityScaleMode.POST_SCALE,
    )
    rows = rms_norm(x, gamma, 1e-6)[:, 0].astype(x.dtype)
    logits = wide(rows) @ wide(router)
    order = np.argsort(-logits, axis=-1)[:, :k]
    chosen = np.zeros_like(logits)
    np.put_along_axis(chosen, order, softmax(np.take_along_axis(logits, order, -1)), -1)
    return got, [mixture_of_experts(rows, chosen, case.gate_up, case.down), logits]
