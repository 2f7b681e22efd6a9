/**
 * Sums over a profile that the summary metrics are made of: one pass over the columns, then plain numbers. In nanoseconds,
 * bytes and FLOPs; units and names of metrics are `metrics.ts`.
 */

import { COLLECTIVE_WORD } from '../compile/operands/words';
import { DIRECTIONS, type Profile, templateOf } from '../profile/profile';
import { dtypes } from '../vocabulary/dtypes';
import { ENGINES, type Engine } from '../vocabulary/engines';
import { DMA_CLASSES, type DmaClass, dmaClass, isCcQueue } from '../vocabulary/queues';
import { activeIntervals, busyByTrack, dmaIntervals, engineTracks, totalActiveNs } from './activeTime';
import { areCollectives } from './collectives';
import { type Intervals, lengthNs, select, union } from './intervals';
import { isSetup, isWaiting } from './opcodes';
import { semaphoreUpdateCount } from './semaphoreUpdates';
import { directionsKnown, sumOf, type Traffic, traffic } from './traffic';

/** The classes, and the two dynamic ones together. */
export type DmaGroup = DmaClass | 'dynamic';

export interface Tally {
  count: number;
  /** Durations added up, overlaps counted twice. */
  sumNs: number;
}

export interface EngineTotals extends Tally {
  /** Union of the durations. */
  activeNs: number;
}

export interface DmaTotals extends Tally {
  activeNs: number;
  bytes: number;
  packets: number;
}

export interface ProfileTotals {
  profile: Profile;
  engines: Record<Engine, EngineTotals>;
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
  dma: DmaTotals & { /** Busy time of the single DMA engines added up. */ sliceNs: number; queues: number };
  dmaClasses: Record<DmaGroup, DmaTotals>;
  /** Transfers that complete a collective operation. */
  collectives: EngineTotals;
  /** null when a tensor has a dtype without a known size. */
  inputBytes: number | null;
  outputBytes: number | null;
}

export function totals(p: Profile): ProfileTotals {
  const transposing = transposes(p);
  const busy = busyByTrack(p);
  const dma = dmaIntervals(p);
  const { all, classes } = dmaTotals(p, lengthNs(dma));
  const known = directionsKnown(p);
  return {
    profile: p,
    engines: perEngine(p, busy),
    opcodes: tallyOpcodes(p),
    totalActiveNs: totalActiveNs(p, busy, dma),
    execNs: execNs(p, dma),
    traffic: traffic(p, transposing),
    semaphoreUpdates: semaphoreUpdateCount(p),
    hardwareFlops: flopsWhere(p.instructions, () => true),
    transposeFlops: flopsWhere(p.instructions, i => transposing[i] === 1),
    hbmReadBytes: known ? bytesOf(p, direction => direction.startsWith('hbm->')) : null,
    hbmWriteBytes: known ? bytesOf(p, direction => direction.endsWith('->hbm')) : null,
    dma: {
      ...all,
      sliceNs: lengthNs(p.dmaSlices),
      queues: p.tracks.filter(t => t.kind === 'queue' && !isCcQueue(t.name)).length,
    },
    dmaClasses: { ...classes, dynamic: together(classes.software_dynamic, classes.hardware_dynamic) },
    collectives: collectiveOperations(p),
    inputBytes: tensorBytes(p.inputs),
    outputBytes: tensorBytes(p.outputs),
  };
}

function bytesOf({ transfers }: Profile, test: (direction: string) => boolean): number {
  return sumOf(transfers.bytes, transfers.direction, DIRECTIONS.map(test));
}

function flopsWhere({ flops }: Profile['instructions'], keep: (row: number) => boolean): number {
  let sum = 0;
  for (let i = 0; i < flops.length; i++) if (keep(i)) sum += flops[i];
  return sum;
}

/** Sums of active times, like Neuron's summaries: overlaps count twice. */
function together(a: DmaTotals, b: DmaTotals): DmaTotals {
  return {
    count: a.count + b.count,
    sumNs: a.sumNs + b.sumNs,
    activeNs: a.activeNs + b.activeNs,
    bytes: a.bytes + b.bytes,
    packets: a.packets + b.packets,
  };
}

const TRANSPOSING = 'transpose_mode=ENABLED';

/**
 * 1 for instructions that only move data through the PE array. Neuron says so in the operands of the LDWEIGHTS; the MATMULs
 * that stream through those weights are transposes with it.
 */
export function transposes(p: Profile): Uint8Array {
  const { opcode, operands } = p.instructions;
  const [load, multiply] = [p.opcodes.indexOf('LDWEIGHTS'), p.opcodes.indexOf('MATMUL')];
  const { template } = p.operandLists;
  const enables = p.operandTemplates.end.map((_, k) => Number(templateOf(p, k).some(word => p.operandWords[word] === TRANSPOSING)));
  const flags = new Uint8Array(opcode.length);
  let loaded = 0;
  for (let i = 0; i < flags.length; i++) {
    if (opcode[i] === load) loaded = enables[template[operands[i]]];
    if (opcode[i] === load || opcode[i] === multiply) flags[i] = loaded;
  }
  return flags;
}

function execNs(p: Profile, dma: Intervals): number {
  const setup = Uint8Array.from(p.opcodes, name => Number(isSetup(name)));
  const rows = dma.startNs.length;
  let first = rows > 0 ? dma.startNs[0] : Number.POSITIVE_INFINITY;
  let last = rows > 0 ? dma.endNs[rows - 1] : Number.NEGATIVE_INFINITY;
  const { startNs, endNs, opcode } = p.instructions;
  for (let i = 0; i < startNs.length; i++) {
    if (setup[opcode[i]] === 1) continue;
    if (startNs[i] < first) first = startNs[i];
    if (endNs[i] > last) last = endNs[i];
  }
  return Math.max(0, last - first);
}

function tallyOpcodes(p: Profile): Map<string, Tally> {
  const counts = new Uint32Array(p.opcodes.length);
  const sumNs = new Float64Array(p.opcodes.length);
  const { startNs, endNs, opcode } = p.instructions;
  for (let i = 0; i < startNs.length; i++) {
    counts[opcode[i]]++;
    sumNs[opcode[i]] += endNs[i] - startNs[i];
  }
  return new Map(p.opcodes.map((name, i) => [name, { count: counts[i], sumNs: sumNs[i] }]));
}

function perEngine(p: Profile, busy: Intervals[]): Record<Engine, EngineTotals> {
  const { startNs, endNs, track, opcode } = p.instructions;
  const waiting = Uint8Array.from(p.opcodes, name => Number(isWaiting(name)));
  const engines: readonly string[] = ENGINES;
  const engineOf = Int32Array.from(p.tracks, t => (t.kind === 'engine' ? engines.indexOf(t.engine) : -1));
  const counts = new Uint32Array(engines.length);
  const sumNs = new Float64Array(engines.length);
  for (let i = 0; i < startNs.length; i++) {
    const engine = engineOf[track[i]];
    if (engine < 0) continue;
    counts[engine]++;
    if (waiting[opcode[i]] === 0) sumNs[engine] += endNs[i] - startNs[i];
  }
  const factsOf = (engine: Engine, k: number): EngineTotals => ({
    count: counts[k],
    sumNs: sumNs[k],
    activeNs: lengthNs(activeIntervals(p, engineTracks(p, engine), busy)),
  });
  return Object.fromEntries(ENGINES.map((engine, k) => [engine, factsOf(engine, k)])) as Record<Engine, EngineTotals>;
}

/** `activeNs`: time at which any DMA engine moved bytes. */
function dmaTotals(p: Profile, activeNs: number): { all: DmaTotals; classes: Record<DmaClass, DmaTotals> } {
  const ofTrack = Uint8Array.from(p.tracks, track => DMA_CLASSES.indexOf(dmaClass(track.name)));
  const isCollective = areCollectives(p);
  const { startNs, endNs, bytes, packets, track } = p.transfers;
  const none = (): DmaTotals => ({ count: 0, sumNs: 0, bytes: 0, packets: 0, activeNs: 0 });
  const [all, classes] = [{ ...none(), activeNs }, DMA_CLASSES.map(none)];
  for (let t = 0; t < startNs.length; t++) {
    if (isCollective[t] === 1) continue;
    for (const sums of [all, classes[ofTrack[track[t]]]]) {
      sums.count++;
      sums.sumNs += endNs[t] - startNs[t];
      sums.bytes += bytes[t];
      sums.packets += packets[t];
    }
  }
  for (const [c, sums] of classes.entries()) sums.activeNs = sums.count === all.count ? activeNs : classActiveNs(p, ofTrack, c);
  return { all, classes: Object.fromEntries(DMA_CLASSES.map((name, c) => [name, classes[c]])) as Record<DmaClass, DmaTotals> };
}

function classActiveNs(p: Profile, classOfTrack: Uint8Array, wanted: number): number {
  if (!classOfTrack.includes(wanted)) return 0;
  const { track } = p.transfers;
  const { transfer } = p.dmaSlices;
  return lengthNs(union(select(p.dmaSlices, slice => classOfTrack[track[transfer[slice]]] === wanted)));
}

/** The triggering instruction names the collective. */
function collectiveOperations(p: Profile): EngineTotals {
  const { startNs, endNs, trigger } = p.transfers;
  const completes = Uint8Array.from(p.operandTemplates.end, (_, k) =>
    Number(templateOf(p, k).some(word => p.operandWords[word]?.startsWith(COLLECTIVE_WORD))),
  );
  const isOne = (t: number) => trigger[t] >= 0 && completes[p.operandLists.template[p.instructions.operands[trigger[t]]]] === 1;
  const rows = completes.includes(1) ? [...trigger.keys()].filter(isOne) : [];
  const times = { startNs: Float64Array.from(rows, t => startNs[t]), endNs: Float64Array.from(rows, t => endNs[t]) };
  return { count: rows.length, sumNs: rows.reduce((sum, t) => sum + endNs[t] - startNs[t], 0), activeNs: lengthNs(union(times)) };
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
