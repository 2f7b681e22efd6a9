/**
 * Operand strings in the grammar that Neuron profiles print: waits `S[5] (Tensor)>=4`, updates `S[4] (Scalar)++@complete`,
 * patterns `src=fp32@0x4820[1,1,1][512,1,1]`, then the instruction's own words. Addresses are those of the core's
 * memory map as the Trn2 traces show it. Strides and shapes are in elements, innermost first.
 */
import { dtypes } from '../isa/dtypes';
import { type Compiled, ENGINE_TRACKS, READ, TABLE, TENSOR_MATRIX, TRACK_ENGINE } from './compiled';
import { HBM, PSUM } from './patterns';

/** Semaphore of each engine's stream as the traces number them; queues take those from 8 on. */
const ENGINE_SEMAPHORE: Readonly<Record<string, number>> = { Tensor: 5, TensorMatrix: 5, Vector: 6, Scalar: 4, GpSimd: 7, Sync: 3 };
const FIRST_QUEUE_SEMAPHORE = 8;
const SHORT: Readonly<Record<string, string>> = { float32: 'fp32', float16: 'fp16', tfloat32: 'fp32r' };
/** Free dimensions that an operand of this track prints. */
const PRINTED_DIMS = (track: number) => (TRACK_ENGINE[track] === 0 ? 3 : 4);

/** Interned strings: index per instruction. */
export function operandStrings(c: Compiled): { strings: string[]; index: Uint32Array } {
  const strings: string[] = [];
  const known = new Map<string, number>();
  const count = c.instructions.track.length;
  const index = new Uint32Array(count);
  const signals = signalCounts(c);
  for (let i = 0; i < count; i++) {
    const text = operandString(c, signals, i);
    let at = known.get(text);
    if (at === undefined) {
      at = strings.push(text) - 1;
      known.set(text, at);
    }
    index[i] = at;
  }
  return { strings, index };
}

/** Value of its lane's semaphore once an event is done, 0: nobody waits for it so it does not signal. */
function signalCounts(c: Compiled): Uint32Array {
  const count = c.instructions.track.length;
  const awaited = new Uint8Array(count);
  const { event, kind } = c.dependencies;
  for (let d = 0; d < event.length; d++) if (event[d] < count && kind[d] !== TABLE) awaited[event[d]] = 1;
  const values = new Uint32Array(count + c.transfers.queue.length);
  const last = new Uint32Array(ENGINE_TRACKS.length);
  const lastOfQueue = new Uint32Array(c.queues.length);
  const perDma = dmaIncrement(c);
  for (const stream of c.streams)
    for (const i of stream) {
      const engine = TRACK_ENGINE[c.instructions.track[i]];
      if (awaited[i] === 1) values[i] = ++last[engine];
      const transfer = c.instructions.transfer[i];
      if (transfer >= 0) values[count + transfer] = lastOfQueue[c.transfers.queue[transfer]] += perDma;
    }
  return values;
}

function operandString(c: Compiled, signals: Uint32Array, i: number): string {
  const { instructions, details } = c;
  const parts: string[] = [];
  parts.push(...waitsOf(c, signals, i));
  if (signals[i] > 0) parts.push(`${semaphore(instructions.track[i])}++@complete`);
  const transfer = instructions.transfer[i];
  if (transfer >= 0) parts.push(`semaphore=${FIRST_QUEUE_SEMAPHORE + c.transfers.queue[transfer]} sem_increment=${dmaIncrement(c)}`);
  const { before, after } = details[instructions.detail[i]];
  if (before) parts.push(before);
  parts.push(...patterns(c, i));
  if (after) parts.push(after);
  return parts.join(' ');
}

/** One wait per semaphore: the highest value it needs. */
function waitsOf(c: Compiled, signals: Uint32Array, i: number): string[] {
  const { start, event, kind } = c.dependencies;
  const highest = new Map<string, number>();
  for (let d = start[i]; d < start[i + 1]; d++) {
    if (kind[d] === TABLE) continue;
    const name = semaphoreOf(c, event[d]);
    highest.set(name, Math.max(highest.get(name) ?? 0, signals[event[d]]));
  }
  return Array.from(highest, ([name, value]) => `${name}>=${value}`);
}

function semaphoreOf(c: Compiled, event: number): string {
  const count = c.instructions.track.length;
  if (event < count) return semaphore(c.instructions.track[event]);
  const queue = c.transfers.queue[event - count];
  return `S[${FIRST_QUEUE_SEMAPHORE + queue}] (${c.queues[queue].name})`;
}

/** What one DMA adds to its semaphore: one per DMA engine. */
const dmaIncrement = (c: Compiled) => c.machine.dma.engines.value;

function semaphore(track: number): string {
  const name = track === TENSOR_MATRIX ? 'Tensor' : ENGINE_TRACKS[track];
  return `S[${ENGINE_SEMAPHORE[name]}] (${name})`;
}

function patterns(c: Compiled, i: number): string[] {
  const { accessStart, track } = c.instructions;
  const texts: string[] = [];
  let reads = 0;
  let channels = 0;
  for (const reading of [true, false])
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      if ((c.accesses.role[a] === READ) !== reading) continue;
      const pattern = c.accesses.pattern[a];
      channels = Math.max(channels, c.patterns.partitions(pattern));
      const name = reading ? sourceName(reads++) : 'dst';
      texts.push(`${name}=${patternText(c, pattern, PRINTED_DIMS(track[i]))}`);
    }
  if (TRACK_ENGINE[track[i]] !== 0 && c.instructions.transfer[i] < 0 && texts.length > 0) texts.push(`channels=${channels}`);
  return texts;
}

const sourceName = (k: number) => (k === 0 ? 'src' : `src${k}`);

function patternText(c: Compiled, pattern: number, printed: number): string {
  const { patterns: p } = c;
  const tensor = p.tensor(pattern);
  const name = dtypes[p.dtype(tensor)].name;
  const strides: number[] = [];
  const counts: number[] = [];
  for (let dim = p.dims(pattern) - 1; dim >= 1; dim--) {
    strides.push(p.strideOf(pattern, dim));
    counts.push(p.countOf(pattern, dim));
  }
  while (strides.length < printed) {
    strides.push(strides.length === 0 ? 1 : 0);
    counts.push(1);
  }
  return `${SHORT[name] ?? name}@0x${address(c, pattern).toString(16)}[${strides}][${counts}]`;
}

function address(c: Compiled, pattern: number): number {
  const { patterns: p } = c;
  const tensor = p.tensor(pattern);
  const space = p.space(tensor);
  if (space === HBM) return p.offset(pattern) * p.elementBytes(tensor);
  const base = c.allocation.addressBytes[tensor] + p.offsetInPartition(pattern) + (space === PSUM ? c.machine.addressPsumBytes.value : 0);
  return base + p.firstPartition(pattern) * c.machine.addressPartitionBytes.value;
}
