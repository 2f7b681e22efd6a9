/**
 * The summary metrics: THE table of name -> unit, group, definition and how it is computed. Names, units and groups are
 * Neuron Profiler's (`*_percent` are fractions 0..1, times are seconds, a multiply-accumulate is 2 FLOPs), so that scripts
 * written for its summary-json read ours.
 *
 * What a profile cannot know is not in the table rather than 0: SBUF and PSUM traffic of engines, spills, collectives,
 * throttling, compiler and runtime versions.
 */
import { DMA_CLASSES, type DmaClass, type Facts, type SummaryEngine, type Tally } from './facts';

export type MetricUnit = 'seconds' | 'fraction' | 'bytes' | 'FLOPs' | 'FLOPs/byte' | 'cycles' | 'count' | 'text';

export interface Metric {
  unit: MetricUnit;
  /** As Neuron Profiler groups its summary. */
  group: string;
  definition: string;
  /** null: this profile does not know. */
  compute(f: Facts): number | string | null;
}

const S_PER_NS = 1e-9;
const totalNs = (f: Facts) => f.profile.totalTimeNs;
const machine = (f: Facts) => f.profile.machine;
const hbmBytes = (f: Facts) => f.hbmReadBytes + f.hbmWriteBytes;
const usefulFlops = (f: Facts) => f.hardwareFlops - f.transposeFlops;
/** null instead of a division by nothing. */
const ratio = (a: number, b: number) => (b > 0 ? a / b : null);
const ofTotal = (ns: number, f: Facts) => ratio(ns, totalNs(f));
const ofPeak = (flops: number, f: Facts) => ratio(flops, machine(f).peakFlops * totalNs(f) * S_PER_NS);
const cycles = (ns: number, f: Facts) => Math.round(ns * machine(f).baseClockGhz);

/** FLOPs of matmuls per byte of HBM traffic. */
export const arithmeticIntensity = (f: Facts) => ratio(usefulFlops(f), hbmBytes(f));
/** FLOPs per byte at which the machine's peaks meet. */
export const machineBalance = (f: Facts) => ratio(machine(f).peakFlops, machine(f).hbmBytesPerSecond);

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
  mm_arithmetic_intensity: metric(
    'overall_stats',
    'FLOPs/byte',
    '(hardware_flops - transpose_flops) / (hbm_read_bytes + hbm_write_bytes). Below peak_flops_bandwidth_ratio: memory bound; above: compute bound.',
    arithmeticIntensity,
  ),
  peak_flops_bandwidth_ratio: metric(
    'overall_stats',
    'FLOPs/byte',
    'Peak FLOP/s of the Tensor engine / peak HBM bandwidth.',
    machineBalance,
  ),
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
    'Best mfu_inst at this HBM traffic: mm_arithmetic_intensity / peak_flops_bandwidth_ratio, at most 1.',
    f => {
      const reachable = ratio(arithmeticIntensity(f) ?? 0, machineBalance(f) ?? 0);
      return reachable === null ? null : Math.min(1, reachable);
    },
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
};

const CLASS_WORDS: Record<DmaClass, string> = {
  static: 'whose descriptors were made before the kernel ran',
  software_dynamic: 'whose descriptors GpSimd writes while the kernel runs',
  hardware_dynamic: 'whose descriptors hardware makes while the kernel runs',
};

/** In printing order. */
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
  ...Object.assign({}, ...DMA_CLASSES.map(dmaMetrics)),
  ...SYSTEM,
};

function engineMetrics(engine: SummaryEngine): Record<string, Metric> {
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

function dmaMetrics(name: DmaClass): Record<string, Metric> {
  const of = (f: Facts) => f.dmaClasses[name];
  const group = name === 'static' ? 'data_movement' : `${name.split('_')[0]}_data_movement`;
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

const ofBandwidth = (bytes: number, f: Facts) => ratio(bytes, machine(f).hbmBytesPerSecond * totalNs(f) * S_PER_NS);
const isActivate = (opcode: string) => opcode.startsWith('ACTIVATE');

function tally(f: Facts, wanted: (opcode: string) => boolean): Tally {
  const sum: Tally = { count: 0, sumNs: 0 };
  for (const [opcode, { count, sumNs }] of f.opcodes) {
    if (!wanted(opcode)) continue;
    sum.count += count;
    sum.sumNs += sumNs;
  }
  return sum;
}
