/**
 * Integers as bytes with seven bits each, so that small numbers take few bytes. Signed ones have the sign in the lowest bit. Up to 2^52.
 */

const MORE = 128;

export class VarintWriter {
  private bytes = new Uint8Array(1024);
  /** Bytes so far. */
  length = 0;

  unsigned(value: number): void {
    if (this.length + 8 > this.bytes.length) this.grow();
    for (; value >= MORE; value = Math.floor(value / MORE)) this.bytes[this.length++] = (value % MORE) + MORE;
    this.bytes[this.length++] = value;
  }

  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  finish(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }

  private grow() {
    const bigger = new Uint8Array(this.bytes.length * 2);
    bigger.set(this.bytes);
    this.bytes = bigger;
  }
}

export class VarintReader {
  constructor(
    private readonly bytes: Uint8Array,
    private at = 0,
  ) {}

  unsigned(): number {
    let byte = this.bytes[this.at++];
    let value = byte % MORE;
    for (let scale = MORE; byte >= MORE; scale *= MORE) {
      byte = this.bytes[this.at++];
      value += (byte % MORE) * scale;
    }
    return value;
  }

  signed(): number {
    const value = this.unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
