/** The compiler's passes in the order in which they run, each with the evidence that the Neuron compiler does it. */
import { askedPairs } from '../askedOrder';
import { lower } from '../lower';
import { PSUM, SBUF } from '../patterns';
import { allocated, asLowered, type FinishedCode as Columns } from '../placed';
import type { PassName } from '../policy';
import { lookaheadOf } from '../scheduling/lookahead';
import { scheduled } from '../scheduling/reorder';
import { weightPairs } from '../scheduling/units';
import { accumulateProducts } from './accumulatedProducts';
import { joinAdjacentLoads } from './adjacentLoads';
import { batchIterations } from './batchIterations';
import { coalescePsumCopies } from './coalescedPsumCopies';
import { shareSubexpressions } from './commonSubexpressions';
import { constantsFirst } from './constantsFirst';
import { mergeCopiedCopies } from './copiedCopies';
import { forwardCopies } from './copiesOfPlaces';
import { propagateCopies } from './copyPropagation';
import { withoutDeadFills } from './deadFills';
import { coalesceTransfers } from './dmaCoalescing';
import { lateFills } from './lateFills';
import { lateLoads } from './lateLoads';
import { loadsByFirstUse } from './loadsByFirstUse';
import { fuseLoops } from './loopFusion';
import { type CompilationUnit, type Pass, stageOf } from './pass';
import { permuted } from './permute';
import type { PsumUses } from './psumUses';
import { readsFromPsum } from './readsFromPsum';
import { eliminateRedundantLoads } from './redundantLoads';
import { neededBytes } from './spaceNeeded';
import { spilled } from './spilling';
import { renameTiles } from './tileRenaming';
import { splitTiles } from './tileSplitting';
import { vectorize } from './vectorization';
import { zeroFills } from './zeroFillElimination';

/** @param order of the instructions that stay. */
function inOrder(code: CompilationUnit, order: Uint32Array, columns: Columns = stageOf(code).code): CompilationUnit {
  return { ...code, stage: permuted(columns, stageOf(code).extra, order) };
}

const PROFILES = 'all eight Trn2 profiles of allenkchau/trainium-kernel-fusion at d709ddf';

/** Not for kernels that run as written. */
type Rewriting = Pass & { readonly name: PassName };

export const accumulatedProducts: Rewriting = {
  name: 'accumulated products',
  evidence: 'xaviergonzalez/asst4-trainium2 at d155261, conv2d in fp16: 0.82 ms, where its additions of products would take VectorE 3.1',
  run: code => ({ ...code, uses: { ...code.uses, ...accumulateProducts(code.context) } }),
};

export const zeroFillElimination: Rewriting = {
  name: 'zero-fill elimination',
  evidence: 'arch v2, TensorE: nl.zeros in PSUM and += of a matmul; Trn2 profiles of kernels written so have no MEMSET',
  run(code) {
    const { leftOut, overwriting } = zeroFills(code.context, code.uses);
    const without = code.context.rules.leavesFillsOut ? leftOut : [];
    return { ...code, uses: { ...code.uses, leftOut: new Set([...code.uses.leftOut, ...without]), overwriting } };
  },
};

const withDecisions = (uses: PsumUses, { leftOut, operands }: Pick<PsumUses, 'leftOut' | 'operands'>): PsumUses => ({
  ...uses,
  leftOut: new Set([...uses.leftOut, ...leftOut]),
  operands: new Map([...uses.operands, ...operands]),
});

export const copiedCopies: Rewriting = {
  name: 'copied copies',
  evidence:
    'recordings of chengli2003/asst4-trainium2 at a57e57b, conv2d_4 and conv2d_5: 72 copies where the kernel has 108, of which 36 copy a copy; kedia-conv-fp16*, which copy such copies again for each product, take no longer than their products',
  run(code) {
    const merged = withDecisions(code.uses, mergeCopiedCopies(code.context, code.uses));
    return { ...code, uses: withDecisions(merged, forwardCopies(code.context, merged)) };
  },
};

export const lowering: Pass = {
  name: 'lowering',
  evidence: 'nki.isa: the machine instructions of each function',
  run(code) {
    const stage = asLowered(lower(code.context, code.uses));
    return { ...code, stage, lowered: stage.code };
  },
};

/** Decisions about tiles in PSUM, before anything is lowered. */
export const BEFORE_LOWERING: readonly Rewriting[] = [
  accumulatedProducts,
  zeroFillElimination,
  {
    name: 'coalesced PSUM copies',
    evidence: 'the four Trn2 profiles of 512 and that of nkib-t1-matmul: four transposed tiles of 128 columns leave PSUM by one copy',
    run(code) {
      const { leftOut, operands } = coalescePsumCopies(code.context, code.uses);
      const uses = { leftOut: new Set([...code.uses.leftOut, ...leftOut]), operands: new Map([...code.uses.operands, ...operands]) };
      return { ...code, uses: { ...code.uses, ...uses } };
    },
  },
  {
    name: 'reads from PSUM',
    evidence: 'Trn2 profiles of fused_*_s512: reductions and exponentials of the scores read PSUM; fused_*_s1024: the first bank only',
    run(code) {
      const { leftOut, operands } = readsFromPsum(code.context, code.uses);
      const uses = { leftOut: new Set([...code.uses.leftOut, ...leftOut]), operands: new Map([...code.uses.operands, ...operands]) };
      return { ...code, uses: { ...code.uses, ...uses } };
    },
  },
];

export const tileRenaming: Rewriting = {
  name: 'tile renaming',
  evidence:
    'xaviergonzalez/asst4-trainium2 at d155261, conv2d: 3.83 ms with one tile for all rows of pixels, of which its MATMULs alone take 2.98',
  run(code) {
    const { program, patterns, policy, rules } = code.context;
    const most = rules.takesTurns ? policy.placesInTurn.value : Number.POSITIVE_INFINITY;
    renameTiles(program, patterns, stageOf(code).code, { spaces: rules.renames, filled: rules.renamesFilled, most });
    return code;
  },
};

export const constantLoads: Rewriting = {
  name: 'constants first',
  evidence:
    'the identity is loaded by the first trigger in all four Trn2 traces and in recordings of chenhzhu and Ni2002ka (asst4-trainium2)',
  run: code => inOrder(code, constantsFirst(code.context.patterns, stageOf(code).code)),
};

export const deadFills: Rewriting = {
  name: 'dead fills',
  evidence:
    'recording of chenhzhu/asst4-trainium2 at fecd8c8, final_float16: no MEMSET, where the kernel fills each block of pixels before it loads it',
  run: code => inOrder(code, withoutDeadFills(code.context.program, code.context.patterns, stageOf(code).code)),
};

/** The order of fused loops; that of the program if more space would be missing in the fused one. */
function fused(unit: CompilationUnit): Uint32Array {
  const { context } = unit;
  const { code } = stageOf(unit);
  const { sbufBytesPerPartition, psumBytesPerPartition } = context.machine;
  const order = fuseLoops(context.program, context.patterns, code);
  const after = permuted(code, [], order).code;
  const lacksMore = ([space, bytes]: readonly [number, number]) =>
    neededBytes(context, after, space) > Math.max(bytes, neededBytes(context, code, space));
  const memories = [[SBUF, sbufBytesPerPartition.value] as const, [PSUM, psumBytesPerPartition.value] as const];
  return memories.some(lacksMore) ? Uint32Array.from(code.instructions.track.keys()) : order;
}

export const loopFusion: Rewriting = {
  name: 'loop fusion',
  evidence: 'logs of neuronx-cc (aws-neuron-sdk, issues 269 and 803) name the passes LoopFusion and TongaLoopFusion',
  run: code => inOrder(code, fused(code)),
};

export const redundantLoads: Rewriting = {
  name: 'redundant-load elimination',
  evidence:
    'nkib-t1-matmul_add_rmsnorm reads its weights about twice, not 32 times; ak-mlp-* take less time than their loads as written; as written: recordings of chengli2003/asst4-trainium2, conv2d_3 to _5, load two tiles that the kernel loads twice; kernels of the nki namespace: yahavb/trainium-agent-labs at 815b883 and ca75408, transfers of matrix products whose blocks load both sides, and times of three that load tiles again',
  run(code) {
    const { policy, program, rules } = code.context;
    const windowed = !rules.rewrites && program.dialect === 'nki';
    const window = windowed ? { bytes: policy.loadWindowBytes.value, instructionBytes: policy.loadWindowInstructionBytes.value } : null;
    return inOrder(code, eliminateRedundantLoads(code.context, stageOf(code).code, window));
  },
};

export const tileSplitting: Rewriting = {
  name: 'tile splitting',
  evidence:
    'yahavb/trainium-agent-labs at a8f0afa and ca75408, two matmuls of the nki namespace whose blocks fill half of SBUF: one took 206 µs, which is what its loads or its products take alone; +45 and +48 % with whole tiles',
  run(code) {
    const { machine, policy, patterns } = code.context;
    const stage = stageOf(code);
    const least = { bytes: policy.batchedTileBytes.value, bytesOfSeveral: policy.splitRowBytes.value };
    const freeBytes = machine.sbufBytesPerPartition.value - neededBytes(code.context, stage.code, SBUF);
    return { ...code, stage: { ...stage, code: splitTiles(patterns, stage.code, { least, freeBytes }) } };
  },
};

export const AFTER_LOWERING: readonly Rewriting[] = [
  constantLoads,
  deadFills,
  tileRenaming,
  {
    name: 'copy propagation',
    evidence: 'nkib-t1-adamw: the bytes of its profile are those of its arithmetic, without a copy for any assignment',
    run: code => inOrder(code, propagateCopies(code.context.policy, code.context.patterns, stageOf(code).code)),
  },
  {
    name: 'common subexpressions',
    evidence: 'mamba3-scale-* take less time than their products alone; mamba1-256 pays for every product of tiles that it loads anew',
    run: code => inOrder(code, shareSubexpressions(code.context.patterns, stageOf(code).code)),
  },
  redundantLoads,
  {
    name: 'adjacent loads',
    evidence: 'joshdelg/cs217-final-proj at ffb8dd5, scatter_add: 66 transfers for 1,024 loads of pieces of a tile and 32 stores',
    run(code) {
      const joined = joinAdjacentLoads(code.context, stageOf(code).code);
      return inOrder(code, joined.order, joined.code);
    },
  },
  {
    name: 'batching across iterations',
    evidence: `unroll-and-jam: reductions and reciprocals of small tiles are made by four iterations or eight, in ${PROFILES}`,
    run(code) {
      const { policy, machine } = code.context;
      if (!policy.generationsThatBatch.value.includes(machine.generation)) return code;
      const batched = batchIterations(code.context, stageOf(code).code);
      return inOrder(code, batched.order, batched.code);
    },
  },
  {
    name: 'vectorization',
    evidence:
      'compiled convolutions of Ericcsr/asst4-trainium at 8969170 (Trn1): copies of neighbouring slices, and of transposed tiles out of PSUM, are one',
    run(code) {
      const vectorized = vectorize(code.context, stageOf(code).code);
      return inOrder(code, vectorized.order, vectorized.code);
    },
  },
  {
    name: 'DMA coalescing',
    evidence: `tiles of 128 rows side by side are loaded and stored by one DMA, in ${PROFILES}; gathers of joshdelg/cs217-final-proj at ffb8dd5 have 1,033 transfers, where the kernel has 3,072`,
    run(code) {
      const coalesced = coalesceTransfers(code.context, stageOf(code).code);
      return inOrder(code, coalesced.order, coalesced.code);
    },
  },
];

export const loadsFirstUsed: Rewriting = {
  name: 'loads by first use',
  evidence:
    'yahavb/trainium-agent-labs at 234d059, a matmul whose blocks of the right side fill half of SBUF: 308 µs, 401 with the loads in the order of the kernel, which has the left side last',
  run: code => inOrder(code, loadsByFirstUse(code.context.patterns, stageOf(code).code)),
};

export const listScheduling: Rewriting = {
  name: 'list scheduling',
  evidence:
    'nki.language.no_reorder: without it the scheduler may change the order; how it chooses is assumed, docs/accuracy/evidence-compiler.md has what rests on it',
  run(code) {
    if (code.keepsOrder) return code;
    const { machine, policy, patterns, rules, program } = code.context;
    if (rules.window === null) return code;
    const columns = stageOf(code).code;
    const ordered = [...askedPairs(program, stageOf(code)), ...weightPairs(columns)];
    const allocation = rules.rewrites ? undefined : allocated(code.context, columns, code.placement);
    const limits = {
      lookahead: lookaheadOf(policy, rules.window),
      ordered,
      takesFirst: rules.takesFirst,
      follows: rules.follows,
      alternatives: code.context.code.alternatives,
      allocation,
    };
    const { order, instructions } = scheduled(machine, policy, patterns, columns, limits);
    const inNewOrder = inOrder(code, order, { ...columns, instructions });
    return { ...inNewOrder, stage: { ...stageOf(inNewOrder), allocation } };
  },
};

export const loadsBeforeUse: Pass = {
  name: 'loads before use',
  evidence: 'rope of nki-library runs on hardware with 8 KiB of sines that fit only where 8 KiB of cosines were',
  run: code => inOrder(code, lateLoads(code.context.patterns, stageOf(code).code)),
};

export const lastStrategies: Pass = {
  name: 'last strategies',
  evidence:
    'rope of nki-library runs on hardware (test_rope.py at d2ad3a5), with tiles of half of the partitions that only fit beside one another',
  run: code => ({
    ...code,
    placement: { ...code.placement, strategies: [...code.placement.strategies, ...code.context.policy.lastStrategies.value] },
  }),
};

export interface SpillOptions {
  /** Of SBUF, that tiles may take at once. */
  share: number;
  /** In the order of fused loops. */
  fuses: boolean;
  /** Tiles may be placed in any way that fits. Else only so that they alternate, for which a share of SBUF is left: a tile that gets the place of the one before it waits. */
  packs: boolean;
  /** The parts of large tensors give way one by one; else whole tensors do. */
  splits: boolean;
  /** Of SBUF, that tiles that alternate may have. */
  sbufShare: number;
}

/** Tiles are saved and loaded again. */
export const spilling = ({ share, fuses, packs, splits, sbufShare }: SpillOptions): Pass => ({
  name: 'spilling',
  evidence:
    'aws-neuron-sdk, Memory hierarchy; nkib-t1-matmul loads its right side again, nkib-t1-bmm saves; which tile is the textbook’s rule',
  run(code) {
    const columns = stageOf(code).code;
    const instructions = columns.instructions.track.length;
    const given = fuses ? fused(code) : Uint32Array.from(columns.instructions.track.keys());
    const order = lateFills(code.context.patterns, columns, given);
    const { fromPsum, all } = spilled(code.context, { code: columns, order }, share, splits);
    // Copies out of PSUM may be between weights and their MATMULs, and the scheduler would separate these.
    return {
      ...inOrder(code, all.order, all.code),
      keepsOrder: fromPsum.code.instructions.track.length > instructions,
      placement: packs ? code.placement : { strategies: code.placement.strategies.slice(0, 1), sbufShare },
    };
  },
});
