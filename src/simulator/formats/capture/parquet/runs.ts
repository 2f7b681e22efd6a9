/**
 * Checks the encoded numbers of a page before hyparquet decodes them: its loops use run lengths and block sizes of the file, so a damaged
 * file could make them run for minutes or forever. Only levels are decoded here, because they give the number of values.
 */
import { FormatError } from '../../../columns/container';
import type { ByteCursor } from './byteCursor';

/** The last run of packed bits may be filled up: writers fill groups of eight, some of them more. */
const MOST_FILLED = 512;
/** Blocks of 128 values in four parts are usual. */
const MOST_BLOCK = 1 << 20;
/** A multiple of this many values is in each part of a block (Parquet's rule). */
const PART_VALUES = 32;

/**
 * Runs of equal numbers and of packed bits, up to `count` numbers.
 * @param width bits of a number
 * @returns the number of ones
 * @throws FormatError if a run is longer than `count`, or the bytes end
 */
export function skipRuns(from: ByteCursor, width: number, count: number): number {
  let [seen, ones] = [0, 0];
  while (seen < count) {
    const head = from.varint(5);
    const length = head >>> 1;
    const left = count - seen;
    if (head & 1) {
      if (8 * length > left + MOST_FILLED) throw tooLong();
      if (width === 1) ones += onesIn(from, Math.min(8 * length, left));
      from.skip(Math.max(Math.min(1, from.left), length * width));
      seen += Math.min(8 * length, left);
    } else {
      if (length > left) throw tooLong();
      if (width === 1 && from.bytes[from.at] === 1) ones += length;
      from.skip((width + 7) >> 3);
      seen += length;
    }
  }
  return ones;
}

const tooLong = () => new FormatError('a run in it is longer than its page');

function onesIn({ bytes, at }: ByteCursor, bits: number): number {
  let ones = 0;
  for (let k = 0; k < bits; k++) ones += (bytes[at + (k >> 3)] >> (k & 7)) & 1;
  return ones;
}

/** Whole numbers as differences in blocks (DELTA_BINARY_PACKED), `count` of them. @throws FormatError */
export function skipDeltas(from: ByteCursor, count: number): void {
  const [block, parts] = [from.varint(5), from.varint(5)];
  const values = block / parts;
  if (!(block > 0 && block <= MOST_BLOCK && parts > 0 && values % PART_VALUES === 0)) throw new FormatError('its blocks make no sense');
  from.varint(5);
  from.varint(10);
  for (let seen = 1; seen < count; ) {
    from.varint(10);
    const widths = from.at;
    from.skip(parts);
    for (let k = 0; k < parts && seen < count; k++, seen += values) {
      const width = from.bytes[widths + k];
      if (width > 64) throw new FormatError('its blocks make no sense');
      // the last part may be shorter
      from.skip(Math.min(from.left, (values * width) / 8));
    }
  }
}
