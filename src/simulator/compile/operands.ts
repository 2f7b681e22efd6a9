/**
 * Operand texts in the grammar that Neuron profiles print, without semaphores (`semaphores.ts`): patterns
 * `src=fp32@0x4820[1,1,1][512,1,1]`, then the instruction's own words. Addresses are those of the core's memory map as the
 * Trn2 traces show it. Strides and shapes are in elements, innermost first.
 *
 * Loops repeat their texts: instructions are told apart by the numbers that a text is made of, and each text is made once.
 */
import { Sequences } from '../columns/sequences';
import { dtypes } from '../vocabulary/dtypes';
import { type Compiled, READ, TRACK_ENGINE } from './compiled';
import { HBM, PSUM } from './patterns';
import { dmaIncrement, queueSemaphoreId } from './semaphores';

const SHORT: Readonly<Record<string, string>> = { float32: 'fp32', float16: 'fp16', tfloat32: 'fp32r' };
const TEXT_DTYPES = dtypes.map(({ name }) => SHORT[name] ?? name);
/** Free dimensions that an operand prints at least. */
const PRINTED_DIMS = { tensor: 3, other: 4 };

/** Texts, and which of them each instruction has. */
export function operandTexts(c: Compiled): { texts: string[]; index: Uint32Array } {
  const texts: string[] = [];
  const sequences = new Sequences();
  const index = new Uint32Array(c.instructions.track.length);
  let key = new Int32Array(256);
  for (let i = 0; i < index.length; i++) {
    let length = writeKey(c, i, key);
    while (length > key.length) {
      key = new Int32Array(length * 2);
      length = writeKey(c, i, key);
    }
    index[i] = sequences.intern(key, length);
    if (index[i] === texts.length) texts.push(operandText(c, i));
  }
  return { texts, index };
}

/** All that `operandText` depends on. @returns its length; entries beyond the end of `key` are lost. */
function writeKey(c: Compiled, i: number, key: Int32Array): number {
  const { track, transfer, detail, accessStart } = c.instructions;
  const { patterns: p, accesses, transfers } = c;
  let n = 0;
  key[n++] = detail[i];
  key[n++] = TRACK_ENGINE[track[i]];
  key[n++] = transfer[i] < 0 ? -1 : transfers.queue[transfer[i]];
  for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
    const pattern = accesses.pattern[a];
    const at = address(c, pattern);
    key[n++] = accesses.role[a] === READ ? 1 : 0;
    key[n++] = p.dtypeOf(pattern);
    key[n++] = Math.floor(at / 2 ** 32);
    key[n++] = at | 0;
    const dims = p.dims(pattern);
    key[n++] = dims;
    for (let dim = 0; dim < dims; dim++) {
      key[n++] = p.strideOf(pattern, dim);
      key[n++] = p.countOf(pattern, dim);
    }
  }
  return n;
}

function operandText(c: Compiled, i: number): string {
  const { instructions, details } = c;
  const parts: string[] = [];
  const transfer = instructions.transfer[i];
  if (transfer >= 0) parts.push(`semaphore=${queueSemaphoreId(c.transfers.queue[transfer])} sem_increment=${dmaIncrement(c)}`);
  const { before, after } = details[instructions.detail[i]];
  if (before) parts.push(before);
  parts.push(...patterns(c, i));
  if (after) parts.push(after);
  return parts.join(' ');
}

function patterns(c: Compiled, i: number): string[] {
  const { accessStart, track } = c.instructions;
  const onTensor = TRACK_ENGINE[track[i]] === 0;
  const texts: string[] = [];
  let reads = 0;
  let channels = 0;
  for (const reading of [true, false])
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      if ((c.accesses.role[a] === READ) !== reading) continue;
      const pattern = c.accesses.pattern[a];
      channels = Math.max(channels, c.patterns.partitions(pattern));
      const name = reading ? sourceName(reads++) : 'dst';
      texts.push(`${name}=${patternText(c, pattern, onTensor ? PRINTED_DIMS.tensor : PRINTED_DIMS.other)}`);
    }
  if (!onTensor && c.instructions.transfer[i] < 0 && texts.length > 0) texts.push(`channels=${channels}`);
  return texts;
}

const sourceName = (k: number) => (k === 0 ? 'src' : `src${k}`);

function patternText(c: Compiled, pattern: number, printed: number): string {
  const { patterns: p } = c;
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
  return `${TEXT_DTYPES[p.dtypeOf(pattern)]}@0x${address(c, pattern).toString(16)}[${strides}][${counts}]`;
}

function address(c: Compiled, pattern: number): number {
  const { patterns: p } = c;
  const tensor = p.tensor(pattern);
  const space = p.space(tensor);
  if (space === HBM) return p.offset(pattern) * p.bytesOf(pattern);
  const base = c.allocation.addressBytes[tensor] + p.offsetInPartition(pattern) + (space === PSUM ? c.machine.addressPsumBytes.value : 0);
  return base + p.firstPartition(pattern) * c.machine.addressPartitionBytes.value;
}
