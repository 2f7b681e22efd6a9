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
/** Levels of a list of texts have two bits. */
const MOST_LEVEL_BITS = 2;
/** A multiple of this many values is in each part of a block (Parquet's rule). */
const PART_VALUES = 32;

/**
 * Runs of equal numbers and of packed bits, up to `count` numbers.
 * @param width bits of a number
 * @param wanted counted where numbers have at most `MOST_LEVEL_BITS`; of wider ones nothing is counted
 * @returns how often it is there
 * @throws FormatError if a run is longer than `count`, or the bytes end
 */
export function skipRuns(from: ByteCursor, width: number, count: number, wanted = 1): number {
  let [seen, found] = [0, 0];
  while (seen < count) {
    const head = from.varint(5);
    const length = head >>> 1;
    const left = count - seen;
    if (head & 1) {
      if (8 * length > left + MOST_FILLED) throw tooLong();
      if (width <= MOST_LEVEL_BITS) found += equalIn(from, width, Math.min(8 * length, left), wanted);
      from.skip(Math.max(Math.min(1, from.left), length * width));
      seen += Math.min(8 * length, left);
    } else {
      if (length > left) throw tooLong();
      if (width <= MOST_LEVEL_BITS && from.bytes[from.at] === wanted) found += length;
      from.skip((width + 7) >> 3);
      seen += length;
    }
  }
  return found;
}

const tooLong = () => new FormatError('a run in it is longer than its page');

/** Numbers of `width` bits that are packed, the lowest bits first. */
function equalIn({ bytes, at }: ByteCursor, width: number, count: number, wanted: number): number {
  const mask = (1 << width) - 1;
  let found = 0;
  for (let k = 0, bit = 0; k < count; k++, bit += width) {
    const byte = at + (bit >> 3);
    const both = bytes[byte] | (bytes[byte + 1] << 8);
    if (((both >> (bit & 7)) & mask) === wanted) found++;
  }
  return found;
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
