/**
 * The operand columns of a profile in its container: their types, their checks when a file is read, and the texts that version 1 of the
 * format had instead.
 */
import { FormatError } from '../columns/container';
import { checkRange } from '../columns/groups';
import {
  ACCESS,
  CHANNELS,
  firstRow,
  NO_CHANNELS,
  NO_DTYPE,
  NO_TENSOR,
  type OperandTable,
  templateOf,
  UNKNOWN_SPACE,
} from '../compile/operands/table';
import { MOST_DIMENSIONS, operandTableOf } from '../compile/operands/text';
import { machineFor } from '../hardware/targets';
import { SPACES } from '../vocabulary/spaces';
import { MOST_OPERAND_CHARACTERS } from './limits';

export const OPERAND_COLUMNS = {
  operandLists: { template: 'u32', channels: 'i32', end: 'u32' },
  listedOperands: { operand: 'u32' },
  operandTemplates: { end: 'u32' },
  templateWords: { word: 'i32' },
  operands: { name: 'u16', dtype: 'u16', space: 'u8', addressBytes: 'f64', pattern: 'u32', tensor: 'i32' },
  accessPatterns: { end: 'u32' },
  accessDimensions: { step: 'i32', count: 'u32' },
} as const;

/**
 * @param strings number of the profile's strings
 * @throws FormatError unless all indices lie in their tables, each list has as many operands as its template has places, and all lists
 * can be written out
 */
export function checkOperands(t: OperandTable, strings: number): void {
  const words = t.operandWords.length;
  checkEnds('operandLists', t.operandLists.end, t.listedOperands.operand.length);
  checkEnds('operandTemplates', t.operandTemplates.end, t.templateWords.word.length);
  checkEnds('accessPatterns', t.accessPatterns.end, t.accessDimensions.step.length);
  checkRange('operandLists.template', t.operandLists.template, t.operandTemplates.end.length);
  checkRange('operandLists.channels', t.operandLists.channels, 2 ** 31, NO_CHANNELS);
  checkRange('listedOperands.operand', t.listedOperands.operand, t.operands.name.length);
  checkRange('templateWords.word', t.templateWords.word, words, CHANNELS);
  checkRange('operands.name', t.operands.name, words);
  checkRangeOr('operands.dtype', t.operands.dtype, words, NO_DTYPE);
  checkRangeOr('operands.space', t.operands.space, SPACES.length, UNKNOWN_SPACE);
  checkRange('operands.pattern', t.operands.pattern, t.accessPatterns.end.length);
  checkRange('operands.tensor', t.operands.tensor, strings, NO_TENSOR);
  checkDimensions(t);
  checkTemplates(t);
}

function checkEnds(group: string, end: Uint32Array, rows: number) {
  for (let i = 0; i < end.length; i++) if (end[i] < firstRow(end, i)) throw new FormatError(`${group}.end goes back at row ${i}`);
  if (firstRow(end, end.length) !== rows) throw new FormatError(`${group}.end does not cover its ${rows} rows`);
}

function checkRangeOr(name: string, column: Uint8Array | Uint16Array, limit: number, other: number) {
  for (let i = 0; i < column.length; i++)
    if (column[i] >= limit && column[i] !== other) throw new FormatError(`${name}[${i}] is ${column[i]}, outside 0..${limit - 1}`);
}

function checkDimensions({ accessPatterns: { end } }: OperandTable) {
  for (let i = 0; i < end.length; i++)
    if (end[i] - firstRow(end, i) > MOST_DIMENSIONS)
      throw new FormatError(`an access pattern has ${end[i] - firstRow(end, i)} dimensions, more than ${MOST_DIMENSIONS}`);
}

function checkTemplates(t: OperandTable) {
  const places = new Uint32Array(t.operandTemplates.end.length);
  const characters = new Float64Array(places.length);
  for (let template = 0; template < places.length; template++)
    for (const word of templateOf(t, template)) {
      if (word === ACCESS) places[template]++;
      characters[template] += 1 + (word < 0 ? 0 : t.operandWords[word].length);
    }
  const { template, end } = t.operandLists;
  let total = 0;
  for (let list = 0; list < end.length; list++) {
    const listed = end[list] - firstRow(end, list);
    if (listed !== places[template[list]])
      throw new FormatError(`operandLists: list ${list} has ${listed} operands, its template places for ${places[template[list]]}`);
    total += characters[template[list]];
  }
  if (total > MOST_OPERAND_CHARACTERS) throw new FormatError(`the lists of operands have ${total} characters: more than can be searched`);
}

/**
 * Parses the texts of version 1 to lists.
 * @param index of each instruction in the texts; those of the lists are written over it
 */
export function operandsOfTexts(texts: readonly string[], index: Uint32Array, target: string): OperandTable {
  const { table, lists } = operandTableOf(texts, machineFor(target));
  // the same text may occur twice
  if (lists.some((list, text) => list !== text)) for (let i = 0; i < index.length; i++) index[i] = lists[index[i]];
  return table;
}
