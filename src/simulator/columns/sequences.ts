/**
 * A pool of integer sequences (int32). Equal sequences get the same number, counted from 0 in the order of their first occurrence. It
 * interns sequences without making a string of each.
 */
export class Sequences {
  /** Distinct sequences so far. */
  count = 0;
  private pool: Int32Array = new Int32Array(1024);
  /** First value of each sequence; one more entry than sequences. */
  private start = new Uint32Array(65);
  private hashes: Int32Array = new Int32Array(64);
  /** Open addressing: number of a sequence plus 1, 0 where free. At most half full. */
  private slots = new Uint32Array(128);

  /** Number of the sequence in the first `length` entries. */
  intern(values: Int32Array, length: number): number {
    const hash = hashOf(values, length);
    let slot = hash & (this.slots.length - 1);
    for (; this.slots[slot] !== 0; slot = (slot + 1) & (this.slots.length - 1)) {
      const number = this.slots[slot] - 1;
      if (this.hashes[number] === hash && this.equal(number, values, length)) return number;
    }
    this.slots[slot] = this.count + 1;
    return this.append(values, length, hash);
  }

  private equal(number: number, values: Int32Array, length: number): boolean {
    const start = this.start[number];
    if (this.start[number + 1] - start !== length) return false;
    for (let k = 0; k < length; k++) if (this.pool[start + k] !== values[k]) return false;
    return true;
  }

  private append(values: Int32Array, length: number, hash: number): number {
    const number = this.count++;
    const at = this.start[number];
    while (at + length > this.pool.length) this.pool = doubled(this.pool);
    for (let k = 0; k < length; k++) this.pool[at + k] = values[k];
    this.hashes[number] = hash;
    this.start[number + 1] = at + length;
    if (this.count === this.hashes.length) this.grow();
    return number;
  }

  private grow() {
    this.hashes = doubled(this.hashes);
    const start = new Uint32Array(this.hashes.length + 1);
    start.set(this.start);
    this.start = start;
    this.slots = new Uint32Array(this.slots.length * 2);
    for (let number = 0; number < this.count; number++) {
      let slot = this.hashes[number] & (this.slots.length - 1);
      while (this.slots[slot] !== 0) slot = (slot + 1) & (this.slots.length - 1);
      this.slots[slot] = number + 1;
    }
  }
}

/** FNV-1a over words, then murmur3's last mix: the low bits choose the slot. */
function hashOf(values: Int32Array, length: number): number {
  let hash = 0x811c9dc5 ^ length;
  for (let k = 0; k < length; k++) {
    hash = Math.imul(hash ^ values[k], 0x01000193);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

function doubled(column: Int32Array): Int32Array {
  const bigger = new Int32Array(column.length * 2);
  bigger.set(column);
  return bigger;
}
