/**
 * What a NeuronCore generation consists of, as data: the shape of the files `neuroncoreV*.ts`.
 * `costModel.ts` reads it for instructions, `schedule/` for queues, semaphores, DMA and clocks.
 */

import type { ActivationFunction } from '../vocabulary/activationFunctions';
import type { Engine } from '../vocabulary/engines';
import type { InstructionSet } from '../vocabulary/generations';
import type { DgeMode } from '../vocabulary/queues';
import type { Fact } from './facts';

/** How an instruction's time depends on its operands. One rule per kind of instruction, not per kernel. */
export const COST_RULES = [
  'activation', // ScalarE with a function table
  'scalarCopy', // ScalarE copy or cast
  'vectorCopy', // VectorE copy, cast, memset
  'vectorReduce',
  'vectorTensorScalar',
  'vectorTensorScalarReduce',
  'vectorTensorTensor',
  'vectorScalarTensorTensor',
  'vectorReciprocal',
  'vectorTranspose',
  'vectorScan', // each element depends on the one before
  'vectorSelect', // predicates, ranges, dropout
  'vectorSearch', // max8 and searches for 8 values
  'vectorBnAggr',
  'vectorExponential', // v4
  'vectorQuantize', // v4
  'gpsimd', // GpSimd, any elementwise instruction
  'gpsimdPartitionReduce',
  'gpsimdGather', // elements: cycles that the indices take (`gatherIndexCycles`)
  'gpsimdTopK',
] as const;
export type CostRuleName = (typeof COST_RULES)[number];

export interface CostRule {
  /** Duration without the elements, operands in SBUF. */
  fixedNs: Fact;
  /** The same with an input in PSUM, when it differs. */
  fixedPsumNs?: Fact;
  /** Engine cycles per element of the free dimensions, at 1 element per lane. */
  cyclesPerElement: Fact;
  /** Start-to-start of independent instructions without the elements; what exceeds it is latency that overlaps. */
  issueNs: Fact;
  /** The same with an input in PSUM, when it differs. */
  issuePsumNs?: Fact;
  /** Cycles per element of the issue interval with an input in PSUM, when they differ from those of the duration. */
  issueCyclesPerPsumElement?: Fact;
  /** The same with a result in PSUM, where that was measured. */
  issueIntoPsumNs?: Fact;
  /** Elements per lane and cycle by operand class; absent: 1. */
  speedup?: Partial<Record<SpeedClass, Fact>>;
}

/**
 * Classes of operands with a rate of their own (VectorE performance modes).
 * sbuf16: 16-bit or narrower, all in SBUF, unit stride; sbuf32: the same with 32-bit; wide16: 16-bit with one side in PSUM
 * or strided; psum32: 32-bit with one side in PSUM.
 */
export type SpeedClass = 'sbuf16' | 'sbuf32' | 'wide16' | 'psum32';

export interface TensorEngine {
  /** Rows of the moving tile that enter per cycle, by dtype width: passes over the tile. */
  passes: Readonly<Record<'fp32' | 'bf16' | 'fp8', Fact>>;
  /** A factor of the cycles per column of a moving tile whose innermost stride is long; several passes hide it. */
  longStridePasses: Fact;
  /** MATMUL instructions one fp32 nc_matmul becomes (LOW and HIGH halves of the weights). */
  fp32Instructions: Fact;
  /** The same for an fp32 transpose: 1 where the array has a mode for it. */
  fp32TransposeInstructions: Fact;
  /** Moving columns whose time a MATMUL takes at least, at full clock: a slower clock does not make it longer. */
  minColumns: Fact;
  /** From the last row in to the result written: duration minus streaming. */
  fillNs: Fact;
  /** The same at half clock. */
  fillSlowNs: Fact;
  /** LDWEIGHTS: rows shifted in per cycle. */
  loadRowsPerCycle: Readonly<Record<'fp32' | 'fp32Transpose' | 'bf16', Fact>>;
  /** LDWEIGHTS of 16 bits and less: each word of SBUF that has elements of a partition takes so long at least, at any clock. */
  weightsWordNs: Fact;
  weightsWordBytes: Fact;
  /** Between a MATMUL and the next LDWEIGHTS where loading takes longer than multiplying, at full clock. */
  weightsGapNs: Fact;
  /** LDWEIGHTS: duration as profiles print it, beyond shifting the rows in. */
  loadFixedNs: Fact;
  /** Products in different tiles of the array (`tile_position`) run at the same time. */
  tilesAtOnce: Fact<boolean>;
  /** The next weights are loaded while the running MATMUL still streams. */
  hidesLoads: Fact<boolean>;
  /** PE clock gating; absent: always at full clock. */
  clock?: TensorClock;
}

/** The PE array runs at half rate until a window of time was dense, and falls back after a sparse one. */
export interface TensorClock {
  windowNs: Fact;
  /** Busy fraction of a window from which the next one runs at full clock. */
  raiseAbove: Fact;
  /** Busy fraction below which the next one runs at half clock. */
  dropBelow: Fact;
  /** Time of a cycle at low clock over that at full clock. */
  slowdown: Fact;
}

/** How the descriptors of a DMA come to be. */
export interface DmaTrigger {
  /** Before the trigger itself: the engine's software writes the descriptors. Profiles print the instruction after it. */
  leadNs: Fact;
  /** Time that a trigger takes of its engine's sequencer: start to start of triggers. */
  issueNs: Fact;
  /** More for every packet whose descriptor is written one by one. */
  issuePerPacketNs: Fact;
  /** The triggering instruction as profiles print it. */
  durationNs: Fact;
  /** From the trigger's start to the first packet on the first DMA engine, for a transfer out of HBM. */
  latencyNs: Fact;
}

/** Start to start of triggers of this many packets. */
export const triggerIssueNs = ({ issueNs, issuePerPacketNs }: DmaTrigger, packets: number) =>
  issueNs.value + packets * issuePerPacketNs.value;

/** From the start of descriptor generation to the first packet of a transfer; 0 where the machine has no such trigger. */
export function triggerLatencyNs({ triggers, storeSoonerNs }: DmaMachine, mode: DgeMode, readsHbm: boolean): number {
  const trigger = triggers[mode];
  return trigger ? trigger.leadNs.value + trigger.latencyNs.value - (readsHbm ? 0 : storeSoonerNs.value) : 0;
}

/** The least time in which the DMA engines of so many cores together read so many bytes from HBM and write so many to it, ns. */
export function hbmMovingNs(
  { dma, logicalCore }: Pick<Machine, 'dma' | 'logicalCore'>,
  readBytes: number,
  writeBytes: number,
  cores = 1,
): number {
  const together = dma.engineBytesPerNs.value * dma.engines.value;
  const most = cores > 1 && logicalCore ? logicalCore.hbmBytesPerNs.value : Number.POSITIVE_INFINITY;
  const rate = (limit: number) => Math.min(most, cores * Math.min(together, limit));
  return readBytes / rate(dma.hbmReadBytesPerNs.value) + writeBytes / rate(dma.writeBytesPerNs.value);
}

/** Engines reach so many partitions only from multiples of the result on (aws-neuron-sdk nki/guides/architecture/trainium_inferentia2_arch.rst, data access). */
export function startPartitionGrain(
  { partitions, quadrantPartitions }: Pick<Machine, 'partitions' | 'quadrantPartitions'>,
  count: number,
): number {
  const [most, quadrant] = [partitions.value, quadrantPartitions.value];
  if (count > most / 2) return most;
  return count > quadrant ? most / 2 : quadrant;
}

/** Time that each DMA engine of a transfer needs to write its semaphore. */
export const semaphoreWriteNs = ({ dma }: { dma: DmaMachine }) =>
  dma.packetNs.value + dma.semaphoreBytes.value / dma.engineBytesPerNs.value;

/** Time from the last packet of a DMA until it is written. @param sameBurst share of its packets that wait for the one before, 0 to 1 */
export const writtenNs = ({ sameBurstLatencyNs }: DmaMachine, sameBurst: number) => sameBurst * (sameBurstLatencyNs?.value ?? 0);

export interface DmaMachine {
  engines: Fact;
  partitionsPerEngine: Fact;
  /** A queue has this many semaphores. A later DMA takes that of an earlier one, and is triggered only when the earlier one has completed. */
  queueSemaphores: Fact;
  /** A packet moves at most this of a partition. */
  maxPacketBytes: Fact;
  /** Neighbouring partitions of which one packet moves a piece each, if the rows are contiguous. */
  packetPartitions: Fact;
  /** Engine time of a packet beyond its bytes. */
  packetNs: Fact;
  /** Time that HBM needs to find a run that is read, whichever DMA engine reads it: engines that read at once, of all cores that share it, share this. */
  hbmRunNs: Fact;
  /** The least time of a packet that is read and written on the chip. */
  chipPacketNs: Fact;
  /** The least time of a row that an index names in HBM, on the DMA engine that reads it. */
  indexedRowNs: Fact;
  /** HBM is written in bursts of this size. */
  hbmBurstBytes: Fact;
  /** A run that is shorter than a burst waits this long for the run before it, if both lie in one burst. */
  sameBurstNs: Fact;
  /** The last packet of a DMA of such runs is written this much later, or a share of it if a share waits. Absent: at once, as that of others. */
  sameBurstLatencyNs?: Fact;
  /** One engine alone. */
  engineBytesPerNs: Fact;
  /** All engines that work together, of which this one reads HBM. */
  hbmReadBytesPerNs: Fact;
  /** The same where a profiler records the packets. Absent: as without it. */
  recordedReadBytesPerNs?: Fact;
  /** All engines that work together, of which this one reads SBUF or PSUM. */
  writeBytesPerNs: Fact;
  /**
   * Rate of transposes out of HBM and out of SBUF, and of elements of more than two bytes (`words`), as a fraction of the copying rate.
   * Absent: the engines cannot transpose, and move elements one by one.
   */
  transposeSpeed?: Readonly<Record<'hbm' | 'sbuf' | 'words', Fact>>;
  /** The first packet an idle engine reads from HBM takes this longer: the memory's latency. */
  hbmReadNs: Fact;
  /** The first packet of a transfer that does not read HBM starts this much sooner after its trigger. */
  storeSoonerNs: Fact;
  /** Descriptors reach the engines one after another: from one engine to the next. */
  engineSkewNs: Fact;
  /** Last packet to semaphore visible; where engines wait for acknowledgements, from there on. */
  completionNs: Fact;
  /** How an engine writes the semaphores of its transfers while it moves the next; absent: each is written at once. */
  completions?: CompletionLimits;
  /**
   * Last packet to the memory's acknowledgement, by what was written: an engine waits for it before it writes the semaphore, and begins the
   * queue's next transfer after that. Absent: neither waits.
   */
  acknowledgeNs?: Readonly<Record<'hbm' | 'sbuf', Fact>>;
  semaphoreBytes: Fact;
  /** Packets that an engine serves from one queue before it serves the next one that waits. */
  turnPackets: Fact;
  triggers: Partial<Readonly<Record<DgeMode, DmaTrigger>>>;
}

export interface CompletionLimits {
  /** From one semaphore that an engine writes to the next. */
  betweenNs: Fact;
  /** Semaphores that an engine has written and that are not acknowledged: one with so many does not end the next transfer. */
  unacknowledged: Fact;
}

/** Facts about the two physical cores of a logical one (LNC2). Each has its own DMA engines. */
export interface LogicalCore {
  /** Rate of the stack of HBM that both cores share. */
  hbmBytesPerNs: Fact;
  /** A semaphore that a core writes to the other one: from the write to the start of the waiting instruction. */
  semaphoreNs: Fact;
}

/** Engines that take turns at a memory. */
export interface SharedPort {
  memory: 'sbuf' | 'psum';
  engines: readonly [Engine, Engine];
}

/** Features that kernels can use and that not all generations have. The front end refuses calls that need a missing feature. */
export interface Features {
  /** nc_matmul with perf_mode=double_row. */
  doubleRowMatmul: Fact<boolean>;
  /** nc_matmul of float8_e4m3fn. */
  float8E4m3fnMatmul: Fact<boolean>;
  /** A number as bias of an activation; a bias of a reciprocal; reductions of an activation by more than addition. */
  activationNumberBias: Fact<boolean>;
  activationReciprocalBias: Fact<boolean>;
  activationReductions: Fact<boolean>;
  /** tensor_scalar on ScalarE with any pair of operations. */
  scalarAllOperations: Fact<boolean>;
  /** abs_max, abs_min, square and relu as operations of tensor_scalar. */
  tensorScalarUnaryOperations: Fact<boolean>;
  /** dma_transpose of a source that indices address. */
  indirectDmaTranspose: Fact<boolean>;
  /** Priorities of DMAs. */
  dmaPriority: Fact<boolean>;
}
export type FeatureName = keyof Features;

/** Sizes that rows and constraints of the instruction table name, instead of a number. */
export type SizeName = 'bnStatsColumns' | 'gpsimdPartitions' | 'quadrantPartitions';

export interface Machine {
  /** Its name in messages, after `NeuronCore-`: `v3`. */
  generation: string;
  /** The target, as `--target` spells it: `trn2`. */
  instanceType: string;
  /** The name for pages: `Trn2`. */
  product: string;
  /** Further spellings of the target, in lower case. */
  aliases: readonly string[];
  /** The key of its guide in sources. Statements of the guide hold for this generation only. */
  guide: string;
  /** The first sentence of a profile's accuracy statement. `namesAssumed`: the statement also lists the instructions with assumed times. */
  accuracyBasis: { sentence: string; namesAssumed: boolean };
  /** It has the instructions of the table that name this set. A generation without new instructions has the set of its predecessor. */
  instructionSet: InstructionSet;
  features: Features;
  clockGhz: Readonly<Record<Engine, Fact>>;
  /** Clock the profiler counts cycles of the NeuronCore in. */
  baseClockGhz: Fact;
  /** Dense bf16, one core. */
  peakFlops: Fact;
  hbmBytesPerSecond: Fact;
  dmaBytesPerSecond: Fact;
  partitions: Fact;
  /** For tensors. */
  sbufBytesPerPartition: Fact;
  /** What the compiler keeps of a partition besides: for descriptors that a running kernel makes. */
  sbufReservedBytesPerPartition: Fact;
  psumBytesPerPartition: Fact;
  psumBankBytes: Fact;
  /** Addresses that a kernel or the compiler gives to tensors are multiples of these. */
  sbufMinAlignmentBytes: Fact;
  psumAlignmentBytes: Fact;
  /** In the addresses that profiles print: the distance of two partitions, and the start of PSUM. */
  addressPartitionBytes: Fact;
  addressPsumBytes: Fact;
  /** VectorE transposes square blocks of this size. */
  vectorTransposeSize: Fact;
  /** Largest tile of one MATMUL; columns of the moving one with a result in fp32. */
  maxStationaryColumns: Fact;
  maxMovingColumns: Fact;
  /** gemm_moving_fmax of nl.tile_size: columns in fp32 of one bank. */
  gemmMovingColumns: Fact;
  /** Sides of the parts into which the PE array can be divided. */
  arrayTileSizes: Fact<readonly number[]>;
  /** Elements per partition of one bn_stats. */
  bnStatsColumns: Fact;
  /** Partitions of one GpSimd core, and of a quadrant, within which VectorE moves data between partitions. */
  gpsimdPartitions: Fact;
  quadrantPartitions: Fact;
  /** Rows of a transpose by the DMA engines with hardware descriptors; elements per partition of any. */
  dmaTransposeRows: Fact;
  dmaTransposeColumns: Fact;
  /** Least engine cycles between two instructions of Vector, Scalar and GpSimd. */
  minIssueCycles: Fact;
  /** GpSimd: cycles of a gather per index, beyond one per element that it names. */
  gatherIndexCycles: Fact;
  /** SBUF and PSUM are slower for access patterns whose innermost stride exceeds this. */
  longStrideBytes: Fact;
  /** Least engine cycles per element that is read with such a stride, or written where `longStrideWriteNs` is absent. */
  longStrideCycles: Fact;
  /** Per element that is written with such a stride: of 4 bytes, and of fewer. */
  longStrideWriteNs?: { word: Fact; partOfWord: Fact };
  /** Narrowest elements for VectorE's 16-bit modes. Narrower elements have the rate of 32 bits. */
  fastElementBytes: Fact;
  /** Least engine cycles of a copy whose address is read from SBUF. */
  minDynamicIssueCycles: Fact;
  rules: Readonly<Record<CostRuleName, CostRule>>;
  tensor: TensorEngine;
  /** The engine that the compiler gives copies out of PSUM to; absent: of VectorE and ScalarE the one with less to do. */
  drainsPsum?: Fact<Engine>;
  /** What an ACTIVATE takes longer whose scale is in SBUF, to its end and to the next start. Absent: that was not measured. */
  scaleRead?: { durationNs: Fact; issueNs: Fact };
  /** The functions of each of ScalarE's tables. A function in no table needs none. */
  activationTables: Fact<Readonly<Record<string, readonly ActivationFunction[]>>>;
  activationTableLoadNs: Fact;
  /** Producer's end to consumer's start, `Producer->Consumer`; `default` for pairs without a measurement. */
  semaphoreNs: Readonly<Record<string, Fact>>;
  /** EVENT_SEMAPHORE, an instruction of its own for every semaphore beyond the first that an instruction waits for. */
  semaphoreInstruction: { issueNs: Fact; durationNs: Fact };
  /** Instructions of a sequencer on its registers, start to start of the next: those that load or store one from memory, and all others. */
  registers: {
    memoryNs: Fact;
    operationNs: Fact;
    /** Of a hardware loop: from the end of all that a turn does to the first instruction of the next. */
    turnNs: Fact;
  };
  /** DMA semaphore visible to the waiting engine's start. */
  dmaSemaphoreNs: Readonly<Partial<Record<Engine, Fact>> & { default: Fact }>;
  sharedPorts: Fact<readonly SharedPort[]>;
  dma: DmaMachine;
  /** Absent: it has no logical cores. */
  logicalCore?: LogicalCore;
  /** Profile start to first DMA trigger. */
  preambleNs: Fact;
  /** Last payload to profile end. */
  postambleNs: Fact;
  /** The latency that nki.benchmark prints, minus the body. */
  nclOverheadNs: Fact;
  /** Of kernels of the new dialect, which run on newer runtimes: what differs. Absent: nothing is known to. */
  newRuntime?: RecentRuntime;
  /** Of kernels for a recent NKI: what a trigger takes whose descriptors GpSimd writes (`DmaTrigger`). Absent: what it took before. */
  recentSoftwareTrigger?: Pick<DmaTrigger, 'issueNs' | 'issuePerPacketNs'>;
}

/** Around the body with the software of 2026, as `Machine` has it with software before. */
export interface RecentRuntime {
  preambleNs: Fact;
  nclOverheadNs: Fact;
  /** What an execution takes in a trace of the runtime (`nc_exec_running`), minus the body. */
  traceOverheadNs: Fact;
}

/** The machine as kernels for a recent NKI find it. */
export function withRecentNki(machine: Machine): Machine {
  const { recentSoftwareTrigger, dma } = machine;
  const { software } = dma.triggers;
  if (!recentSoftwareTrigger || !software) return machine;
  return { ...machine, dma: { ...dma, triggers: { ...dma.triggers, software: { ...software, ...recentSoftwareTrigger } } } };
}

/** What a run takes before, after and around its body, ns. */
export function aroundBody(machine: Machine, isOlder: boolean) {
  const { preambleNs, nclOverheadNs } = isOlder ? machine : (machine.newRuntime ?? machine);
  return { preambleNs: preambleNs.value, postambleNs: machine.postambleNs.value, nclOverheadNs: nclOverheadNs.value };
}
