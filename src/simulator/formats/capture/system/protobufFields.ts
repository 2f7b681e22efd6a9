/** The fields of a protobuf message one by one, with whole numbers of 64 bits. One level per call: a file cannot nest deeper than its reader. */
import { FormatError } from '../../../columns/container';

/** A varint as its number; everything else as its bytes, which are a view of the file. */
export type FieldValue = bigint | Uint8Array;

const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;
const MOST_VARINT_BYTES = 10;
const MOST_FIELD = 2 ** 29;
const decoder = new TextDecoder();

const damaged = (why: string) => new FormatError(`the Perfetto trace is damaged: ${why}`);

/** @throws FormatError if the bytes are no message */
export function eachField(bytes: Uint8Array, visit: (field: number, value: FieldValue) => void): void {
  let at = 0;
  const varint = (): bigint => {
    let [low, value] = [0, 0n];
    for (let k = 0; k < MOST_VARINT_BYTES; k++) {
      if (at >= bytes.length) throw damaged('a number is cut off');
      const byte = bytes[at++];
      // numbers below 2^49 without a bigint for each byte
      if (k < 7) low += (byte & 127) * 2 ** (7 * k);
      else value |= BigInt(byte & 127) << BigInt(7 * k);
      if (byte < 128) return BigInt(low) | value;
    }
    throw damaged('a number has too many bytes');
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const [field, wire] = [Math.floor(key / 8), key % 8];
    if (field < 1 || field >= MOST_FIELD) throw damaged('a field has no number');
    if (wire === WIRE.varint) visit(field, varint());
    else {
      const length = wire === WIRE.bytes ? Number(varint()) : wire === WIRE.fixed64 ? 8 : wire === WIRE.fixed32 ? 4 : -1;
      if (length < 0) throw damaged('a field has an unknown type');
      if (length > bytes.length - at) throw damaged('a field is cut off');
      at += length;
      visit(field, bytes.subarray(at - length, at));
    }
  }
}

/** A varint, or the eight bytes of a fixed one. @throws FormatError */
export function numberIn(value: FieldValue): bigint {
  if (!(value instanceof Uint8Array)) return value;
  if (value.length !== 8) throw damaged('a number is none');
  return new DataView(value.buffer, value.byteOffset).getBigUint64(0, true);
}

/** @throws FormatError */
export function textIn(value: FieldValue): string {
  if (!(value instanceof Uint8Array)) throw damaged('a text is a number');
  return decoder.decode(value);
}
