/**
 * The files inside a NEFF: a head of 1,024 bytes, then a gzipped tar. It is unpacked piece by piece. Only the requested files are kept,
 * up to a size limit. Weights, which are most of a large NEFF, are skipped.
 */
import { Inflate } from 'fflate';
import { FormatError } from '../../../columns/container';

const HEAD_BYTES = 1024;
const BLOCK_BYTES = 512;
/** Input bytes per step: bounds the memory for the output of a step. */
const STEP_BYTES = 1 << 16;
/** Limit for one kept file, and for all of them together. */
const MOST_KEPT_BYTES = 256 * 2 ** 20;
const FILE_TYPES = new Set(['0', '\0']);

/** @param wanted whether a path in the archive is kept @returns by path @throws FormatError */
export function unpackNeff(neff: Uint8Array, wanted: (path: string) => boolean): Map<string, Uint8Array> {
  if (neff.length < HEAD_BYTES) throw damaged('it is cut off in its head');
  const tar = new TarReader(wanted);
  const packed = neff.subarray(HEAD_BYTES);
  const stream = new Inflate(chunk => tar.push(chunk));
  try {
    for (let at = deflateStart(packed); at < packed.length; at += STEP_BYTES)
      stream.push(packed.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= packed.length);
  } catch (error) {
    if (error instanceof FormatError) throw error;
    throw damaged('its archive does not unpack');
  }
  if (!tar.isWhole) throw damaged('its archive is cut off');
  return tar.files;
}

/** Flags of a gzip head (RFC 1952) for the optional fields after it. */
const GZIP_FLAGS = { checksum: 2, extra: 4, name: 8, comment: 16 } as const;
const GZIP_HEAD_BYTES = 10;

/** fflate's own reader of gzip takes the zeros with which a NEFF is padded for another member. @throws FormatError */
function deflateStart(gzip: Uint8Array): number {
  if (gzip.length < GZIP_HEAD_BYTES || gzip[0] !== 0x1f || gzip[1] !== 0x8b || gzip[2] !== 8) throw damaged('it holds no gzipped archive');
  const flags = gzip[3];
  let at = GZIP_HEAD_BYTES;
  if (flags & GZIP_FLAGS.extra) at += 2 + (gzip[at] | (gzip[at + 1] << 8));
  for (const flag of [GZIP_FLAGS.name, GZIP_FLAGS.comment]) if (flags & flag) at = afterZero(gzip, at);
  return flags & GZIP_FLAGS.checksum ? at + 2 : at;
}

function afterZero(bytes: Uint8Array, from: number): number {
  const zero = bytes.indexOf(0, from);
  return zero < 0 ? bytes.length : zero + 1;
}

export const damaged = (why: string) => new FormatError(`the NEFF is damaged: ${why}`);

/** The old header of tar, which is the part that NEFFs use: name, size, type, prefix. */
class TarReader {
  readonly files = new Map<string, Uint8Array>();
  private readonly header = new Uint8Array(BLOCK_BYTES);
  private headerBytes = 0;
  private file: { path: string; bytes: Uint8Array; filled: number } | null = null;
  /** Remaining bytes of the entry's content, and of its padding. */
  private contentLeft = 0;
  private paddingLeft = 0;
  private keptBytes = 0;

  constructor(private readonly wanted: (path: string) => boolean) {}

  get isWhole(): boolean {
    return this.contentLeft === 0 && this.headerBytes === 0 && this.files.size > 0;
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) at += this.take(chunk.subarray(at));
  }

  /** @returns bytes that were used */
  private take(bytes: Uint8Array): number {
    if (this.contentLeft > 0) return this.content(bytes.subarray(0, this.contentLeft));
    if (this.paddingLeft > 0) {
      const used = Math.min(bytes.length, this.paddingLeft);
      this.paddingLeft -= used;
      return used;
    }
    const part = bytes.subarray(0, BLOCK_BYTES - this.headerBytes);
    this.header.set(part, this.headerBytes);
    this.headerBytes += part.length;
    if (this.headerBytes === BLOCK_BYTES) this.entry();
    return part.length;
  }

  private content(part: Uint8Array): number {
    if (this.file) {
      this.file.bytes.set(part, this.file.filled);
      this.file.filled += part.length;
    }
    this.contentLeft -= part.length;
    if (this.contentLeft === 0) this.close();
    return part.length;
  }

  private entry() {
    this.headerBytes = 0;
    // the end is marked by blocks of zeros
    if (this.header[0] === 0) return;
    const size = Number.parseInt(this.text(124, 12).trim() || '0', 8);
    if (!Number.isSafeInteger(size) || size < 0) throw damaged('its archive makes no sense');
    const prefix = this.text(345, 155);
    const path = `${prefix === '' ? '' : `${prefix}/`}${this.text(0, 100)}`.replace(/^\.\//, '');
    this.contentLeft = size;
    this.paddingLeft = (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;
    if (FILE_TYPES.has(String.fromCharCode(this.header[156])) && this.wanted(path)) this.file = this.opened(path, size);
    if (size === 0) this.close();
  }

  private opened(path: string, size: number) {
    this.keptBytes += size;
    if (this.keptBytes > MOST_KEPT_BYTES) throw damaged(`${path.slice(0, 100)} is too large`);
    return { path, bytes: new Uint8Array(size), filled: 0 };
  }

  private close() {
    if (this.file) this.files.set(this.file.path, this.file.bytes);
    this.file = null;
  }

  private text(from: number, length: number): string {
    const end = this.header.indexOf(0, from);
    return new TextDecoder('latin1').decode(this.header.subarray(from, end < 0 ? from + length : Math.min(end, from + length)));
  }
}
