/**
 * Unpacks and checks the pages of one column of one row group, because hyparquet does not check them. Time and memory are bounded by the
 * file's size: sizes are compared with the compression's limits, counts with the group's rows. hyparquet decodes the values.
 */
import type { ColumnMetaData, PageHeader, SchemaElement } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { decompressPage } from 'hyparquet/src/datapage.js';
import { deltaBinaryUnpack } from 'hyparquet/src/delta.js';
import { FormatError } from '../../../columns/container';
import { ByteCursor } from './byteCursor';
import { skipDeltas, skipRuns } from './runs';
import { skipStruct } from './thrift';

/** Snappy copies 64 bytes for 3 at best. */
const MOST_SNAPPY_RATIO = 22;
/** Limit per page for texts that share prefixes with earlier texts (DELTA_BYTE_ARRAY). */
const MOST_PREFIX_BYTES = 1 << 26;
/** Bits of an index into a dictionary. */
const MOST_INDEX_BITS = 32;

/** The properties of a column on which the layout of its pages depends. */
export interface PageColumn {
  element: SchemaElement;
  codec: ColumnMetaData['codec'];
  /** Of the row group. */
  rows: number;
  /** Of a column of lists: the level at which a value is there. */
  listLevel?: number;
}

/** Of all rows together, as many times their number. An empty list counts as one. */
const MOST_LIST_VALUES = 64;

/**
 * @param chunk all pages of the column, as they are in the file
 * @returns the packed part of each page, unpacked, in their order
 * @throws FormatError
 */
export function checkedPages(chunk: Uint8Array, column: PageColumn): Uint8Array[] {
  const unpacked: Uint8Array[] = [];
  let values = 0;
  const isOfLists = column.listLevel !== undefined;
  const most = isOfLists ? MOST_LIST_VALUES * column.rows : column.rows;
  // as hyparquet: a last byte is no page, and pages of lists are read to the end
  for (let at = 0; (isOfLists || values < most) && at < chunk.length - 1; ) {
    const head = new ByteCursor(chunk, at);
    skipStruct(head);
    const header = parquetHeader({ view: new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength), offset: at });
    const size = whole(header.compressed_page_size);
    if (size > head.left) throw new FormatError('a page is cut short');
    at = head.at + size;
    values += checkPage(header, chunk.subarray(head.at, at), { ...column, rows: most - values }, unpacked);
  }
  return unpacked;
}

/** @returns values in it, nothings included; 0 of a dictionary */
function checkPage(header: PageHeader, packed: Uint8Array, column: PageColumn, unpacked: Uint8Array[]): number {
  if (header.data_page_header_v2) return checkSecondVersion(header, packed, column, unpacked);
  const page = unpack(packed, whole(header.uncompressed_page_size), column.codec);
  unpacked.push(page);
  const { data_page_header: data, dictionary_page_header: dictionary } = header;
  if (!data) {
    // its values take a bit at least
    if (whole(dictionary?.num_values) > 8 * page.length) throw new FormatError('its dictionary is cut short');
    return 0;
  }
  const count = atMost(data.num_values, column.rows);
  const from = new ByteCursor(page);
  const values = valuesIn(from, column, count);
  const isIndexed = isIndex(data.encoding);
  if (isIndexed && column.element.type === 'BOOLEAN') checkFlags(from, values);
  else if (!isIndexed || page[from.at] !== 0) checkValues(from, data.encoding, column, values);
  return count;
}

/** Pages of version 2: levels are not compressed, and the number of nulls is given. */
function checkSecondVersion(header: PageHeader, packed: Uint8Array, column: PageColumn, unpacked: Uint8Array[]): number {
  const data = header.data_page_header_v2!;
  const count = atMost(data.num_values, column.rows);
  const values = count - atMost(data.num_nulls, count);
  whole(data.num_rows);
  const repetitions = atMost(data.repetition_levels_byte_length, packed.length);
  const ends = repetitions + atMost(data.definition_levels_byte_length, packed.length - repetitions);
  if (column.listLevel !== undefined) {
    skipRuns(new ByteCursor(packed), 1, count);
    skipRuns(new ByteCursor(packed, repetitions), bitsOf(column.listLevel), count);
  } else if (column.element.repetition_type !== 'REQUIRED') skipRuns(new ByteCursor(packed, repetitions), 1, count);
  const isPacked = data.is_compressed !== false;
  const page = isPacked ? unpack(packed.subarray(ends), whole(header.uncompressed_page_size - ends), column.codec) : packed.subarray(ends);
  if (isPacked) unpacked.push(page);
  const from = new ByteCursor(page);
  if (data.encoding === 'RLE') checkFlags(from, values);
  else checkValues(from, data.encoding, column, values);
  return count;
}

/** Levels stand before the values. @returns the number of values that are not null */
function valuesIn(from: ByteCursor, { element, listLevel }: PageColumn, count: number): number {
  if (listLevel !== undefined) {
    levels(from, count, 1);
    return levels(from, count, listLevel);
  }
  return element.repetition_type === 'REQUIRED' ? count : levels(from, count, 1);
}

const bitsOf = (level: number) => 32 - Math.clz32(level);

/** @returns how many of them are the highest one */
function levels(from: ByteCursor, count: number, highest: number): number {
  const ends = from.u32() + from.at;
  const values = skipRuns(from, bitsOf(highest), count, highest);
  from.at = Math.min(ends, from.bytes.length);
  return values;
}

/** Booleans in runs, after their total length. */
function checkFlags(from: ByteCursor, count: number) {
  from.skip(4);
  skipRuns(from, 1, count);
}

/** Runs of indices in a dictionary, after their bit width. */
const isIndex = (encoding: string | undefined) => encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY' || encoding === 'RLE';

function checkValues(from: ByteCursor, encoding: string | undefined, { element }: PageColumn, count: number): void {
  if (isIndex(encoding)) {
    const width = atMost(from.u8(), MOST_INDEX_BITS);
    skipRuns(from, width, count);
  } else if (encoding === 'DELTA_BINARY_PACKED' || encoding === 'DELTA_LENGTH_BYTE_ARRAY') skipDeltas(from, count);
  else if (encoding === 'DELTA_BYTE_ARRAY') checkPrefixes(from, count);
  else if (encoding !== 'PLAIN' && encoding !== 'BYTE_STREAM_SPLIT') throw new FormatError(`${element.name} is packed as ${encoding}`);
}

/** Each text is a prefix of the one before and a suffix, so a few bytes may expand to very many. */
function checkPrefixes(from: ByteCursor, count: number) {
  const { bytes, at } = from;
  skipDeltas(from, count);
  const prefixes = new Int32Array(count);
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: at };
  deltaBinaryUnpack(reader, count, prefixes);
  const sum = prefixes.reduce((total, length) => total + whole(length), 0);
  if (sum > MOST_PREFIX_BYTES) throw new FormatError('its texts are too long');
  skipDeltas(new ByteCursor(bytes, reader.offset), count);
}

function unpack(packed: Uint8Array, size: number, codec: ColumnMetaData['codec']): Uint8Array {
  if (codec === 'SNAPPY' && size > MOST_SNAPPY_RATIO * packed.length) throw new FormatError(`a page claims to unpack to ${size} bytes`);
  return decompressPage(packed, size, codec, undefined);
}

const whole = (value: number | undefined) => atMost(value, Number.MAX_SAFE_INTEGER);

function atMost(value: number | undefined, most: number): number {
  if (value === undefined || !Number.isInteger(value) || value < 0 || value > most)
    throw new FormatError(`a page says ${value}: it is damaged`);
  return value;
}
