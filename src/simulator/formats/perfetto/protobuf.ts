/**
 * Protobuf's wire format, written straight into bytes: lengths of nested messages take four bytes and are filled in when the
 * message ends, as Perfetto's own writers do (a longer varint than needed is valid). protobufjs's writer took five times
 * as long for the same trace (measured), which is more than a million instructions may take.
 */

const WIRE = { varint: 0, fixed64: 1, bytes: 2 } as const;
/** Bytes of a nested message's length; below 2^28. */
const LENGTH_BYTES = 4;
const MAX_VARINT_BYTES = 10;
const MAX_VARINT = 2 ** 53;

export class ProtoBuffer {
  private bytes = new Uint8Array(1 << 20);
  private view = new DataView(this.bytes.buffer);
  private readonly encoder = new TextEncoder();
  /** Bytes written since the last `take`. */
  length = 0;

  /** Returns a copy of the written bytes, and starts again. Not allowed inside a message. */
  take(): Uint8Array {
    const taken = this.bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }

  /** Opens a nested message; `end` with what this returns closes it. */
  begin(field: number): number {
    this.reserve(MAX_VARINT_BYTES + LENGTH_BYTES);
    this.raw((field << 3) | WIRE.bytes);
    this.length += LENGTH_BYTES;
    return this.length;
  }

  end(start: number): void {
    const size = this.length - start;
    for (let k = 0; k < LENGTH_BYTES; k++)
      this.bytes[start - LENGTH_BYTES + k] = ((size >>> (7 * k)) & 0x7f) | (k < LENGTH_BYTES - 1 ? 0x80 : 0);
  }

  /** An integer from 0 to 2^53. @throws RangeError for other numbers: fractions, negative and infinite ones */
  varint(field: number, value: number): void {
    if (!Number.isInteger(value) || value < 0 || value > MAX_VARINT) throw new RangeError(`${value} is not a whole number from 0 to 2^53`);
    this.reserve(2 * MAX_VARINT_BYTES);
    this.raw((field << 3) | WIRE.varint);
    this.raw(value);
  }

  fixed64(field: number, value: number): void {
    this.reserve(MAX_VARINT_BYTES + 8);
    this.raw((field << 3) | WIRE.fixed64);
    this.view.setUint32(this.length, value >>> 0, true);
    this.view.setUint32(this.length + 4, Math.floor(value / 2 ** 32), true);
    this.length += 8;
  }

  double(field: number, value: number): void {
    this.reserve(MAX_VARINT_BYTES + 8);
    this.raw((field << 3) | WIRE.fixed64);
    this.view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  string(field: number, text: string): void {
    this.reserve(MAX_VARINT_BYTES + LENGTH_BYTES + 3 * text.length);
    const start = this.begin(field);
    this.length += this.encoder.encodeInto(text, this.bytes.subarray(this.length)).written;
    this.end(start);
  }

  message(field: number, encoded: Uint8Array): void {
    this.reserve(2 * MAX_VARINT_BYTES + encoded.length);
    this.raw((field << 3) | WIRE.bytes);
    this.raw(encoded.length);
    this.bytes.set(encoded, this.length);
    this.length += encoded.length;
  }

  private raw(value: number) {
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest % 0x80) | 0x80;
      rest = rest < 2 ** 31 ? rest >>> 7 : Math.floor(rest / 0x80);
    }
    this.bytes[this.length++] = rest;
  }

  private reserve(bytes: number) {
    if (this.length + bytes <= this.bytes.length) return;
    const bigger = new Uint8Array(Math.max(2 * this.bytes.length, this.length + bytes));
    bigger.set(this.bytes.subarray(0, this.length));
    this.bytes = bigger;
    this.view = new DataView(bigger.buffer);
  }
}
