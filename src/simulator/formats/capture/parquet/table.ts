/**
 * The rows of one Parquet file: plain columns of numbers, texts and truth values, and lists of texts. Other nested columns and other types
 * are ignored: no table of Neuron Explorer that is read has them. hyparquet reads the file after the checks that it lacks (`thrift.ts`, `pages.ts`): damaged files
 * end in an error, in memory and time that grow with the file.
 */
import { type ColumnChunk, type FileMetaData, parquetMetadata, parquetRead, type RowGroup, type SchemaElement } from 'hyparquet';
import { FormatError } from '../../../columns/container';
import type { FileRow } from '../values';
import { ByteCursor } from './byteCursor';
import { checkedPages } from './pages';
import { skipStruct } from './thrift';

/** Far above any profile, and far below the memory's limit. */
const MAX_ROWS = 20_000_000;
/** Tables of events have times and ids, which take bytes in every row; whole columns of one value hardly take any. */
const MOST_VALUES_PER_BYTE = 64;
const FEW_VALUES = 1 << 22;
/** Length of the footer, and `PAR1`. */
const TAIL_BYTES = 8;

const TYPES: ReadonlySet<unknown> = new Set<SchemaElement['type']>(['BOOLEAN', 'INT32', 'INT64', 'FLOAT', 'DOUBLE', 'BYTE_ARRAY']);
/** Meanings that are read; values of others come as they are stored. */
const CONVERTED: ReadonlySet<unknown> = new Set<SchemaElement['converted_type']>(['UTF8', 'ENUM', 'UINT_32', 'UINT_64']);
const LOGICAL: ReadonlySet<unknown> = new Set(['STRING', 'ENUM', 'INTEGER']);

/** @param wanted columns that are read; null: all. @throws FormatError, or an error of hyparquet */
export async function readParquetRows(bytes: Uint8Array, wanted: ReadonlySet<string> | null = null): Promise<FileRow[]> {
  // a copy: the bytes may be part of a larger buffer (and the slice of a Buffer is none)
  const file = new Uint8Array(bytes);
  checkFooter(file);
  const metadata = parquetMetadata(file.buffer, { geoparquet: false });
  // a row of events takes more than a byte, however well it is packed
  const most = Math.min(MAX_ROWS, file.length);
  if (metadata.num_rows < 0 || metadata.num_rows > most) throw new FormatError(`it claims ${metadata.num_rows} rows`);
  checkGroups(metadata, file.length);
  const rows: Record<string, unknown>[] = Array.from({ length: Number(metadata.num_rows) }, () => ({}));
  const elements = new Map([...plainElements(metadata.schema), ...textLists(metadata.schema)]);
  let first = 0;
  for (const group of metadata.row_groups) {
    for (const column of group.columns) {
      const element = elements.get(column.meta_data?.path_in_schema.join('.') ?? '');
      if (element && (wanted?.has(element[0].name) ?? true)) await readColumn(file, { metadata, group, column, element }, rows, first);
    }
    first += Number(group.num_rows);
  }
  return rows;
}

/** A text of the footer's metadata. @throws FormatError, or an error of hyparquet */
export function footerText(bytes: Uint8Array, key: string): string | undefined {
  const file = new Uint8Array(bytes);
  checkFooter(file);
  return parquetMetadata(file.buffer, { geoparquet: false }).key_value_metadata?.find(entry => entry.key === key)?.value;
}

function checkFooter(file: Uint8Array) {
  if (file.length < TAIL_BYTES) throw new FormatError('it is no Parquet file');
  const tail = file.length - TAIL_BYTES;
  const length = new ByteCursor(file, tail).u32();
  if (length > tail) throw new FormatError('its footer is cut short');
  skipStruct(new ByteCursor(file, tail - length, tail));
}

/** Checks that row groups and columns do not overlap, because shared bytes would be read several times. */
function checkGroups({ num_rows, row_groups }: FileMetaData, fileBytes: number) {
  let [rows, packed, values] = [0n, 0n, 0n];
  for (const group of row_groups) {
    if (group.num_rows < 0) throw new FormatError('a row group has less than no rows');
    rows += group.num_rows;
    values += group.num_rows * BigInt(group.columns.length);
    for (const { meta_data } of group.columns) {
      const size = meta_data?.total_compressed_size ?? 0n;
      if (size < 0) throw new FormatError('a column has less than no bytes');
      packed += size;
    }
  }
  if (rows > num_rows) throw new FormatError('its row groups hold more rows than it says');
  if (values > Math.max(FEW_VALUES, MOST_VALUES_PER_BYTE * fileBytes)) throw new FormatError(`it claims ${values} values`);
  if (packed > BigInt(fileBytes)) throw new FormatError('its columns hold more bytes than it has');
}

/** A column's elements from the outermost to that of its values. */
type Nested = readonly SchemaElement[];

/** Columns that are not nested and have one value per row, by name. */
function plainElements(schema: readonly SchemaElement[]): Map<string, Nested> {
  const plain = new Map<string, Nested>();
  for (let at = 1; at < schema.length; at++) {
    const element = schema[at];
    let inside = element.num_children ?? 0;
    if (inside === 0 && element.repetition_type !== 'REPEATED' && TYPES.has(element.type)) plain.set(element.name, [asStored(element)]);
    for (; inside > 0 && at < schema.length - 1; inside--) inside += schema[++at].num_children ?? 0;
  }
  return plain;
}

/** Columns with a list of texts in each row, by the path of the texts. */
function textLists(schema: readonly SchemaElement[]): Map<string, Nested> {
  const lists = new Map<string, Nested>();
  for (let at = 1; at + 2 < schema.length; at++) {
    const [list, repeated, text] = schema.slice(at, at + 3);
    const isList = list.num_children === 1 && (list.converted_type === 'LIST' || list.logical_type?.type === 'LIST');
    const isOfTexts = !text.num_children && text.type === 'BYTE_ARRAY' && text.repetition_type !== 'REPEATED';
    if (
      !isList ||
      list.repetition_type === 'REPEATED' ||
      repeated.repetition_type !== 'REPEATED' ||
      repeated.num_children !== 1 ||
      !isOfTexts
    )
      continue;
    const path = [list, repeated, text].map(({ name }) => name).join('.');
    lists.set(path, [{ ...list, converted_type: 'LIST' }, repeated, asStored(text)]);
  }
  return lists;
}

/** The level at which a list's text is there. */
const listLevelOf = ([list, , text]: Nested) =>
  1 + Number(list.repetition_type !== 'REQUIRED') + Number(text.repetition_type !== 'REQUIRED');

function asStored({ converted_type, logical_type, ...element }: SchemaElement): SchemaElement {
  return {
    ...element,
    ...(CONVERTED.has(converted_type) && { converted_type }),
    ...(LOGICAL.has(logical_type?.type) && { logical_type }),
  };
}

interface Part {
  metadata: FileMetaData;
  group: RowGroup;
  column: ColumnChunk;
  element: Nested;
}

/** By itself: hyparquet starts the columns of a read together, and when two are damaged, the second one's error would not be caught. */
async function readColumn(
  file: Uint8Array<ArrayBuffer>,
  { metadata, group, column, element: nested }: Part,
  rows: Record<string, unknown>[],
  first: number,
) {
  const of = column.meta_data!;
  const [{ name }] = nested;
  const element = nested[nested.length - 1];
  const start = Number(of.dictionary_page_offset || of.data_page_offset);
  const end = start + Number(of.total_compressed_size);
  if (!(start >= 0 && end >= start && end <= file.length)) throw new FormatError(`${name} is not inside the file`);
  if (of.type !== element.type) throw new FormatError(`${name} is ${of.type} and ${element.type}`);
  const count = Number(group.num_rows);
  const pages = checkedPages(file.subarray(start, end), {
    ...{ element, codec: of.codec, rows: count },
    ...(nested.length > 1 && { listLevel: listLevelOf(nested) }),
  });
  await parquetRead({
    file: file.buffer,
    metadata: {
      ...metadata,
      num_rows: group.num_rows,
      schema: [{ name: 'schema', num_children: 1 }, ...nested],
      row_groups: [{ ...group, columns: [column] }],
    },
    columns: [name],
    // the checked pages, each once
    compressors: { SNAPPY: () => pages.shift()! },
    onChunk: ({ columnData, rowStart }) => {
      for (let k = 0; k < columnData.length && rowStart + k < count; k++) rows[first + rowStart + k][name] = columnData[k];
    },
  });
}
