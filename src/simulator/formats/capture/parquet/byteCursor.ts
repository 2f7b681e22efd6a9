/** Reads bytes of a file in sequence, never past their end. */
import { FormatError } from '../../../columns/container';

export class ByteCursor {
  private readonly view: DataView;

  constructor(
    readonly bytes: Uint8Array,
    public at = 0,
    private readonly end = bytes.length,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (at > end) throw cutShort();
  }

  get left(): number {
    return this.end - this.at;
  }

  u8(): number {
    return this.bytes[this.past(1)];
  }

  u32(): number {
    return this.view.getUint32(this.past(4), true);
  }

  skip(count: number): void {
    this.past(count);
  }

  /** The low 32 bits of a varint, as a signed number. @param mostBytes 5 of a 32-bit number, 10 of one of 64 bits */
  varint(mostBytes: 5 | 10): number {
    let low = 0;
    for (let k = 0; k < mostBytes; k++) {
      const byte = this.u8();
      if (k < 5) low |= (byte & 0x7f) << (7 * k);
      if (byte < 0x80) return low;
    }
    throw new FormatError('a number in it does not end');
  }

  private past(count: number): number {
    const from = this.at;
    if (!(count >= 0 && count <= this.left)) throw cutShort();
    this.at += count;
    return from;
  }
}

const cutShort = () => new FormatError('it is cut short');
