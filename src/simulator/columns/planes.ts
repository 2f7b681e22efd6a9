/**
 * The columns of a container, filtered so that deflate packs them to a fraction: differences of neighbouring rows, and of these all lowest
 * bytes first, then all second ones, and so on (the shuffle filter of HDF5). The filtered container has the same length. The filter works on
 * bits, so that it is exact for any number. For messages between our own programs, not for files.
 */
import { type Column, type Container, decodeContainer, FormatError } from './container';

/** In place of the container's magic number: "NKIP", little-endian. */
const FILTERED = 0x50494b4e;
const CONTAINER = 0x43494b4e;

/** @param kind of the container. @returns the same bytes if they are no container of this kind */
export function toPlanes(bytes: Uint8Array, kind: string): Uint8Array {
  const from = aligned(bytes);
  const columns = columnsOf(from, kind);
  if (!columns) return bytes;
  const planes = new Uint8Array(from);
  new DataView(planes.buffer).setUint32(0, FILTERED, true);
  for (const column of columns) split(column, at(planes, column, from));
  return planes;
}

/** The container of which `toPlanes` made these bytes; other bytes as they are. @throws FormatError for damaged bytes */
export function fromPlanes(bytes: Uint8Array, kind: string): Uint8Array {
  if (bytes.length < 4 || new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) !== FILTERED) return bytes;
  // slice() of a Buffer would be a view, not a copy
  const container = new Uint8Array(bytes);
  new DataView(container.buffer).setUint32(0, CONTAINER, true);
  for (const column of Object.values(decodeContainer(container, kind).columns)) join(at(bytes, column, container), column);
  return container;
}

/** What a filtered container has, as it stands: the bytes of each column are those of its planes. @throws FormatError for other bytes */
export function planesIn(filtered: Uint8Array, kind: string): Container {
  if (filtered.length < 4 || headOf(filtered).getUint32(0, true) !== FILTERED) throw new FormatError(`not a filtered ${kind}`);
  // the head alone differs from a container's
  const container = aligned(filtered);
  headOf(container).setUint32(0, CONTAINER, true);
  try {
    return decodeContainer(container, kind);
  } finally {
    headOf(container).setUint32(0, FILTERED, true);
  }
}

/** The container, whose columns are planes as `planesIn` gives them, as a filtered one. Changes it. */
export function asPlanes(container: Uint8Array): Uint8Array {
  headOf(container).setUint32(0, FILTERED, true);
  return container;
}

const headOf = ({ buffer, byteOffset }: Uint8Array) => new DataView(buffer, byteOffset);

const aligned = (bytes: Uint8Array) => (bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes));

function columnsOf(bytes: Uint8Array, kind: string): Column[] | null {
  try {
    return Object.values(decodeContainer(bytes, kind).columns);
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}

/** The bytes that stand in `bytes` where the column stands in `container`. */
const at = (bytes: Uint8Array, { byteOffset, byteLength }: Column, container: Uint8Array) =>
  bytes.subarray(byteOffset - container.byteOffset, byteOffset - container.byteOffset + byteLength);

/** The bits of a column's rows as 32-bit words, or as the column's own narrower integers. */
function bitsOf(column: Column): Uint8Array | Uint16Array | Uint32Array {
  const { buffer, byteOffset, byteLength } = column;
  if (column instanceof Uint8Array || column instanceof Uint16Array) return column;
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}

function split(column: Column, planes: Uint8Array) {
  const bits = bitsOf(column);
  if (column.BYTES_PER_ELEMENT === 8) split8(bits, planes);
  else if (column.BYTES_PER_ELEMENT === 4) split4(bits, planes);
  else splitNarrow(bits, planes);
}

function join(planes: Uint8Array, column: Column) {
  const bits = bitsOf(column);
  if (column.BYTES_PER_ELEMENT === 8) join8(planes, bits);
  else if (column.BYTES_PER_ELEMENT === 4) join4(planes, bits);
  else joinNarrow(planes, bits);
}

type Bits = ReturnType<typeof bitsOf>;

function splitNarrow(bits: Bits, planes: Uint8Array) {
  const rows = bits.length;
  for (let row = 0, before = 0; row < rows; row++) {
    const difference = bits[row] - before;
    before = bits[row];
    planes[row] = difference;
    if (bits.BYTES_PER_ELEMENT === 2) planes[rows + row] = difference >> 8;
  }
}

function joinNarrow(planes: Uint8Array, bits: Bits) {
  const rows = bits.length;
  for (let row = 0, before = 0; row < rows; row++) {
    before += bits.BYTES_PER_ELEMENT === 2 ? planes[row] | (planes[rows + row] << 8) : planes[row];
    bits[row] = before;
    before = bits[row];
  }
}

function split4(bits: Bits, planes: Uint8Array) {
  const rows = bits.length;
  for (let row = 0, before = 0; row < rows; row++) {
    const difference = (bits[row] - before) | 0;
    before = bits[row];
    planes[row] = difference;
    planes[rows + row] = difference >>> 8;
    planes[2 * rows + row] = difference >>> 16;
    planes[3 * rows + row] = difference >>> 24;
  }
}

function join4(planes: Uint8Array, bits: Bits) {
  const rows = bits.length;
  for (let row = 0, before = 0; row < rows; row++) {
    const difference = planes[row] | (planes[rows + row] << 8) | (planes[2 * rows + row] << 16) | (planes[3 * rows + row] << 24);
    before = (before + difference) | 0;
    bits[row] = before;
  }
}

/** Two words a row, the lower one first: all planes of the lower words come first. */
function split8(bits: Bits, planes: Uint8Array) {
  const rows = bits.length / 2;
  const half = 4 * rows;
  for (let row = 0, low = 0, high = 0; row < rows; row++) {
    const lowBits = bits[2 * row];
    const borrow = lowBits < low ? 1 : 0;
    const lowDifference = (lowBits - low) | 0;
    const highDifference = (bits[2 * row + 1] - high - borrow) | 0;
    low = lowBits;
    high = bits[2 * row + 1];
    planes[row] = lowDifference;
    planes[rows + row] = lowDifference >>> 8;
    planes[2 * rows + row] = lowDifference >>> 16;
    planes[3 * rows + row] = lowDifference >>> 24;
    planes[half + row] = highDifference;
    planes[half + rows + row] = highDifference >>> 8;
    planes[half + 2 * rows + row] = highDifference >>> 16;
    planes[half + 3 * rows + row] = highDifference >>> 24;
  }
}

function join8(planes: Uint8Array, bits: Bits) {
  const rows = bits.length / 2;
  const half = 4 * rows;
  for (let row = 0, low = 0, high = 0; row < rows; row++) {
    const lowDifference = (planes[row] | (planes[rows + row] << 8) | (planes[2 * rows + row] << 16) | (planes[3 * rows + row] << 24)) >>> 0;
    const highDifference =
      planes[half + row] | (planes[half + rows + row] << 8) | (planes[half + 2 * rows + row] << 16) | (planes[half + 3 * rows + row] << 24);
    const sum = low + lowDifference;
    low = sum >>> 0;
    high = (high + highDifference + (sum > 0xffffffff ? 1 : 0)) | 0;
    bits[2 * row] = low;
    bits[2 * row + 1] = high;
  }
}
