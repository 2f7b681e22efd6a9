/**
 * The column container: one binary layout for data with many rows of numbers (programs, profiles).
 *
 * Bytes: magic `NKIC`, u32 version, u32 header length, header (UTF-8 JSON), zero padding to a multiple of 8, then the
 * sections back to back, each padded to 8. All little-endian. The header lists the sections with dtype, offset (from the
 * first section) and row count, so reading makes views and no copies.
 *
 * The container does not depend on the meaning of columns. It does no compression, input or output. The Python front end writes the
 * same layout (`nki/_record/wire/container.py`).
 */
import { isModestJson } from './modestJson';

export type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;
export type ColumnType = 'u8' | 'u16' | 'u32' | 'i32' | 'f32' | 'f64';
export type Columns = Record<string, Column>;

export interface Container {
  /** The kind of content: `program` or `profile`. */
  kind: string;
  /** Version of the content, not of the container. */
  version: number;
  meta: unknown;
  columns: Columns;
}

interface Section {
  name: string;
  dtype: ColumnType;
  offset: number;
  length: number;
}

const MAGIC = 0x43494b4e; // "NKIC", little-endian
const LAYOUT_VERSION = 1;
const HEAD_BYTES = 12;
/** Programs and profiles have about fifty sections. */
const MAX_SECTIONS = 4096;
/** A larger header is an attack or damaged: the largest real one (1 M instructions) is below 40 MB. */
const MAX_HEADER_BYTES = 256 * 1024 * 1024;

const ARRAYS = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

/** Every reader of files throws this error. Its message says what is wrong with the bytes. */
export class FormatError extends Error {
  override name = 'FormatError';
}

/**
 * @param what `the profile`, `the .nkiprof file`
 * @param newest version that this code reads, and writes
 * @throws FormatError for any other
 */
export function checkVersion(what: string, version: number, newest: number): void {
  if (version > newest)
    throw new FormatError(`${what} was made by a newer NKI Scope, version ${version}; this one reads up to ${newest}: update NKI Scope`);
  if (!(version >= 1)) throw new FormatError(`${what} is damaged: it has version ${version}`);
}

export const columnOf = (type: ColumnType, values: readonly number[]): Column => ARRAYS[type].from(values);

export function columnType(column: Column): ColumnType {
  for (const [dtype, make] of Object.entries(ARRAYS)) if (column instanceof make) return dtype as ColumnType;
  throw new TypeError('not a column');
}

const padTo8 = (bytes: number) => (bytes + 7) & ~7;

export function encodeContainer(container: Container): Uint8Array {
  const head = containerHead(container);
  const columns = Object.values(container.columns);
  const bytes = new Uint8Array(columns.reduce((size, { byteLength }) => size + padTo8(byteLength), head.length));
  bytes.set(head);
  let at = head.length;
  for (const { buffer, byteOffset, byteLength } of columns) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += padTo8(byteLength);
  }
  return bytes;
}

/** What stands before the sections. */
export function containerHead({ kind, version, meta, columns }: Container): Uint8Array {
  let offset = 0;
  const sections: Section[] = Object.entries(columns).map(([name, column]) => {
    const section = { name, dtype: columnType(column), offset, length: column.length };
    offset += padTo8(column.byteLength);
    return section;
  });
  const header = new TextEncoder().encode(JSON.stringify({ kind, version, meta, sections }));
  const bytes = new Uint8Array(padTo8(HEAD_BYTES + header.length));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, LAYOUT_VERSION, true);
  view.setUint32(8, header.length, true);
  bytes.set(header, HEAD_BYTES);
  return bytes;
}

/**
 * Views over `bytes`; copies only when the buffer is not 8-byte aligned.
 * @throws FormatError when the bytes are not a container, are cut short, or name sections outside themselves.
 */
export function decodeContainer(bytes: Uint8Array, kind: string): Container {
  if (bytes.length < HEAD_BYTES) throw new FormatError(`not a ${kind} file: only ${bytes.length} bytes`);
  // slice() of a Buffer would be a view, not a copy
  if (bytes.byteOffset % 8 !== 0) bytes = new Uint8Array(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw new FormatError(`not a ${kind} file: it does not start with NKIC`);
  const layout = view.getUint32(4, true);
  checkVersion(`the layout of the ${kind} file`, layout, LAYOUT_VERSION);
  const headerLength = view.getUint32(8, true);
  if (headerLength > MAX_HEADER_BYTES || HEAD_BYTES + headerLength > bytes.length)
    throw new FormatError(`the ${kind} file is cut short: its header needs ${headerLength} bytes`);
  const header = parseHeader(bytes.subarray(HEAD_BYTES, HEAD_BYTES + headerLength), kind);
  if (header.kind !== kind) throw new FormatError(`this is a ${shown(header.kind)} file, not a ${kind} file`);
  const start = padTo8(HEAD_BYTES + headerLength);
  const columns: Columns = {};
  if (header.sections.length > MAX_SECTIONS)
    throw new FormatError(`the ${kind} file is damaged: it has ${header.sections.length} sections`);
  for (const s of header.sections) columns[s?.name] = readSection(bytes, start, s, kind);
  return { kind, version: header.version, meta: header.meta, columns };
}

/** A text from a file, shortened to one line; other values give a fixed text. */
const shown = (name: unknown) => (typeof name === 'string' ? JSON.stringify(name.slice(0, 60)).slice(1, -1) : 'nameless');

function parseHeader(bytes: Uint8Array, kind: string): { kind: unknown; version: number; meta: unknown; sections: Section[] } {
  if (!isModestJson(bytes)) throw new FormatError(`the ${kind} file is damaged: its header is nested too deeply or has too many parts`);
  try {
    const header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (header && Array.isArray(header.sections) && Number.isInteger(header.version)) return header;
  } catch {
    // falls through to the one message for every broken header
  }
  throw new FormatError(`the ${kind} file is damaged: its header does not parse`);
}

function readSection(bytes: Uint8Array, start: number, s: Section, kind: string): Column {
  const make = Object.hasOwn(ARRAYS, s?.dtype) ? ARRAYS[s.dtype] : undefined;
  const whole = (n: unknown) => Number.isSafeInteger(n) && (n as number) >= 0;
  if (!make || typeof s.name !== 'string' || !whole(s.offset) || !whole(s.length) || s.offset % 8 !== 0)
    throw new FormatError(`the ${kind} file is damaged: section ${shown(s?.name)} is described wrongly`);
  if (start + s.offset + s.length * make.BYTES_PER_ELEMENT > bytes.length)
    throw new FormatError(`the ${kind} file is cut short in section ${shown(s.name)}`);
  return new make(bytes.buffer as ArrayBuffer, bytes.byteOffset + start + s.offset, s.length);
}
