/**
 * Operands of machine code as a table (`table.ts`): the words and patterns that Neuron profiles print (`text.ts`). Addresses are those of
 * the core's memory map as the Trn2 traces show it.
 *
 * Loops repeat their operands: lists are compared by the numbers that they are made of, and each distinct list is made once.
 */
import { Sequences } from '../../columns/sequences';
import { dtypes, profileName } from '../../vocabulary/dtypes';
import { type Compiled, READ, TRACK_ENGINE } from '../compiled';
import { HBM, PSUM } from '../patterns';
import { dmaIncrement, queueSemaphoreId } from '../semaphores';
import { ACCESS, CHANNELS, NO_CHANNELS, NO_TENSOR, type OperandTable, OperandTableBuilder } from './table';

const DTYPE_WORDS = dtypes.map(profileName);
/** Free dimensions that an operand has at least. */
const DIMENSIONS = { tensor: 3, other: 4 };

/** Index of a tensor's name among the strings of the profile. */
type Named = (tensor: number) => number;

/** The lists, and which of them each instruction has. */
export function operandTable(c: Compiled, named: Named = () => NO_TENSOR): { table: OperandTable; index: Uint32Array } {
  const lists = new Lists(c, named);
  const sequences = new Sequences();
  const ofSequence: number[] = [];
  const index = new Uint32Array(c.instructions.track.length);
  let key = new Int32Array(256);
  for (let i = 0; i < index.length; i++) {
    let length = writeKey(c, named, i, key);
    while (length > key.length) {
      key = new Int32Array(length * 2);
      length = writeKey(c, named, i, key);
    }
    const sequence = sequences.intern(key, length);
    if (sequence === ofSequence.length) ofSequence.push(lists.of(i));
    index[i] = ofSequence[sequence];
  }
  return { table: lists.builder.finish(), index };
}

/** Writes all numbers that an instruction's list depends on. @returns their count; entries beyond the end of `key` are dropped. */
function writeKey(c: Compiled, named: Named, i: number, key: Int32Array): number {
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
    key[n++] = named(p.tensor(pattern));
    key[n++] = p.spaceOf(pattern);
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

class Lists {
  readonly builder = new OperandTableBuilder();

  constructor(
    private readonly c: Compiled,
    private readonly named: Named,
  ) {}

  /** Number of the instruction's list. */
  of(i: number): number {
    const { c } = this;
    const transfer = c.instructions.transfer[i];
    const onTensor = TRACK_ENGINE[c.instructions.track[i]] === 0;
    const { before, after } = c.details[c.instructions.detail[i]];
    const raised = transfer < 0 ? '' : `semaphore=${queueSemaphoreId(c.transfers.queue[transfer])} sem_increment=${dmaIncrement(c)}`;
    const { operands, channels } = this.accesses(i, onTensor ? DIMENSIONS.tensor : DIMENSIONS.other);
    const hasChannels = !onTensor && transfer < 0 && operands.length > 0;
    const template = [
      ...this.words(raised),
      ...this.words(before),
      ...operands.map(() => ACCESS),
      ...(hasChannels ? [CHANNELS] : []),
      ...this.words(after),
    ];
    return this.builder.list(template, operands, hasChannels ? channels : NO_CHANNELS);
  }

  private words(text: string): number[] {
    return text === '' ? [] : text.split(' ').map(word => this.builder.word(word));
  }

  /** First its inputs, then its outputs; and the partitions of the largest. */
  private accesses(i: number, dimensions: number): { operands: number[]; channels: number } {
    const { accesses, patterns, instructions } = this.c;
    const operands: number[] = [];
    let [reads, channels] = [0, 0];
    for (const reading of [true, false])
      for (let a = instructions.accessStart[i]; a < instructions.accessStart[i + 1]; a++) {
        if ((accesses.role[a] === READ) !== reading) continue;
        const pattern = accesses.pattern[a];
        channels = Math.max(channels, patterns.partitions(pattern));
        operands.push(this.operand(pattern, reading ? sourceName(reads++) : 'dst', dimensions));
      }
    return { operands, channels };
  }

  private operand(pattern: number, name: string, dimensions: number): number {
    const { builder, c } = this;
    const { patterns: p } = c;
    const [steps, counts]: number[][] = [[], []];
    for (let dim = p.dims(pattern) - 1; dim >= 1; dim--) {
      steps.push(p.strideOf(pattern, dim));
      counts.push(p.countOf(pattern, dim));
    }
    while (steps.length < dimensions) {
      steps.push(steps.length === 0 ? 1 : 0);
      counts.push(1);
    }
    return builder.operand({
      name: builder.word(name),
      dtype: builder.word(DTYPE_WORDS[p.dtypeOf(pattern)]),
      space: p.spaceOf(pattern),
      addressBytes: address(c, pattern),
      pattern: builder.pattern(steps, counts),
      tensor: this.named(p.tensor(pattern)),
    });
  }
}

const sourceName = (k: number) => (k === 0 ? 'src' : `src${k}`);

function address(c: Compiled, pattern: number): number {
  const { patterns: p } = c;
  const tensor = p.tensor(pattern);
  const space = p.space(tensor);
  if (space === HBM) return p.offset(pattern) * p.bytesOf(pattern);
  const base = c.allocation.addressBytes[tensor] + p.offsetInPartition(pattern) + (space === PSUM ? c.machine.addressPsumBytes.value : 0);
  return base + (c.allocation.firstPartition[tensor] + p.firstPartition(pattern)) * c.machine.addressPartitionBytes.value;
}
