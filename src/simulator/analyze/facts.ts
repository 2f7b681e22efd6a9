/**
 * Sums over a profile that the summary metrics are made of: one pass over the columns, then plain numbers. In nanoseconds,
 * bytes and FLOPs; units and names of metrics are `metrics.ts`.
 */
import { dtypes } from '../isa/dtypes';
import { DIRECTIONS, type Profile } from '../profile/profile';
import { activeIntervals, dmaActiveNs, engineTracks, totalActiveNs } from './activeTime';
import { lengthNs } from './intervals';
import { isSetup, isWaiting } from './opcodes';
import { semaphoreUpdates } from './semaphoreUpdates';
import { directionsKnown, type Traffic, traffic } from './traffic';

/** Engines in the order AWS lists them in a summary. */
export const SUMMARY_ENGINES = ['Tensor', 'Vector', 'Scalar', 'GpSimd', 'Sync'] as const;
export type SummaryEngine = (typeof SUMMARY_ENGINES)[number];

/** Where a transfer's descriptors come from, as the queue's name tells. */
export const DMA_CLASSES = ['static', 'software_dynamic', 'hardware_dynamic'] as const;
export type DmaClass = (typeof DMA_CLASSES)[number];
/** The classes, and the two dynamic ones together. */
export type DmaGroup = DmaClass | 'dynamic';

export interface Tally {
  count: number;
  /** Durations added up, overlaps counted twice. */
  sumNs: number;
}

export interface EngineFacts extends Tally {
  /** Union of the durations. */
  activeNs: number;
}

export interface DmaFacts extends Tally {
  activeNs: number;
  bytes: number;
  packets: number;
}

export interface Facts {
  profile: Profile;
  engines: Record<SummaryEngine, EngineFacts>;
  opcodes: Map<string, Tally>;
  totalActiveNs: number;
  /** From the first event that is not start-up to the last. */
  execNs: number;
  traffic: Traffic;
  semaphoreUpdates: number;
  hardwareFlops: number;
  transposeFlops: number;
  /** null for a capture that does not say where its DMAs go. */
  hbmReadBytes: number | null;
  hbmWriteBytes: number | null;
  dma: DmaFacts & { /** Busy time of the single DMA engines added up. */ sliceNs: number; queues: number };
  dmaClasses: Record<DmaGroup, DmaFacts>;
  /** null when a tensor has a dtype without a known size. */
  inputBytes: number | null;
  outputBytes: number | null;
}

export function facts(p: Profile): Facts {
  const opcodes = tallyOpcodes(p);
  const transposing = transposes(p);
  const classOfTransfer = Array.from(p.transfers.track, track => dmaClass(p.tracks[track].name));
  const all = dmaFacts(p, () => true);
  const classes = Object.fromEntries(DMA_CLASSES.map(c => [c, dmaFacts(p, row => classOfTransfer[row] === c)])) as Record<
    DmaClass,
    DmaFacts
  >;
  const known = directionsKnown(p);
  const byDirection = (test: (direction: string) => boolean) =>
    known ? p.transfers.bytes.reduce((sum, bytes, i) => (test(DIRECTIONS[p.transfers.direction[i]]) ? sum + bytes : sum), 0) : null;
  return {
    profile: p,
    engines: perEngine(p),
    opcodes,
    totalActiveNs: totalActiveNs(p),
    execNs: execNs(p),
    traffic: traffic(p, transposing),
    semaphoreUpdates: semaphoreUpdates(p).value.length,
    hardwareFlops: p.instructions.flops.reduce((a, b) => a + b, 0),
    transposeFlops: p.instructions.flops.reduce((sum, flops, i) => (transposing[i] ? sum + flops : sum), 0),
    hbmReadBytes: byDirection(d => d.startsWith('hbm->')),
    hbmWriteBytes: byDirection(d => d.endsWith('->hbm')),
    dma: {
      ...all,
      sliceNs: lengthNs(p.dmaSlices),
      queues: p.tracks.filter(t => t.kind === 'queue').length,
    },
    dmaClasses: { ...classes, dynamic: together(classes.software_dynamic, classes.hardware_dynamic) },
    inputBytes: tensorBytes(p.inputs),
    outputBytes: tensorBytes(p.outputs),
  };
}

/** As Neuron's summaries have it, active times add up, overlaps counted twice. */
function together(a: DmaFacts, b: DmaFacts): DmaFacts {
  return {
    count: a.count + b.count,
    sumNs: a.sumNs + b.sumNs,
    activeNs: a.activeNs + b.activeNs,
    bytes: a.bytes + b.bytes,
    packets: a.packets + b.packets,
  };
}

/** qGpSimdDynamic: descriptors written by GpSimd; qSyncDynamicHW: made by hardware; all others: a ring made beforehand. */
export function dmaClass(queue: string): DmaClass {
  if (queue.includes('DynamicHW')) return 'hardware_dynamic';
  return queue.includes('Dynamic') ? 'software_dynamic' : 'static';
}

/**
 * 1 for instructions that only move data through the PE array. Neuron says so in the operands of the LDWEIGHTS; the MATMULs
 * that stream through those weights are transposes with it.
 */
export function transposes(p: Profile): Uint8Array {
  const { opcode, operands } = p.instructions;
  const [load, multiply] = [p.opcodes.indexOf('LDWEIGHTS'), p.opcodes.indexOf('MATMUL')];
  const enabled = p.operands.map(text => /\btranspose_mode=ENABLED\b/.test(text));
  const flags = new Uint8Array(opcode.length);
  let loaded = 0;
  for (let i = 0; i < flags.length; i++) {
    if (opcode[i] === load) loaded = enabled[operands[i]] ? 1 : 0;
    if (opcode[i] === load || opcode[i] === multiply) flags[i] = loaded;
  }
  return flags;
}

function execNs(p: Profile): number {
  const setup = p.opcodes.map(isSetup);
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const take = (startNs: number, endNs: number) => {
    if (startNs < first) first = startNs;
    if (endNs > last) last = endNs;
  };
  const { startNs, endNs, opcode } = p.instructions;
  for (let i = 0; i < startNs.length; i++) if (!setup[opcode[i]]) take(startNs[i], endNs[i]);
  for (let i = 0; i < p.dmaSlices.startNs.length; i++) take(p.dmaSlices.startNs[i], p.dmaSlices.endNs[i]);
  return Math.max(0, last - first);
}

function tallyOpcodes(p: Profile): Map<string, Tally> {
  const tallies = p.opcodes.map(() => ({ count: 0, sumNs: 0 }));
  const { startNs, endNs, opcode } = p.instructions;
  for (let i = 0; i < startNs.length; i++) {
    tallies[opcode[i]].count++;
    tallies[opcode[i]].sumNs += endNs[i] - startNs[i];
  }
  return new Map(p.opcodes.map((name, i) => [name, tallies[i]]));
}

function perEngine(p: Profile): Record<SummaryEngine, EngineFacts> {
  const { startNs, endNs, track, opcode } = p.instructions;
  const waiting = p.opcodes.map(isWaiting);
  const result = {} as Record<SummaryEngine, EngineFacts>;
  for (const engine of SUMMARY_ENGINES) {
    const tracks = engineTracks(p, engine);
    const sums: EngineFacts = { count: 0, sumNs: 0, activeNs: lengthNs(activeIntervals(p, tracks)) };
    for (let i = 0; i < startNs.length; i++) {
      if (!tracks.includes(track[i])) continue;
      sums.count++;
      if (!waiting[opcode[i]]) sums.sumNs += endNs[i] - startNs[i];
    }
    result[engine] = sums;
  }
  return result;
}

function dmaFacts(p: Profile, keep: (row: number) => boolean): DmaFacts {
  const { startNs, endNs, bytes, packets } = p.transfers;
  const sums: DmaFacts = { count: 0, sumNs: 0, bytes: 0, packets: 0, activeNs: dmaActiveNs(p, slice => keep(p.dmaSlices.transfer[slice])) };
  for (let i = 0; i < startNs.length; i++) {
    if (!keep(i)) continue;
    sums.count++;
    sums.sumNs += endNs[i] - startNs[i];
    sums.bytes += bytes[i];
    sums.packets += packets[i];
  }
  return sums;
}

function tensorBytes(tensors: Profile['inputs']): number | null {
  let sum = 0;
  for (const { shape, dtype } of tensors) {
    const size = dtypes.find(d => d.name === dtype)?.sizeBytes;
    if (size === undefined) return null;
    sum += shape.reduce((n, d) => n * d, size);
  }
  return sum;
}
