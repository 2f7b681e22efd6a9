/**
 * Operands of machine instructions as columns: one list per distinct set of operands, with its words and the memory that it reads and
 * writes. Each distinct list, operand, access pattern and template is stored once. `text.ts` writes lists as text.
 */
import { ColumnBuilder } from '../../columns/builder';
import { Sequences } from '../../columns/sequences';
import { dtypeOfProfile } from '../../vocabulary/dtypes';

/** In place of a template's word: the list's next operand in memory. */
export const ACCESS = -1;
/** In place of a template's word: the list's `channels`. */
export const CHANNELS = -2;
/** The list does not say how many partitions it works on. */
export const NO_CHANNELS = -1;
/** The text names none: it is that of the operand before. */
export const NO_DTYPE = 0xffff;
/** The memory is not known. A text does not contain the memories of a DMA. */
export const UNKNOWN_SPACE = 255;
/** Tensors have no names in captures. */
export const NO_TENSOR = -1;

/** In all columns `end` is the row after the last that belongs to this one; its first is the `end` before it. */
export interface OperandTable {
  /** Distinct words of lists, names of operands, and dtypes as Neuron profiles print them. */
  operandWords: string[];
  operandLists: {
    /** Index in `operandTemplates`. */
    template: Uint32Array;
    /** Partitions it works on, or NO_CHANNELS. */
    channels: Int32Array;
    /** In `listedOperands`. */
    end: Uint32Array;
  };
  listedOperands: {
    /** Row in `operands`. */
    operand: Uint32Array;
  };
  operandTemplates: {
    /** In `templateWords`. */
    end: Uint32Array;
  };
  templateWords: {
    /** Index in `operandWords`, ACCESS or CHANNELS. */
    word: Int32Array;
  };
  /** Access patterns at their places in memory. */
  operands: {
    /** `src`, `src1`, `dst`: index in `operandWords`. */
    name: Uint16Array;
    /** Index in `operandWords`, or NO_DTYPE. */
    dtype: Uint16Array;
    /** Index in `SPACES`, or UNKNOWN_SPACE. */
    space: Uint8Array;
    /** In the core's memory map; of HBM from the start of the tensor. */
    addressBytes: Float64Array;
    /** Index in `accessPatterns`. */
    pattern: Uint32Array;
    /** Its name: index in the profile's `strings`, or NO_TENSOR. */
    tensor: Int32Array;
  };
  accessPatterns: {
    /** In `accessDimensions`. */
    end: Uint32Array;
  };
  /** Free dimensions, innermost first. */
  accessDimensions: {
    /** Elements. */
    step: Int32Array;
    count: Uint32Array;
  };
}

/** First of the rows that end at `end[row]`. */
export const firstRow = (end: Uint32Array, row: number): number => (row === 0 ? 0 : end[row - 1]);

/** Rows in `operands` of a list, in its order. */
export const operandsOf = ({ operandLists: { end }, listedOperands }: OperandTable, list: number): Uint32Array =>
  listedOperands.operand.subarray(firstRow(end, list), end[list]);

/** Words of a template: indices in `operandWords`, ACCESS, CHANNELS. */
export const templateOf = ({ operandTemplates: { end }, templateWords }: OperandTable, template: number): Int32Array =>
  templateWords.word.subarray(firstRow(end, template), end[template]);

/** Elements by which each free dimension of an operand steps, innermost first. */
export const stepsOf = ({ operands, accessPatterns: { end }, accessDimensions }: OperandTable, operand: number): Int32Array =>
  accessDimensions.step.subarray(firstRow(end, operands.pattern[operand]), end[operands.pattern[operand]]);

/** Elements of each free dimension of an operand, innermost first. */
export const countsOf = ({ operands, accessPatterns: { end }, accessDimensions }: OperandTable, operand: number): Uint32Array =>
  accessDimensions.count.subarray(firstRow(end, operands.pattern[operand]), end[operands.pattern[operand]]);

/** Elements of an operand in one partition. */
export function freeElements(t: OperandTable, operand: number): number {
  let elements = 1;
  for (const count of countsOf(t, operand)) elements *= count;
  return elements;
}

export const operandName = (t: OperandTable, operand: number): string => t.operandWords[t.operands.name[operand]];
export const isSource = (t: OperandTable, operand: number): boolean => operandName(t, operand).startsWith('src');
export const isDestination = (t: OperandTable, operand: number): boolean => operandName(t, operand).startsWith('dst');

/** Bytes of an element of each of a list's operands, by their dtypes; 0 where the dtype is not known. */
export function elementBytesOf(t: OperandTable, list: number): number[] {
  let bytes = 0;
  return Array.from(operandsOf(t, list), operand => {
    const dtype = t.operands.dtype[operand];
    if (dtype !== NO_DTYPE) bytes = dtypeOfProfile(t.operandWords[dtype])?.sizeBytes ?? 0;
    return bytes;
  });
}

/** An operand in memory, as columns of `OperandTable.operands` have it. */
export interface TableOperand {
  name: number;
  dtype: number;
  space: number;
  addressBytes: number;
  pattern: number;
  tensor: number;
}

/** Makes a table. Each method returns the number of an equal row if there is one. */
export class OperandTableBuilder {
  private readonly words: string[] = [];
  private readonly wordIndex = new Map<string, number>();
  private readonly known = { lists: new Sequences(), templates: new Sequences(), operands: new Sequences(), patterns: new Sequences() };
  private readonly lists = {
    template: new ColumnBuilder(Uint32Array),
    channels: new ColumnBuilder(Int32Array),
    end: new ColumnBuilder(Uint32Array),
  };
  private readonly listed = new ColumnBuilder(Uint32Array);
  private readonly templateEnd = new ColumnBuilder(Uint32Array);
  private readonly templateWord = new ColumnBuilder(Int32Array);
  private readonly operands = {
    name: new ColumnBuilder(Uint16Array),
    dtype: new ColumnBuilder(Uint16Array),
    space: new ColumnBuilder(Uint8Array),
    addressBytes: new ColumnBuilder(Float64Array),
    pattern: new ColumnBuilder(Uint32Array),
    tensor: new ColumnBuilder(Int32Array),
  };
  private readonly patternEnd = new ColumnBuilder(Uint32Array);
  private readonly step = new ColumnBuilder(Int32Array);
  private readonly count = new ColumnBuilder(Uint32Array);

  word(text: string): number {
    let index = this.wordIndex.get(text);
    if (index === undefined) {
      index = this.words.push(text) - 1;
      this.wordIndex.set(text, index);
    }
    return index;
  }

  /** Innermost dimension first; as many counts as steps. */
  pattern(steps: readonly number[], counts: readonly number[]): number {
    const number = interned(this.known.patterns, [...steps, ...counts]);
    if (number === this.patternEnd.length) {
      for (const step of steps) this.step.push(step);
      for (const count of counts) this.count.push(count);
      this.patternEnd.push(this.step.length);
    }
    return number;
  }

  operand(operand: TableOperand): number {
    const { name, dtype, space, addressBytes, pattern, tensor } = operand;
    const key = [name, dtype, space, Math.floor(addressBytes / 2 ** 32), addressBytes, pattern, tensor];
    const number = interned(this.known.operands, key);
    if (number === this.operands.name.length)
      for (const [column, builder] of Object.entries(this.operands)) builder.push(operand[column as keyof TableOperand]);
    return number;
  }

  /** @param template words, ACCESS for each operand in its order, CHANNELS where there are `channels` */
  list(template: readonly number[], operands: readonly number[], channels = NO_CHANNELS): number {
    const words = this.template(template);
    const number = interned(this.known.lists, [words, channels, ...operands]);
    if (number === this.lists.end.length) {
      for (const operand of operands) this.listed.push(operand);
      this.lists.template.push(words);
      this.lists.channels.push(channels);
      this.lists.end.push(this.listed.length);
    }
    return number;
  }

  private template(words: readonly number[]): number {
    const number = interned(this.known.templates, words);
    if (number === this.templateEnd.length) {
      for (const word of words) this.templateWord.push(word);
      this.templateEnd.push(this.templateWord.length);
    }
    return number;
  }

  finish(): OperandTable {
    return {
      operandWords: this.words,
      operandLists: finished(this.lists),
      listedOperands: { operand: this.listed.finish() },
      operandTemplates: { end: this.templateEnd.finish() },
      templateWords: { word: this.templateWord.finish() },
      operands: finished(this.operands),
      accessPatterns: { end: this.patternEnd.finish() },
      accessDimensions: { step: this.step.finish(), count: this.count.finish() },
    };
  }
}

/** Interns numbers as pairs of 32-bit words. */
function interned(sequences: Sequences, numbers: readonly number[]): number {
  const key = new Int32Array(numbers.length);
  for (let k = 0; k < key.length; k++) key[k] = numbers[k];
  return sequences.intern(key, key.length);
}

type Builders = Record<string, { finish(): unknown }>;
const finished = <T extends Builders>(builders: T) =>
  Object.fromEntries(Object.entries(builders).map(([name, builder]) => [name, builder.finish()])) as {
    [K in keyof T]: ReturnType<T[K]['finish']>;
  };
