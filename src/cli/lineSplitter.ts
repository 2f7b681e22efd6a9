/** Splits a stream into lines of a bounded length. */

/** Room for a kernel file of the largest size, with its characters escaped. */
const MOST_BYTES = 2 ** 26;
const NEWLINE = 10;

export class LineSplitter {
  private pieces: Buffer[] = [];
  private size = 0;
  private isTooLong = false;

  constructor(private readonly mostBytes = MOST_BYTES) {}

  /** The lines that end in this piece; null: one that was too long. */
  *push(piece: Buffer): Generator<string | null> {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      this.add(piece.subarray(from, end));
      yield this.take();
      from = end + 1;
    }
    this.add(piece.subarray(from));
  }

  /** The last line, if it is not empty. */
  *end(): Generator<string | null> {
    if (this.size > 0) yield this.take();
  }

  private add(part: Buffer) {
    this.size += part.length;
    this.isTooLong ||= this.size > this.mostBytes;
    if (this.isTooLong) this.pieces = [];
    else if (part.length > 0) this.pieces.push(part);
  }

  private take(): string | null {
    const line = this.isTooLong ? null : Buffer.concat(this.pieces).toString('utf8');
    this.pieces = [];
    this.size = 0;
    this.isTooLong = false;
    return line;
  }
}
