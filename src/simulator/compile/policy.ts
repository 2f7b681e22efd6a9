/**
 * The shape of a policy, as data. Every constant of the compiler (not of the machine), and every choice of an engine, is a setting here;
 * `neuronPolicy.ts` has the values that model the Neuron compiler. AWS publishes none of them.
 */
import type { Fact } from '../hardware/facts';
import type { Engine } from '../vocabulary/engines';
import type { DgeMode } from '../vocabulary/queues';
import type { Space } from '../vocabulary/spaces';

/** A fact about the compiler, with what it means. */
export interface Setting<Value = number> extends Fact<Value> {
  readonly meaning: string;
}

/**
 * How the address of a tensor is chosen.
 * - oldest: the space that was released first, so that buffers alternate
 * - apart: the same for small tensors; large ones packed at the end of the memory, so that small ones do not cut up their space
 * - buddy: as oldest; in PSUM at a multiple of its size, rounded up to a power of two, so that small tensors do not cut up a bank
 * - pack: the smallest gap that fits
 * - bySize: the largest tensor first, where nothing else is during its life (`allocation/greedyBySize.ts`); in PSUM as pack
 * - share: the smallest gap that fits, and also addresses of tensors that the kernel placed, before and after their uses
 * - byPartition: as bySize, and tensors of few partitions may share bytes in different partitions (`allocation/byPartition.ts`); in PSUM as pack
 */
export type Strategy = 'oldest' | 'apart' | 'buddy' | 'byLifetime' | 'pack' | 'bySize' | 'share' | 'byPartition';

/** How the tensors of a kernel are placed. */
export interface Placement {
  /** The first that fits is taken. */
  readonly strategies: readonly Strategy[];
  /** Of SBUF, that they may have. */
  readonly sbufShare: number;
}

/** When an instruction may follow the one of its engine whose result it reads, as the scheduler sees it: when that was issued, or when the result is there. */
export type Following = 'issue' | 'result';

/** Which of VectorE and ScalarE copies: the one with less to do so far in the order of the program, or the one that the scheduler finds free first. */
export type CopyEngine = 'lessBusy' | 'firstFree';

/** The engines that trigger loads and stores. */
export interface TriggeringEngines {
  readonly load: Engine;
  readonly store: Engine;
  /** From SBUF to SBUF. */
  readonly onChip: Engine;
}

/** Passes that a policy can leave out. */
export type PassName =
  | 'accumulated products'
  | 'constants first'
  | 'dead fills'
  | 'tile renaming'
  | 'tile splitting'
  | 'zero-fill elimination'
  | 'copied copies'
  | 'coalesced PSUM copies'
  | 'reads from PSUM'
  | 'loads by first use'
  | 'loop fusion'
  | 'copy propagation'
  | 'common subexpressions'
  | 'redundant-load elimination'
  | 'adjacent loads'
  | 'batching across iterations'
  | 'vectorization'
  | 'DMA coalescing'
  | 'list scheduling';

export interface Policy {
  // Passes
  readonly passes: Setting<readonly PassName[]>;
  readonly leftOutWhenFull: Setting<readonly (readonly PassName[])[]>;
  // Scheduling
  readonly windowInstructions: Setting;
  readonly legacyWindowInstructions: Setting;
  readonly earlyWindowInstructions: Setting;
  readonly literalWorkNs: Setting;
  readonly literalTriggers: Setting;
  readonly literalGroups: Setting;
  readonly legacyCopies: Setting<CopyEngine>;
  readonly literalFollows: Setting<Following>;
  readonly lastEarlyNki: Setting<string>;
  readonly nearShare: Setting;
  readonly farShare: Setting;
  readonly farInstructions: Setting;
  readonly consideredUnits: Setting;
  readonly movableTriggers: Setting<readonly Engine[]>;
  readonly loadLeadNs: Setting;
  // Rewriting
  readonly residentShare: Setting;
  readonly renamedFills: Setting<readonly Space[]>;
  readonly copyDistance: Setting;
  readonly vectorColumns: Setting;
  readonly generationsThatBatch: Setting<readonly string[]>;
  readonly batchedLowerings: Setting<readonly string[]>;
  readonly batchedTileBytes: Setting;
  readonly splitRowBytes: Setting;
  readonly leavesNearLoadsOut: Setting<boolean>;
  readonly wholeRowsShare: Setting;
  readonly batchedIterationBytes: Setting;
  readonly batchedPsumShare: Setting;
  readonly coalescedBytes: Setting;
  readonly coalescedRowBytes: Setting;
  readonly psumReaders: Setting<readonly Engine[]>;
  readonly spilledShares: Setting<readonly number[]>;
  readonly generationsThatOrderMatmuls: Setting<readonly string[]>;
  // Placement
  readonly strategies: Setting<readonly Strategy[]>;
  readonly lastStrategies: Setting<readonly Strategy[]>;
  readonly spilledSpaceShare: Setting;
  readonly loadWindowBytes: Setting;
  readonly loadWindowInstructionBytes: Setting;
  readonly placesInTurn: Setting;
  readonly largeShare: Setting;
  readonly sbufAlignmentBytes: Setting;
  // DMA
  readonly triggeringEngines: Setting<Readonly<Record<DgeMode, TriggeringEngines>>>;
  readonly scratchStoreEngine: Setting<Engine>;
  readonly argumentDescriptors: Setting<DgeMode>;
  readonly recentDescriptors: Setting<DgeMode>;
  readonly scratchDescriptors: Setting<DgeMode>;
  readonly staticRowBytes: Setting;
  readonly fillColumns: Setting;
}
