/**
 * Lists of operands in the grammar that Neuron profiles print, without semaphores (`semaphoreText.ts`): the only place that prints them,
 * and the only one that parses them. Words, patterns `src=fp32@0x4820[1,1,1][512,1,1]` (address, steps and counts in elements, innermost
 * first) and `channels=128`, each after a blank. Parsing and printing gives the same text for any input: a word that does not have
 * exactly this form stays a word.
 */
import type { Machine } from '../../hardware/machine';
import { PSUM, SBUF } from '../patterns';
import {
  ACCESS,
  CHANNELS,
  countsOf,
  NO_CHANNELS,
  NO_DTYPE,
  NO_TENSOR,
  type OperandTable,
  OperandTableBuilder,
  operandName,
  operandsOf,
  stepsOf,
  templateOf,
  UNKNOWN_SPACE,
} from './table';

/** All of a list, as Neuron Explorer prints it behind the semaphores. */
export function operandListText(t: OperandTable, list: number): string {
  const operands = operandsOf(t, list);
  let next = 0;
  const words = Array.from(templateOf(t, t.operandLists.template[list]), word => {
    if (word === ACCESS) return accessText(t, operands[next++]);
    return word === CHANNELS ? channelsWord(t.operandLists.channels[list]) : t.operandWords[word];
  });
  return words.join(' ');
}

/** An operand in memory: `src=fp32@0x4820[1,1,1][512,1,1]`. */
export function accessText(t: OperandTable, operand: number): string {
  const { dtype, addressBytes } = t.operands;
  return accessWord({
    name: operandName(t, operand),
    dtype: dtype[operand] === NO_DTYPE ? null : t.operandWords[dtype[operand]],
    addressBytes: addressBytes[operand],
    steps: stepsOf(t, operand),
    counts: countsOf(t, operand),
  });
}

export interface AccessWords {
  name: string;
  /** null: that of the operand before. */
  dtype: string | null;
  addressBytes: number;
  steps: ArrayLike<number>;
  counts: ArrayLike<number>;
}

export const accessWord = ({ name, dtype, addressBytes, steps, counts }: AccessWords) =>
  `${name}=${dtype === null ? '' : `${dtype}@`}${addressText(addressBytes)}${sizesText(steps)}${sizesText(counts)}`;

export const addressText = (addressBytes: number) => `0x${addressBytes.toString(16)}`;
/** `[1,512,0]` */
export const sizesText = (sizes: ArrayLike<number>) => `[${Array.from(sizes).join()}]`;
const channelsWord = (channels: number) => `channels=${channels}`;

const ACCESS_WORD = /^([a-z_]+\d*)=(?:(\w+)@)?0x([0-9a-f]{1,14})\[(-?\d+(?:,-?\d+)*)\]\[(\d+(?:,\d+)*)\]$/;
const CHANNELS_WORD = /^channels=(\d{1,9})$/;
/** Raised by DMAs only. */
const DMA_WORD = 'sem_increment=';
/** More than any engine supports. A pattern with more dimensions stays a word. */
export const MOST_DIMENSIONS = 16;

/** Reads texts into one table. The on-chip memory follows from the address in the machine's memory map. Texts have no names of tensors. */
export class OperandParser {
  private readonly builder = new OperandTableBuilder();
  private readonly lists = new Map<string, number>();
  /** Words that were read before, of DMAs and of other instructions: row of the operand, or -1. */
  private readonly known = { dma: new Map<string, number>(), other: new Map<string, number>() };

  constructor(private readonly machine: Machine) {}

  /** @returns the number of the text's list. */
  add(text: string): number {
    let list = this.lists.get(text);
    if (list === undefined) {
      list = this.parse(text);
      this.lists.set(text, list);
    }
    return list;
  }

  finish(): OperandTable {
    return this.builder.finish();
  }

  private parse(text: string): number {
    const { builder } = this;
    const words = text === '' ? [] : text.split(' ');
    const isDma = words.some(word => word.startsWith(DMA_WORD));
    const known = isDma ? this.known.dma : this.known.other;
    const operands: number[] = [];
    let channels = NO_CHANNELS;
    const template = words.map(word => {
      const operand = known.get(word) ?? this.access(word, isDma);
      known.set(word, operand);
      if (operand >= 0) {
        operands.push(operand);
        return ACCESS;
      }
      const found = channels === NO_CHANNELS ? CHANNELS_WORD.exec(word) : null;
      if (!found || channelsWord(Number(found[1])) !== word) return builder.word(word);
      channels = Number(found[1]);
      return CHANNELS;
    });
    return builder.list(template, operands, channels);
  }

  /** Row of the operand, or -1 for any other word. */
  private access(word: string, isDma: boolean): number {
    const found = ACCESS_WORD.exec(word);
    if (!found) return -1;
    const [steps, counts] = [numbers(found[4]), numbers(found[5])];
    const [name, dtype, addressBytes] = [found[1], found[2] ?? null, Number.parseInt(found[3], 16)];
    if (steps.length !== counts.length || steps.length > MOST_DIMENSIONS || !Number.isSafeInteger(addressBytes)) return -1;
    if (steps.some(step => step !== (step | 0)) || counts.some(count => count !== count >>> 0)) return -1;
    if (accessWord({ name, dtype, addressBytes, steps, counts }) !== word) return -1;
    const { builder } = this;
    const row = { name: builder.word(name), dtype: dtype === null ? NO_DTYPE : builder.word(dtype) };
    if (row.name >= NO_DTYPE || (dtype !== null && row.dtype >= NO_DTYPE)) return -1;
    const space = isDma ? UNKNOWN_SPACE : spaceAt(this.machine, addressBytes);
    return builder.operand({ ...row, space, addressBytes, pattern: builder.pattern(steps, counts), tensor: NO_TENSOR });
  }
}

/** SBUF is before PSUM. Addresses after both are in no memory of the core. */
function spaceAt({ addressPsumBytes, addressPartitionBytes, partitions }: Machine, addressBytes: number): number {
  if (addressBytes < addressPsumBytes.value) return SBUF;
  return addressBytes < addressPsumBytes.value + partitions.value * addressPartitionBytes.value ? PSUM : UNKNOWN_SPACE;
}

const numbers = (list: string) => list.split(',').map(Number);

/** Texts as lists, and which each has: equal texts have one. */
export function operandTableOf(texts: readonly string[], machine: Machine): { table: OperandTable; lists: Uint32Array } {
  const parser = new OperandParser(machine);
  const lists = Uint32Array.from(texts, text => parser.add(text));
  return { table: parser.finish(), lists };
}
