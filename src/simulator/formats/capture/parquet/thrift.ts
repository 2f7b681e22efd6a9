/**
 * Checks a structure of Thrift's compact protocol (the footer, the head of a page) before hyparquet makes objects of it: no list is
 * longer than the remaining bytes, numbers have a limited length, and structures are nested no deeper than in Parquet.
 */
import { FormatError } from '../../../columns/container';
import type { ByteCursor } from './byteCursor';

const TYPE = { stop: 0, true: 1, false: 2, byte: 3, i16: 4, i32: 5, i64: 6, double: 7, binary: 8, list: 9, struct: 12 } as const;
/** A list with its length in a separate number. */
const LONG_LIST = 15;
/** Parquet's own structures nest eight deep. */
const MOST_DEPTH = 16;

/** Moves the cursor to the end of the structure. @throws FormatError */
export function skipStruct(from: ByteCursor, depth = 0): void {
  if (depth > MOST_DEPTH) throw new FormatError('its description is nested too deeply');
  for (let head = from.u8(); (head & 15) !== TYPE.stop; head = from.u8()) {
    // a field's number follows if it is not given as a difference
    if (head >> 4 === 0) from.varint(5);
    skipValue(from, head & 15, depth);
  }
}

const SKIP: Readonly<Record<number, (from: ByteCursor, depth: number) => unknown>> = {
  // a field's truth value is its type
  [TYPE.true]: () => {},
  [TYPE.false]: () => {},
  [TYPE.byte]: from => from.skip(1),
  [TYPE.i16]: from => from.varint(5),
  [TYPE.i32]: from => from.varint(5),
  [TYPE.i64]: from => from.varint(10),
  [TYPE.double]: from => from.skip(8),
  [TYPE.binary]: from => from.skip(from.varint(5)),
  [TYPE.list]: skipList,
  [TYPE.struct]: (from, depth) => skipStruct(from, depth + 1),
};

function skipValue(from: ByteCursor, type: number, depth: number): void {
  if (!Object.hasOwn(SKIP, type)) throw new FormatError('its description is not one of Parquet');
  SKIP[type](from, depth);
}

/** Each element takes a byte at least: truth values do in lists. */
function skipList(from: ByteCursor, depth: number): void {
  const head = from.u8();
  const type = head & 15;
  const size = head >> 4 === LONG_LIST ? from.varint(5) : head >> 4;
  if (size < 0 || size > from.left) throw new FormatError('its description is cut short');
  if (depth > MOST_DEPTH) throw new FormatError('its description is nested too deeply');
  for (let k = 0; k < size; k++) {
    if (type === TYPE.true || type === TYPE.false) from.skip(1);
    else skipValue(from, type, depth + 1);
  }
}
