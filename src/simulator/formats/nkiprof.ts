/**
 * `.nkiprof`: a profile as a file. A fixed head and the profile's container (`profile/codec.ts`), sources included, in up to three deflated
 * parts (`profile/parts.ts`), so that the file alone can be shown anywhere, and a page can be sent its first part as it is. Little-endian:
 *
 *     0  8 bytes  "NKIPROF\n"
 *     8  u32      file version (2)
 *    12  u32      packing: 0 stored, 1 deflate (RFC 1951), 2 parts
 *    16  f64      bytes of the container
 *    24  f64      bytes of the payload: all of the file after the head
 *    32  u32 x 2  hash of the container, high and low (`contentHash.ts`)
 *    40  payload
 *
 * Payload of packing 2: of each part two f64, its bytes unpacked and packed, 0 and 0 where there is none; then the parts, each a container
 * filtered (`columns/planes.ts`) and deflated. Version 1 has packings 0 and 1.
 *
 * Reading is bounded: no more is unpacked than the size that the head declares, and a size that deflate cannot reach is refused before
 * memory is allocated. The callers read and write the file.
 */
import { deflateSync, Inflate } from 'fflate';
import { checkVersion, FormatError } from '../columns/container';
import { fromPlanes, toPlanes } from '../columns/planes';
import { decodeProfile, encodeProfile } from '../profile/codec';
import { joinedParts, PARTS, type PartName, partsOf } from '../profile/parts';
import type { Profile } from '../profile/profile';
import { contentHash, hashText } from './contentHash';

const MAGIC = new TextEncoder().encode('NKIPROF\n');
const HEAD_BYTES = 40;
const FILE_VERSION = 2;
const PACKING = { stored: 0, deflate: 1, parts: 2 } as const;
const PART_ROW_BYTES = 16;
const PARTS_BYTES = PARTS.length * PART_ROW_BYTES;
/** Deflate's best ratio is 1032 to 1 (RFC 1951: 258 bytes for 2 bits); a file with more is damaged. */
const MAX_DEFLATE_RATIO = 1032;
/** Far above real profiles, which reach 10 to 1, because times hardly compress. Filtered ones of many equal iterations reach what deflate can. */
const MAX_LARGE_RATIO = 256;
/** Up to this size any ratio is accepted, because it is little memory. */
const LARGE_BYTES = 64 * 1024 * 1024;
/** Larger than any profile that a viewer can load: 20 M instructions are about 1.5 GB. */
const MAX_CONTAINER_BYTES = 2 ** 31;
/** Measured on 19 MB of profile, not filtered: level 1 packs to 3.90 MB in 1.2 s, level 6 to 3.83 MB in 2.1 s. */
export const DEFLATE_LEVEL = 1;
/** Input bytes per step of unpacking: bounds the output of one step. */
const STEP_BYTES = 64 * 1024;

export const NKIPROF_EXTENSION = '.nkiprof';

export function encodeNkiprof(profile: Profile): Uint8Array {
  return packNkiprof(encodeProfile(profile));
}

/** Raw deflate (RFC 1951). */
export type DeflateRaw = (bytes: Uint8Array, options: { level: typeof DEFLATE_LEVEL }) => Uint8Array;

/**
 * From an encoded profile, as it arrives from a worker.
 * @param deflate a host with a native one (node:zlib) passes it: same format, several times the speed.
 */
export function packNkiprof(container: Uint8Array, deflate: DeflateRaw = deflatePortably): Uint8Array {
  const parts = partsOf(container);
  const packed = (parts ?? [container]).map(part =>
    part.length === 0 ? part : deflate(toPlanes(part, 'profile'), { level: DEFLATE_LEVEL }),
  );
  return fileOf(container, parts, packed);
}

/** As `packNkiprof`, for a host that deflates beside its own work. */
export async function packingNkiprof(
  container: Uint8Array,
  deflate: (...given: Parameters<DeflateRaw>) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const parts = partsOf(container);
  const packed: Uint8Array[] = [];
  for (const part of parts ?? [container])
    packed.push(part.length === 0 ? part : await deflate(toPlanes(part, 'profile'), { level: DEFLATE_LEVEL }));
  return fileOf(container, parts, packed);
}

/** @param parts null: it is no profile's container, and is packed as it is */
function fileOf(container: Uint8Array, parts: readonly Uint8Array[] | null, packed: readonly Uint8Array[]): Uint8Array {
  const payloadBytes = packed.reduce((size, { length }) => size + length, parts ? PARTS_BYTES : 0);
  const file = new Uint8Array(HEAD_BYTES + payloadBytes);
  const view = new DataView(file.buffer);
  const { high, low } = contentHash(container);
  file.set(MAGIC);
  view.setUint32(8, FILE_VERSION, true);
  view.setUint32(12, parts ? PACKING.parts : PACKING.deflate, true);
  view.setFloat64(16, container.length, true);
  view.setFloat64(24, payloadBytes, true);
  view.setUint32(32, high, true);
  view.setUint32(36, low, true);
  for (const [i, { length }] of (parts ?? []).entries()) {
    view.setFloat64(HEAD_BYTES + i * PART_ROW_BYTES, length, true);
    view.setFloat64(HEAD_BYTES + i * PART_ROW_BYTES + 8, packed[i].length, true);
  }
  let at = HEAD_BYTES + (parts ? PARTS_BYTES : 0);
  for (const bytes of packed) {
    file.set(bytes, at);
    at += bytes.length;
  }
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
  const container = unpacked(() => {
    if (head.packing === PACKING.stored) return payload.slice();
    if (head.packing === PACKING.deflate) return inflate(payload, head.containerBytes);
    return joinedParts(
      partsIn(file).map(({ packed, sizeBytes }) => (packed.length === 0 ? packed : unpackedPart(inflate(packed, sizeBytes), sizeBytes))),
    );
  });
  if (container.length !== head.containerBytes) throw damaged('it unpacks to another size than it says');
  const { high, low } = contentHash(container);
  if (high !== head.hashHigh || low !== head.hashLow) throw damaged('its content does not match its checksum');
  return container;
}

/**
 * One part as it stands in the file, for a page that unpacks it (`webview/unpacking/unpackPart.ts`). The hash, which is of all parts, is not checked.
 * @returns null where the file has no such part, as those of version 1 have none @throws FormatError
 */
export function packedPart(file: Uint8Array, name: PartName): PackedPart | null {
  if (readHead(file).packing !== PACKING.parts) return null;
  const part = partsIn(file)[PARTS.indexOf(name)];
  return part.packed.length === 0 ? null : part;
}

export interface PackedPart {
  packed: Uint8Array;
  /** Inflated. */
  sizeBytes: number;
}

/** @param inflated a part of a file, after raw inflate @param sizeBytes what the file says @throws FormatError */
function unpackedPart(inflated: Uint8Array, sizeBytes: number): Uint8Array {
  if (inflated.length !== sizeBytes) throw damaged('a part unpacks to another size than it says');
  return fromPlanes(inflated, 'profile');
}

/** By position in `PARTS`. */
function partsIn(file: Uint8Array): PackedPart[] {
  if (file.length < HEAD_BYTES + PARTS_BYTES) throw damaged('the list of its parts is cut short');
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let at = HEAD_BYTES + PARTS_BYTES;
  let allBytes = 0;
  const parts = PARTS.map((_, i) => {
    const sizeBytes = view.getFloat64(HEAD_BYTES + i * PART_ROW_BYTES, true);
    const packedBytes = view.getFloat64(HEAD_BYTES + i * PART_ROW_BYTES + 8, true);
    const isReal = [sizeBytes, packedBytes].every(size => Number.isSafeInteger(size) && size >= 0);
    if (!isReal || sizeBytes > packedBytes * MAX_DEFLATE_RATIO) throw damaged(`a part claims to unpack to ${sizeBytes} bytes`);
    allBytes += sizeBytes;
    const packed = file.subarray(at, at + packedBytes);
    at += packedBytes;
    return { sizeBytes, packed };
  });
  if (at !== file.length) throw damaged('its parts are not all of it');
  if (allBytes > MAX_CONTAINER_BYTES) throw damaged(`its parts claim to unpack to ${allBytes} bytes`);
  return parts;
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
  if (!Object.values<number>(PACKING).includes(packing)) throw damaged('its head makes no sense');
  if (payloadBytes !== file.length - HEAD_BYTES)
    throw damaged(`it has ${file.length - HEAD_BYTES} bytes of content, its head says ${payloadBytes}`);
  const deflated = Math.min(MAX_CONTAINER_BYTES, payloadBytes * MAX_DEFLATE_RATIO);
  const limits = [payloadBytes, Math.min(deflated, Math.max(LARGE_BYTES, payloadBytes * MAX_LARGE_RATIO)), deflated];
  const limit = limits[packing];
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
