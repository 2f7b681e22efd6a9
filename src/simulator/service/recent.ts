/** A cache of the last answers, up to a number of bytes. */
export class Recent {
  private readonly answers = new Map<number, Uint8Array>();
  private heldBytes = 0;

  constructor(private readonly mostBytes: number) {}

  get(key: number): Uint8Array | undefined {
    const found = this.answers.get(key);
    if (found) this.put(key, found);
    return found;
  }

  put(key: number, bytes: Uint8Array): void {
    this.heldBytes -= this.answers.get(key)?.length ?? 0;
    this.answers.delete(key);
    this.answers.set(key, bytes);
    this.heldBytes += bytes.length;
    for (const [oldest, { length }] of this.answers) {
      if (this.heldBytes <= this.mostBytes) break;
      this.answers.delete(oldest);
      this.heldBytes -= length;
    }
  }
}
