/**
 * The summary metrics: THE table of name -> unit, group, definition and how it is computed. Names, units and groups are
 * Neuron Profiler's (`*_percent` are fractions 0..1, times are seconds, a multiply-accumulate is 2 FLOPs), so that scripts
 * written for its summary-json read ours.
 *
 * What a profile cannot know is not in the table rather than 0: the bytes of input, output and weight queues (a kernel alone has
 * none), throttling by the board, compiler and runtime versions.
 */

import { TOPOLOGIES } from '../hardware/network';
import type { Engine } from '../vocabulary/engines';
import { isActivate } from './opcodes';
import type { DmaGroup, ProfileTotals, Tally } from './totals';

export type MetricUnit = 'seconds' | 'fraction' | 'bytes' | 'FLOPs' | 'FLOPs/byte' | 'cycles' | 'count' | 'text';

export interface Metric {
  unit: MetricUnit;
  /** Group in Neuron Profiler's summary. */
  group: string;
  definition: string;
  /** null: this profile does not know. */
  compute(f: ProfileTotals): number | string | null;
}

const S_PER_NS = 1e-9;
const totalNs = (f: ProfileTotals) => f.profile.totalTimeNs;
const machine = (f: ProfileTotals) => f.profile.machine;
const hbmBytes = (f: ProfileTotals) => (f.hbmReadBytes === null || f.hbmWriteBytes === null ? null : f.hbmReadBytes + f.hbmWriteBytes);
const usefulFlops = (f: ProfileTotals) => f.hardwareFlops - f.transposeFlops;
/** null instead of a division by nothing. */
const ratio = (a: number | null, b: number | null) => (a !== null && b !== null && b > 0 ? a / b : null);
const ofTotal = (ns: number, f: ProfileTotals) => ratio(ns, totalNs(f));
/** A capture of a logical core counts the peaks of all its physical cores. */
const ofPeak = (flops: number, f: ProfileTotals) => ratio(flops, machine(f).peakFlops * (machine(f).cores ?? 1) * totalNs(f) * S_PER_NS);
const traceCount = (f: ProfileTotals) => f.profile.instructions.startNs.length + f.dma.packets + f.semaphoreUpdates;
const cycles = (ns: number, f: ProfileTotals) => Math.floor(ns * machine(f).baseClockGhz);

/** FLOPs of matmuls per byte of HBM traffic; as recorded for a capture whose DMAs do not say where they go. */
export function arithmeticIntensity(f: ProfileTotals): number | null {
  const recorded = f.profile.recorded?.summary.mm_arithmetic_intensity;
  return ratio(usefulFlops(f), hbmBytes(f)) ?? (typeof recorded === 'number' ? recorded : null);
}
/** FLOPs per byte at which the machine's peaks meet. */
export const machineBalance = (f: ProfileTotals) => ratio(machine(f).peakFlops, machine(f).hbmBytesPerSecond);

/** The balance is one physical core's, what could be reached is all cores' (checked against four captures of two). */
function reachableMfu(f: ProfileTotals): number | null {
  const reachable = ratio(arithmeticIntensity(f), ratio(machine(f).peakFlops * (machine(f).cores ?? 1), machine(f).hbmBytesPerSecond));
  return reachable === null ? null : Math.min(1, reachable);
}

const metric = (group: string, unit: MetricUnit, definition: string, compute: Metric['compute']): Metric => ({
  unit,
  group,
  definition,
  compute,
});

const OVERALL: Record<string, Metric> = {
  total_time: metric(
    'overall_stats',
    'seconds',
    'From the start of the profile to its end, start-up and gaps included.',
    f => totalNs(f) * S_PER_NS,
  ),
  total_exec_time: metric(
    'overall_stats',
    'seconds',
    'From the first instruction or DMA that is not start-up to the end of the last one that is not tear-down.',
    f => f.execNs * S_PER_NS,
  ),
  total_active_time: metric(
    'overall_stats',
    'seconds',
    'Time at which at least one engine or DMA was busy.',
    f => f.totalActiveNs * S_PER_NS,
  ),
  total_active_time_percent: metric('overall_stats', 'fraction', 'total_active_time / total_time.', f => ofTotal(f.totalActiveNs, f)),
  neuroncore_cycle_count: metric('overall_stats', 'cycles', 'total_time in cycles of the base clock.', f => cycles(totalNs(f), f)),
  model_flops: metric('overall_stats', 'FLOPs', 'FLOPs of the framework graph: 0, a kernel alone has no graph.', () => 0),
  hardware_flops: metric('overall_stats', 'FLOPs', 'FLOPs of all matmuls that ran, transposes included.', f => f.hardwareFlops),
  transpose_flops: metric('overall_stats', 'FLOPs', 'The part of hardware_flops that only transposed data.', f => f.transposeFlops),
  adjusted_hardware_flops: metric(
    'overall_stats',
    'FLOPs',
    'hardware_flops in units of bf16 FLOPs: fp32 counts 4, fp8 counts 0.5 (1 on Trn1).',
    f => f.traffic.adjustedFlops,
  ),
  adjusted_transpose_flops: metric(
    'overall_stats',
    'FLOPs',
    'transpose_flops in units of bf16 FLOPs.',
    f => f.traffic.adjustedTransposeFlops,
  ),
  mm_arithmetic_intensity: metric(
    'overall_stats',
    'FLOPs/byte',
    '(hardware_flops - transpose_flops) / (hbm_read_bytes + hbm_write_bytes).',
    arithmeticIntensity,
  ),
  peak_flops_bandwidth_ratio: metric(
    'overall_stats',
    'FLOPs/byte',
    'Peak FLOP/s of the Tensor engine for bf16 / peak HBM bandwidth. Neither says what bounds a kernel: its dtypes and DMA engines reach less.',
    machineBalance,
  ),
  event_count: metric('overall_stats', 'count', 'Semaphore updates.', f => f.semaphoreUpdates),
  trace_count: metric('overall_stats', 'count', 'Instructions, DMA packets and semaphore updates together.', traceCount),
};

const TENSOR: Record<string, Metric> = {
  hfu_estimated_percent: metric('tensor_engine', 'fraction', 'hardware_flops / (peak FLOP/s x total_time).', f =>
    ofPeak(f.hardwareFlops, f),
  ),
  mfu_estimated_percent: metric('tensor_engine', 'fraction', 'For a kernel alone the same as mfu_inst_estimated_percent.', f =>
    ofPeak(usefulFlops(f), f),
  ),
  mfu_inst_estimated_percent: metric('tensor_engine', 'fraction', '(hardware_flops - transpose_flops) / (peak FLOP/s x total_time).', f =>
    ofPeak(usefulFlops(f), f),
  ),
  mfu_inst_max_achievable_estimated_percent: metric(
    'tensor_engine',
    'fraction',
    'Best mfu_inst at this HBM traffic: mm_arithmetic_intensity / (peak_flops_bandwidth_ratio x physical cores), at most 1.',
    reachableMfu,
  ),
  mfu_max_achievable_estimated_percent: metric(
    'tensor_engine',
    'fraction',
    'For a kernel alone the same as mfu_inst_max_achievable_estimated_percent.',
    reachableMfu,
  ),
  mfu_hlo_estimated_percent: metric(
    'tensor_engine',
    'fraction',
    'By the FLOPs of the framework graph: 0, a kernel alone has no graph.',
    () => 0,
  ),
  mfu_hlo_max_achievable_estimated_percent: metric(
    'tensor_engine',
    'fraction',
    'By the FLOPs of the framework graph: 0, a kernel alone has no graph.',
    () => 0,
  ),
  matmul_instruction_count: metric('tensor_engine', 'count', 'MATMUL instructions.', f => tally(f, name => name === 'MATMUL').count),
};

const SCALAR: Record<string, Metric> = {
  activate_instruction_count: metric('scalar_engine', 'count', 'ACTIVATE instructions of every kind.', f => tally(f, isActivate).count),
  activate_instruction_time: metric(
    'scalar_engine',
    'seconds',
    'Durations of ACTIVATE instructions, added up.',
    f => tally(f, isActivate).sumNs * S_PER_NS,
  ),
};

const MOVEMENT: Record<string, Metric> = {
  hbm_read_bytes: metric('data_movement', 'bytes', 'Bytes that DMA read from HBM.', f => f.hbmReadBytes),
  hbm_write_bytes: metric('data_movement', 'bytes', 'Bytes that DMA wrote to HBM.', f => f.hbmWriteBytes),
  sbuf_read_bytes: metric(
    'data_movement',
    'bytes',
    'Bytes read from SBUF, as Neuron Profiler counts them: all bytes of DMA, bytes of one partition of instructions.',
    f => f.traffic.sbufRead,
  ),
  sbuf_write_bytes: metric(
    'data_movement',
    'bytes',
    'Bytes written to SBUF: all bytes of DMA, bytes of one partition of instructions.',
    f => f.traffic.sbufWrite,
  ),
  psum_read_bytes: metric('data_movement', 'bytes', 'Bytes of one partition that instructions read from PSUM.', f => f.traffic.psumRead),
  psum_write_bytes: metric('data_movement', 'bytes', 'Bytes of one partition that instructions wrote to PSUM.', f => f.traffic.psumWrite),
  psum_read_sbuf_write_count: metric(
    'data_movement',
    'count',
    'Instructions that read PSUM and write SBUF.',
    f => f.traffic.psumToSbufCount,
  ),
  psum_read_sbuf_write_bytes: metric(
    'data_movement',
    'bytes',
    'Bytes of one partition that such instructions wrote to SBUF.',
    f => f.traffic.psumToSbufBytes,
  ),
  spill_save_bytes: metric(
    'data_movement',
    'bytes',
    'Bytes of intermediate tensors that did not fit in SBUF and were saved to HBM.',
    f => f.traffic.spillSaveBytes,
  ),
  spill_reload_bytes: metric('data_movement', 'bytes', 'Bytes of spilled tensors that were loaded back.', f => f.traffic.spillReloadBytes),
  mbu_estimated_percent: metric('data_movement', 'fraction', 'HBM bytes / (peak HBM bandwidth x total_time).', f =>
    ofBandwidth(hbmBytes(f), f),
  ),
  mbu_min_read_util_percent: metric(
    'data_movement',
    'fraction',
    'mbu if every input were read exactly once: inputs_and_weights_size_bytes / (peak HBM bandwidth x total_time).',
    f => (f.inputBytes === null ? null : ofBandwidth(f.inputBytes, f)),
  ),
  inputs_and_weights_size_bytes: metric('data_movement', 'bytes', 'Size of all input tensors.', f => f.inputBytes),
  inputs_outputs_weights_size_bytes: metric(
    'data_movement',
    'bytes',
    'Size of all input and output tensors: the HBM traffic that cannot be avoided.',
    f => (f.inputBytes === null || f.outputBytes === null ? null : f.inputBytes + f.outputBytes),
  ),
  dma_active_time: metric('data_movement', 'seconds', 'Time at which at least one DMA engine moved data.', f => f.dma.activeNs * S_PER_NS),
  dma_active_time_percent: metric('data_movement', 'fraction', 'dma_active_time / total_time.', f => ofTotal(f.dma.activeNs, f)),
  dma_active_cycles: metric('data_movement', 'cycles', 'dma_active_time in cycles of the base clock.', f => cycles(f.dma.activeNs, f)),
  dma_packet_time: metric('data_movement', 'seconds', 'Busy time of the DMA engines, added up.', f => f.dma.sliceNs * S_PER_NS),
  dma_transfer_time: metric('data_movement', 'seconds', 'Durations of all transfers, added up.', f => f.dma.sumNs * S_PER_NS),
  dma_transfer_count: metric('data_movement', 'count', 'DMA transfers, however many packets each.', f => f.dma.count),
  dma_transfer_total_bytes: metric('data_movement', 'bytes', 'Bytes of all transfers.', f => f.dma.bytes),
  dma_transfer_average_bytes: metric('data_movement', 'bytes', 'Bytes of a transfer on average.', f => ratio(f.dma.bytes, f.dma.count)),
  dma_queue_count: metric('data_movement', 'count', 'DMA queues that the kernel uses.', f => f.dma.queues),
};

const SYSTEM: Record<string, Metric> = {
  instance_type: metric('system', 'text', 'The machine that was simulated.', f => machine(f).instanceType),
  nd_idx: metric(
    'system',
    'count',
    'Of a rank: the chip that it runs on, in the order of its topology.',
    f => placeOfRank(f)?.chip ?? null,
  ),
  nc_idx: metric('system', 'count', 'Of a rank: its first physical core on that chip.', f => placeOfRank(f)?.core ?? null),
};

/** Ranks fill the chips one after the other. Null for a run on one rank. */
function placeOfRank({ profile: { rank, machine: of } }: ProfileTotals): { chip: number; core: number } | null {
  const topology = rank && TOPOLOGIES.find(({ name }) => name === rank.topology);
  if (!topology) return null;
  const core = rank.rank * (of.cores ?? 1);
  return { chip: Math.floor(core / topology.coresPerChip.value), core: core % topology.coresPerChip.value };
}

/** Metrics that the events of a capture do not give. The capture's own metrics are kept. */
const ofCollectives = (unit: MetricUnit, definition: string, value: (f: ProfileTotals) => number | null) =>
  metric('cc_engine', unit, definition, f => (f.profile.simulated ? value(f) : null));

const COLLECTIVE_OPERATIONS: Record<string, Metric> = {
  cc_op_count: ofCollectives('count', 'Collective operations.', f => f.collectives.count),
  cc_op_time: ofCollectives('seconds', 'Durations of collective operations, added up.', f => f.collectives.sumNs * S_PER_NS),
  cc_op_active_time: ofCollectives(
    'seconds',
    'Time at which at least one collective operation ran.',
    f => f.collectives.activeNs * S_PER_NS,
  ),
  cc_op_active_time_percent: ofCollectives('fraction', 'cc_op_active_time / total_time.', f => ofTotal(f.collectives.activeNs, f)),
};

/** The DMA engines of the core move what is modelled here; captures of kernels that run alone report the same zeros. */
const COLLECTIVE_CORES: Record<string, Metric> = Object.fromEntries(
  (
    [
      ['cc_cores_instruction_count', 'count', 'Instructions of the collective-communication cores.'],
      ['cc_cores_instruction_time', 'seconds', 'Durations of their instructions, added up.'],
      ['cc_cores_instruction_active_time', 'seconds', 'Time at which at least one of these cores ran an instruction.'],
      ['cc_cores_instruction_active_time_percent', 'fraction', 'cc_cores_instruction_active_time / total_time.'],
    ] as const
  ).map(([name, unit, definition]) => [name, ofCollectives(unit, definition, () => 0)]),
);

const CLASS_WORDS: Record<DmaGroup, string> = {
  dynamic: 'whose descriptors are made while the kernel runs, by GpSimd or by hardware,',
  static: 'whose descriptors were made before the kernel ran',
  software_dynamic: 'whose descriptors GpSimd writes while the kernel runs',
  hardware_dynamic: 'whose descriptors hardware makes while the kernel runs',
};

/** Printed in this order. */
export const METRICS: Readonly<Record<string, Metric>> = {
  ...OVERALL,
  ...engineMetrics('Tensor'),
  ...TENSOR,
  ...engineMetrics('Vector'),
  ...engineMetrics('Scalar'),
  ...SCALAR,
  ...engineMetrics('GpSimd'),
  ...engineMetrics('Sync'),
  ...MOVEMENT,
  ...dmaMetrics('static'),
  ...sharesOnly(dmaMetrics('dynamic')),
  ...dmaMetrics('software_dynamic'),
  ...dmaMetrics('hardware_dynamic'),
  ...COLLECTIVE_OPERATIONS,
  ...COLLECTIVE_CORES,
  ...SYSTEM,
};

function engineMetrics(engine: Engine): Record<string, Metric> {
  const group = `${engine.toLowerCase()}_engine`;
  return {
    [`${group}_instruction_count`]: metric(group, 'count', `Instructions of the ${engine} engine.`, f => f.engines[engine].count),
    [`${group}_instruction_time`]: metric(
      group,
      'seconds',
      `Durations of the ${engine} engine's instructions, added up.`,
      f => f.engines[engine].sumNs * S_PER_NS,
    ),
    [`${group}_active_time`]: metric(
      group,
      'seconds',
      `Time at which the ${engine} engine ran at least one instruction; waiting does not count.`,
      f => f.engines[engine].activeNs * S_PER_NS,
    ),
    [`${group}_active_time_percent`]: metric(group, 'fraction', `${group}_active_time / total_time.`, f =>
      ofTotal(f.engines[engine].activeNs, f),
    ),
  };
}

function dmaMetrics(name: DmaGroup): Record<string, Metric> {
  const of = (f: ProfileTotals) => f.dmaClasses[name];
  const group = name === 'static' || name === 'dynamic' ? 'data_movement' : `${name.split('_')[0]}_data_movement`;
  const which = CLASS_WORDS[name];
  return {
    [`${name}_dma_active_time`]: metric(group, 'seconds', `Time at which DMA ${which} moved data.`, f => of(f).activeNs * S_PER_NS),
    [`${name}_dma_active_time_percent`]: metric(group, 'fraction', `${name}_dma_active_time / dma_active_time.`, f =>
      ratio(of(f).activeNs, f.dma.activeNs),
    ),
    [`${name}_dma_packet_count`]: metric(group, 'count', `Packets of DMA ${which}.`, f => of(f).packets),
    [`${name}_dma_packet_percent`]: metric(group, 'fraction', `${name}_dma_packet_count / all packets.`, f =>
      ratio(of(f).packets, f.dma.packets),
    ),
    [`${name}_dma_size`]: metric(group, 'bytes', `Bytes of DMA ${which}.`, f => of(f).bytes),
    [`${name}_dma_size_percent`]: metric(group, 'fraction', `${name}_dma_size / all DMA bytes.`, f => ratio(of(f).bytes, f.dma.bytes)),
  };
}

/** Neuron Profiler reports only shares for both dynamic classes together. */
function sharesOnly(metrics: Record<string, Metric>): Record<string, Metric> {
  return Object.fromEntries(Object.entries(metrics).filter(([name]) => name.endsWith('_percent')));
}

const ofBandwidth = (bytes: number | null, f: ProfileTotals) => ratio(bytes, machine(f).hbmBytesPerSecond * totalNs(f) * S_PER_NS);

function tally(f: ProfileTotals, wanted: (opcode: string) => boolean): Tally {
  const sum: Tally = { count: 0, sumNs: 0 };
  for (const [opcode, { count, sumNs }] of f.opcodes) {
    if (!wanted(opcode)) continue;
    sum.count += count;
    sum.sumNs += sumNs;
  }
  return sum;
}
