/**
 * Protobuf messages without a schema, of which only the field numbers are known: `protobufjs` cannot read NTFF and the debug files of a
 * NEFF, because it needs a schema. Fields are views of the file, without copies. It reads one level per call, so a file cannot nest
 * messages deeper than its reader.
 */
import { FormatError } from '../../../columns/container';

type Value = number | Uint8Array;

const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;
const MOST_VARINT_BYTES = 10;

export class ProtobufMessage {
  private readonly fields = new Map<number, Value[]>();

  /** @param what the message's name in errors @throws FormatError if the bytes are no protobuf message */
  constructor(
    bytes: Uint8Array,
    private readonly what: string,
  ) {
    const cursor = { bytes, at: 0, what };
    while (cursor.at < bytes.length) {
      const key = varint(cursor);
      const [field, wire] = [Math.floor(key / 8), key % 8];
      const value = fieldValue(cursor, wire);
      const known = this.fields.get(field);
      if (known) known.push(value);
      else this.fields.set(field, [value]);
    }
  }

  /** 0 where the field is absent, as protobuf has it. Above 2^53 not exact. @throws FormatError */
  number(field: number): number {
    const value = this.fields.get(field)?.[0] ?? 0;
    if (typeof value !== 'number') throw damaged(this.what, `field ${field} is no number`);
    return value;
  }

  /** Empty where the field is absent. @throws FormatError */
  bytes(field: number): Uint8Array {
    return this.all(field)[0] ?? new Uint8Array(0);
  }

  text(field: number): string {
    return new TextDecoder().decode(this.bytes(field));
  }

  /** Every value of a repeated field. @throws FormatError */
  all(field: number): Uint8Array[] {
    const values = this.fields.get(field) ?? [];
    return values.map(value => {
      if (typeof value === 'number') throw damaged(this.what, `field ${field} is a number`);
      return value;
    });
  }

  /** @throws FormatError */
  messages(field: number): ProtobufMessage[] {
    return this.all(field).map(bytes => new ProtobufMessage(bytes, this.what));
  }

  /** A repeated number, packed or not. @throws FormatError */
  numbers(field: number): number[] {
    return (this.fields.get(field) ?? []).flatMap(value => (typeof value === 'number' ? [value] : packed(value, this.what)));
  }
}

interface Cursor {
  bytes: Uint8Array;
  at: number;
  what: string;
}

const damaged = (what: string, why: string) => new FormatError(`${what} is damaged: ${why}`);

function varint(cursor: Cursor): number {
  let value = 0;
  for (let k = 0; k < MOST_VARINT_BYTES; k++) {
    if (cursor.at >= cursor.bytes.length) throw damaged(cursor.what, 'a number is cut off');
    const byte = cursor.bytes[cursor.at++];
    value += (byte & 127) * 2 ** (7 * k);
    if (byte < 128) return value;
  }
  throw damaged(cursor.what, 'a number has too many bytes');
}

function fieldValue(cursor: Cursor, wire: number): Value {
  if (wire === WIRE.varint) return varint(cursor);
  const length = wire === WIRE.bytes ? varint(cursor) : wire === WIRE.fixed64 ? 8 : wire === WIRE.fixed32 ? 4 : -1;
  if (length < 0) throw damaged(cursor.what, 'a field has an unknown type');
  if (length > cursor.bytes.length - cursor.at) throw damaged(cursor.what, 'a field is cut off');
  cursor.at += length;
  return cursor.bytes.subarray(cursor.at - length, cursor.at);
}

function packed(bytes: Uint8Array, what: string): number[] {
  const cursor = { bytes, at: 0, what };
  const numbers: number[] = [];
  while (cursor.at < bytes.length) numbers.push(varint(cursor));
  return numbers;
}
