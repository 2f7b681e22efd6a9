/**
 * `.nkiprof`: a profile as a file. A fixed head and one deflated profile container (`profile/codec.ts`), sources included,
 * so that the file alone can be shown anywhere. Little-endian:
 *
 *     0  8 bytes  "NKIPROF\n"
 *     8  u32      file version (1)
 *    12  u32      packing: 0 stored, 1 deflate (RFC 1951)
 *    16  f64      bytes of the container
 *    24  f64      bytes of the payload: all of the file after the head
 *    32  u32 x 2  hash of the container, high and low (`contentHash.ts`)
 *    40  payload
 *
 * Reading is bounded: no more is unpacked than the size that the head declares, and a size that deflate cannot reach is refused before
 * memory is allocated. The callers read and write the file.
 */
import { deflateSync, Inflate } from 'fflate';
import { checkVersion, FormatError } from '../columns/container';
import { decodeProfile, encodeProfile } from '../profile/codec';
import type { Profile } from '../profile/profile';
import { contentHash, hashText } from './contentHash';

const MAGIC = new TextEncoder().encode('NKIPROF\n');
const HEAD_BYTES = 40;
const FILE_VERSION = 1;
const PACKING = { stored: 0, deflate: 1 } as const;
/** Deflate's best ratio is 1032 to 1 (RFC 1951: 258 bytes for 2 bits); a file with more is damaged. */
const MAX_DEFLATE_RATIO = 1032;
/** Far above real profiles, which reach 10 to 1, because times hardly compress. */
const MAX_LARGE_RATIO = 256;
/** Up to this size any ratio is accepted, because it is little memory. */
const LARGE_BYTES = 64 * 1024 * 1024;
/** Larger than any profile that a viewer can load: 20 M instructions are about 1.5 GB. */
const MAX_CONTAINER_BYTES = 2 ** 31;
/** Measured on 19 MB of profile: level 1 packs to 3.90 MB in 1.2 s, level 6 to 3.83 MB in 2.1 s. */
export const DEFLATE_LEVEL = 1;
/** Input bytes per step of unpacking: bounds the output of one step. */
const STEP_BYTES = 64 * 1024;

export const NKIPROF_EXTENSION = '.nkiprof';

export function encodeNkiprof(profile: Profile): Uint8Array {
  return packNkiprof(encodeProfile(profile));
}

/**
 * From an encoded profile, as it arrives from a worker.
 * @param deflate raw deflate; a host with a native one (node:zlib) passes it: same format, several times the speed.
 */
export function packNkiprof(container: Uint8Array, deflate = deflatePortably): Uint8Array {
  const packed = deflate(container, { level: DEFLATE_LEVEL });
  const file = new Uint8Array(HEAD_BYTES + packed.length);
  const view = new DataView(file.buffer);
  const { high, low } = contentHash(container);
  file.set(MAGIC);
  view.setUint32(8, FILE_VERSION, true);
  view.setUint32(12, PACKING.deflate, true);
  view.setFloat64(16, container.length, true);
  view.setFloat64(24, packed.length, true);
  view.setUint32(32, high, true);
  view.setUint32(36, low, true);
  file.set(packed, HEAD_BYTES);
  return file;
}

const deflatePortably = (bytes: Uint8Array, options: { level: typeof DEFLATE_LEVEL }): Uint8Array => deflateSync(bytes, options);

/** @throws FormatError that names the error in the file. */
export function decodeNkiprof(file: Uint8Array): Profile {
  return decodeProfile(unpackNkiprof(file));
}

/** Raw inflate to at most `sizeBytes`. @throws Error for bytes that do not unpack, or unpack to more */
export type InflateRaw = (payload: Uint8Array, sizeBytes: number) => Uint8Array;

/**
 * The profile container, checked against its hash but not decoded, for a viewer.
 * @param inflate a host with a native one (node:zlib) passes it: several times the speed. @throws FormatError
 */
export function unpackNkiprof(file: Uint8Array, inflate: InflateRaw = inflatePortably): Uint8Array {
  const head = readHead(file);
  const payload = file.subarray(HEAD_BYTES);
  const container = head.packing === PACKING.stored ? payload.slice() : unpacked(() => inflate(payload, head.containerBytes));
  if (container.length !== head.containerBytes) throw damaged('it unpacks to another size than it says');
  const { high, low } = contentHash(container);
  if (high !== head.hashHigh || low !== head.hashLow) throw damaged('its content does not match its checksum');
  return container;
}

/** `profileId` of the container inside, from the head alone: nothing is unpacked. @throws FormatError */
export function nkiprofId(file: Uint8Array): string {
  const { hashHigh, hashLow } = readHead(file);
  return `n_${hashText({ high: hashHigh, low: hashLow })}`;
}

const damaged = (why: string) => new FormatError(`the .nkiprof file is damaged: ${why}`);

function readHead(file: Uint8Array) {
  if (file.length < HEAD_BYTES || MAGIC.some((byte, i) => file[i] !== byte))
    throw new FormatError('not an .nkiprof file: it does not start with NKIPROF');
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const version = view.getUint32(8, true);
  checkVersion('the .nkiprof file', version, FILE_VERSION);
  const packing = view.getUint32(12, true);
  const containerBytes = view.getFloat64(16, true);
  const payloadBytes = view.getFloat64(24, true);
  if (packing !== PACKING.stored && packing !== PACKING.deflate) throw damaged('its head makes no sense');
  if (payloadBytes !== file.length - HEAD_BYTES)
    throw damaged(`it has ${file.length - HEAD_BYTES} bytes of content, its head says ${payloadBytes}`);
  const packed = Math.min(MAX_CONTAINER_BYTES, payloadBytes * MAX_DEFLATE_RATIO, Math.max(LARGE_BYTES, payloadBytes * MAX_LARGE_RATIO));
  const limit = packing === PACKING.stored ? payloadBytes : packed;
  if (!Number.isSafeInteger(containerBytes) || containerBytes < 0 || containerBytes > limit)
    throw damaged(`it claims to unpack to ${containerBytes} bytes`);
  return { packing, containerBytes, hashHigh: view.getUint32(32, true), hashLow: view.getUint32(36, true) };
}

function unpacked(inflate: () => Uint8Array): Uint8Array {
  try {
    return inflate();
  } catch (error) {
    throw error instanceof FormatError ? error : damaged('its content does not unpack');
  }
}

function inflatePortably(payload: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  let filled = 0;
  const stream = new Inflate(chunk => {
    if (filled + chunk.length > size) throw damaged('it unpacks to more than it says');
    out.set(chunk, filled);
    filled += chunk.length;
  });
  for (let at = 0; at < payload.length; at += STEP_BYTES)
    stream.push(payload.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= payload.length);
  return out.subarray(0, filled);
}
