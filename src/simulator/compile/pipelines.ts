/**
 * What each pipeline does to a kernel. One that `nki.compiler` compiles by itself is not compiled like one that goes through neuronx-cc:
 * awslabs/nki-autotune at d57bcc3 publishes the commands, and what the profiles of its kernels show.
 */
import { compareVersions } from '../isa/versions';
import type { Program } from '../program/program';
import type { Engine } from '../vocabulary/engines';
import type { CompiledPipeline, LoadTriggers } from '../vocabulary/pipelines';
import type { DgeMode } from '../vocabulary/queues';
import type { Space } from '../vocabulary/spaces';
import type { CopyEngine, Following, Policy } from './policy';
import type { LookaheadSetting } from './scheduling/lookahead';

export interface PipelineRules {
  /** The passes of the middle end change the kernel, and tensors get their addresses after the scheduler has run; else before. */
  readonly rewrites: boolean;
  /** Memories in which tiles that are overwritten get new addresses. */
  readonly renames: readonly Space[];
  /** Of these, memories in which a tile gets a new address also where the first to overwrite it is a fill. */
  readonly renamesFilled: readonly Space[];
  /** Such a tile takes a few places in turn (`placesInTurn`); else as many as there are. */
  readonly takesTurns: boolean;
  /** What limits how far a scheduler looks ahead; null: the order is the program's. */
  readonly window: LookaheadSetting | null;
  /** Which of the instructions that can start it takes: the first in the program, or the one with the longest path to the end. */
  readonly takesFirst: 'position' | 'height';
  /** When the scheduler expects an instruction to be able to follow another one of its engine. */
  readonly follows: Following;
  /** When loads are triggered; late: `policy.loadLeadNs` before their data are used. */
  readonly triggersLoads: LoadTriggers;
  /** Fills that are overwritten before they are read, and those with zeros to which products are added, are left out. */
  readonly leavesFillsOut: boolean;
  /** Loads that a kernel of today's dialect repeats soon are left out. */
  readonly leavesLoadsOut: boolean;
  /** Weights that are in the array are used again by a later product: always; by the one that follows at once; or never. */
  readonly reusesWeights: 'always' | 'atOnce' | 'never';
  /** Who fills tiles in PSUM where the kernel does not say. */
  readonly fillsPsum: Engine;
  /** Who copies a tile into or out of PSUM where the kernel does not say. */
  readonly copiesOn: CopyEngine;
  /** Descriptors of DMAs where the kernel does not say: as the policy has it, or made before the kernel runs. */
  readonly descriptors: 'policy' | 'static';
  /** The same on a machine whose hardware makes none. */
  readonly withoutHardware: DgeMode;
}

const LITERAL: PipelineRules = {
  rewrites: false,
  renames: ['sbuf', 'psum'],
  renamesFilled: ['sbuf', 'psum'],
  takesTurns: false,
  window: 'work',
  takesFirst: 'position',
  follows: 'result',
  triggersLoads: 'late',
  leavesFillsOut: true,
  leavesLoadsOut: true,
  reusesWeights: 'always',
  fillsPsum: 'Vector',
  copiesOn: 'lessBusy',
  descriptors: 'policy',
  withoutHardware: 'static',
};

/** The profile of `lib-one-tile`: GpSimd is busy 8.8 % of the time, which is what its fills take, so that it makes no descriptors. With those of
 *  hardware, at the documented 600 ns each, the loads of `lib-lhsT_rhs-58` alone would take half of its time before its last product. */
const BY_ITSELF = {
  triggersLoads: 'early',
  leavesFillsOut: false,
  leavesLoadsOut: false,
  fillsPsum: 'GpSimd',
  descriptors: 'static',
} as const;

const PIPELINE_RULES: Readonly<Record<CompiledPipeline, PipelineRules>> = {
  literal: LITERAL,
  // The same profile: TensorE idles 27.7 %, as long as VectorE copies (18.2 %) and GpSimd fills. With two tiles in turns it idles 12 %.
  // The author says that allocator and scheduler are on, and that the allocator rotates addresses (.claude/rules/learnings.md): not those in
  // PSUM, as this profile shows. How far the scheduler looks is what recordings of legacy kernels show.
  standalone: { ...LITERAL, ...BY_ITSELF, renames: ['sbuf'], takesTurns: true, window: 'legacyWindowInstructions' },
  // enable-linear-scan-allocation=false, enable-instruction-scheduling=false
  'backend-off': { ...LITERAL, ...BY_ITSELF, window: null },
  rewriting: { ...LITERAL, rewrites: true, reusesWeights: 'atOnce', triggersLoads: 'early', window: 'windowInstructions' },
};

/**
 * neuronx-cc 2.23 and 2.24 place tensors before they schedule, and split none whose tile in SBUF is overwritten: the logs of
 * compilations in KevGomes1403/nki-moe-megakernel at 6df2105, 9d1cb1d and 90da870 list the passes (`coloring_allocator_sb` before
 * `post_sched`, `Num_Splits: 0`). Its recording attn v6 has the order of instructions and PSUM banks that alternate, and it and moe v6b have
 * 108 and 178 MEMSETs, where their texts without the fills before products have 13 and 17.
 */
const EARLY: Partial<PipelineRules> = {
  leavesFillsOut: false,
  renames: ['psum'],
  window: 'earlyWindowInstructions',
  takesFirst: 'height',
  triggersLoads: 'scheduled',
};

/** What a pipeline does to this kernel: compilers before today's do some of it otherwise. */
export function rulesOf(pipeline: CompiledPipeline, { dialect, nkiVersion }: Program, policy: Policy): PipelineRules {
  const rules = PIPELINE_RULES[pipeline];
  if (pipeline !== 'literal') return rules;
  if (dialect === 'neuronxcc')
    return { ...rules, window: 'legacyWindowInstructions', triggersLoads: 'early', copiesOn: policy.legacyCopies.value };
  if (isEarlyNki(nkiVersion, policy)) return { ...rules, ...EARLY };
  const { renamedFills, literalFollows, recentDescriptors } = policy;
  const recent = { renamesFilled: renamedFills.value, follows: literalFollows.value, withoutHardware: recentDescriptors.value };
  // Summaries of profiles of lab-cte-hwdge-* (NKI 0.6) count an LDWEIGHTS for each MATMUL, where up to 16 in a row have the same weights.
  return { ...rules, ...recent, leavesFillsOut: false, reusesWeights: 'never' };
}

/** Whether a kernel is for an NKI after these. */
export const isRecentNki = ({ dialect, nkiVersion }: Program, policy: Policy) => dialect === 'nki' && !isEarlyNki(nkiVersion, policy);

/** Whether a kernel of today's dialect is for a version with such a compiler. @param nkiVersion absent: today's */
export function isEarlyNki(nkiVersion: string | undefined, { lastEarlyNki }: Pick<Policy, 'lastEarlyNki'>): boolean {
  return nkiVersion !== undefined && lastEarlyNki.value !== '' && compareVersions(nkiVersion, lastEarlyNki.value) <= 0;
}
