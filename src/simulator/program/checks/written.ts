/**
 * Which elements of each tensor have been written so far. Exact, and cheap for ordinary kernels: a tensor that is written whole needs a
 * flag, one that is always accessed by the same pattern needs that pattern, and any other needs a bit per element.
 */
import { Sequences } from '../../columns/sequences';
import type { CheckedProgram } from './checkedProgram';

const NOTHING = 0;
/** Written by one pattern only: `only` has the operand row. */
const ONE_PATTERN = 1;
const SOME = 2;
const ALL = 3;

/** A larger tensor counts as written whole after its first write. The limit is 32 MiB of bits. */
const TRACKED_ELEMENTS = 2 ** 28;

/** Called for elements at..at+length-1. It returns false to end the iteration. */
type Accept = (at: number, length: number) => boolean;

export class WrittenElements {
  private readonly state: Uint8Array;
  private readonly only: Uint32Array;
  private readonly bits = new Map<number, Uint32Array>();
  /** For tensors with bits: the number of elements that are not written yet. */
  private readonly missing: Float64Array;
  /** Patterns that are known to be written, by tensor. */
  private readonly known = new Map<number, Set<number>>();
  private readonly patterns = new Sequences();
  private readonly key = new Int32Array(256);

  constructor(private readonly checked: CheckedProgram) {
    const count = checked.elements.length;
    this.state = new Uint8Array(count);
    this.only = new Uint32Array(count);
    this.missing = Float64Array.from(checked.elements);
  }

  nothing(tensor: number): boolean {
    return this.state[tensor] === NOTHING && this.checked.elements[tensor] > 0;
  }

  all(tensor: number): boolean {
    return this.state[tensor] === ALL || this.checked.elements[tensor] === 0;
  }

  writeAll(tensor: number) {
    this.state[tensor] = ALL;
    this.forget(tensor);
  }

  /** Frees the state of a tensor that is not accessed any more. */
  forget(tensor: number) {
    this.bits.delete(tensor);
    this.known.delete(tensor);
  }

  /** Marks the elements of operand row `o` as written. */
  write(o: number) {
    const tensor = this.checked.p.operands.tensor[o];
    const state = this.state[tensor];
    if (state === ALL || this.empty(o)) return;
    if (this.checked.elements[tensor] > TRACKED_ELEMENTS || this.whole(o, tensor)) return this.writeAll(tensor);
    if (state === NOTHING) {
      this.state[tensor] = ONE_PATTERN;
      this.only[tensor] = o;
      return;
    }
    if (state === ONE_PATTERN) {
      if (this.same(o, this.only[tensor])) return;
      this.spread(tensor);
    }
    if (!this.remember(o, tensor)) this.mark(o, tensor);
  }

  /** Whether all elements of operand row `o` were written. `partitions`: only those in these partitions of its tensor. */
  covers(o: number, partitions?: ReadonlySet<number>): boolean {
    const tensor = this.checked.p.operands.tensor[o];
    const state = this.state[tensor];
    if (state === ALL || this.empty(o)) return true;
    if (state === NOTHING) return partitions !== undefined && this.partsOf(o, tensor, partitions, () => false);
    if (state === ONE_PATTERN) {
      if (this.same(o, this.only[tensor])) return true;
      this.spread(tensor);
      if (this.all(tensor)) return true; // the pattern has every element, in another order
    }
    if (this.isKnown(o, tensor)) return true;
    const bits = this.bits.get(tensor)!;
    const covered = this.partsOf(o, tensor, partitions, (at, length) => allSet(bits, at, length));
    if (covered && !partitions) this.remember(o, tensor);
    return covered;
  }

  /** Calls `found` for every element of the operand (in these partitions) that was not written. At least one must be missing. */
  eachMissing(o: number, found: (element: number) => void, partitions?: ReadonlySet<number>) {
    const tensor = this.checked.p.operands.tensor[o];
    const bits = this.bits.get(tensor);
    this.partsOf(o, tensor, partitions, (at, length) => {
      for (let k = at; k < at + length; k++) if (!bits || (bits[k >>> 5] & (1 << (k & 31))) === 0) found(k);
      return true;
    });
  }

  /** The same for a whole tensor of which a part was written. @returns the number of missing elements. */
  eachMissingOf(tensor: number, found: (element: number) => void): number {
    if (this.state[tensor] === ONE_PATTERN) this.spread(tensor);
    const bits = this.bits.get(tensor);
    if (!bits || this.missing[tensor] === 0) return 0;
    for (let k = 0; k < this.checked.elements[tensor]; k++) if ((bits[k >>> 5] & (1 << (k & 31))) === 0) found(k);
    return this.missing[tensor];
  }

  private empty(o: number): boolean {
    const { dimStart, dimCount } = this.checked.p.operands;
    for (let d = dimStart[o]; d < dimStart[o + 1]; d++) if (dimCount[d] === 0) return true;
    return false;
  }

  /** Whether the operand's pattern goes from the first to the last element of the tensor. */
  private whole(o: number, tensor: number): boolean {
    const { dimStart, dimCount, dimStride, offset } = this.checked.p.operands;
    if (offset[o] !== 0) return false;
    let run = 1;
    for (let d = dimStart[o + 1] - 1; d >= dimStart[o]; d--) {
      if (dimCount[d] === 1) continue;
      if (dimStride[d] !== run) return false;
      run *= dimCount[d];
    }
    return run === this.checked.elements[tensor];
  }

  private same(a: number, b: number): boolean {
    const { dimStart, dimCount, dimStride, offset } = this.checked.p.operands;
    const dims = dimStart[a + 1] - dimStart[a];
    if (offset[a] !== offset[b] || dims !== dimStart[b + 1] - dimStart[b]) return false;
    for (let k = 0; k < dims; k++) {
      const [x, y] = [dimStart[a] + k, dimStart[b] + k];
      if (dimCount[x] !== dimCount[y] || dimStride[x] !== dimStride[y]) return false;
    }
    return true;
  }

  /** Changes a tensor's state from one pattern to bits. */
  private spread(tensor: number) {
    this.state[tensor] = SOME;
    this.bits.set(tensor, new Uint32Array(Math.ceil(this.checked.elements[tensor] / 32)));
    this.mark(this.only[tensor], tensor);
    this.remember(this.only[tensor], tensor);
  }

  private mark(o: number, tensor: number) {
    const bits = this.bits.get(tensor);
    if (!bits) return;
    let fresh = 0;
    this.runs(o, (at, length) => {
      fresh += set(bits, at, length);
      return true;
    });
    this.missing[tensor] -= fresh;
    if (this.missing[tensor] === 0) this.writeAll(tensor);
  }

  /** @returns whether the pattern was known before. */
  private remember(o: number, tensor: number): boolean {
    if (this.state[tensor] === ALL) return true;
    const number = this.patternNumber(o);
    let known = this.known.get(tensor);
    if (!known) {
      known = new Set();
      this.known.set(tensor, known);
    }
    if (number < 0 || known.has(number)) return number >= 0;
    known.add(number);
    return false;
  }

  private isKnown(o: number, tensor: number): boolean {
    return this.known.get(tensor)?.has(this.patternNumber(o)) ?? false;
  }

  /** A number that is equal for equal patterns; -1 for a pattern with too many dimensions. */
  private patternNumber(o: number): number {
    const { dimStart, dimCount, dimStride, offset } = this.checked.p.operands;
    const { key } = this;
    if (2 * (dimStart[o + 1] - dimStart[o]) + 2 > key.length) return -1;
    let n = 0;
    key[n++] = Math.floor(offset[o] / 2 ** 32);
    key[n++] = offset[o] | 0;
    for (let d = dimStart[o]; d < dimStart[o + 1]; d++) {
      key[n++] = dimCount[d];
      key[n++] = dimStride[d];
    }
    return this.patterns.intern(key, n);
  }

  /** Calls `accept` with runs of neighbouring elements of the operand, cut to these partitions, until it returns false. */
  private partsOf(o: number, tensor: number, partitions: ReadonlySet<number> | undefined, accept: Accept): boolean {
    if (!partitions) return this.runs(o, accept);
    const size = this.checked.perPartition[tensor];
    return this.runs(o, (from, length) => {
      for (let at = from, next: number; at < from + length; at = next) {
        const partition = Math.floor(at / size);
        next = Math.min(from + length, (partition + 1) * size);
        if (partitions.has(partition) && !accept(at, next - at)) return false;
      }
      return true;
    });
  }

  /** Calls `accept` with runs of neighbouring elements of the operand, until it returns false. @returns false if it did. */
  private runs(o: number, accept: Accept): boolean {
    const { dimStart, dimCount, dimStride, offset } = this.checked.p.operands;
    let inner = dimStart[o + 1];
    let length = 1;
    while (inner > dimStart[o] && (dimCount[inner - 1] === 1 || dimStride[inner - 1] === length)) length *= dimCount[--inner];
    const walk = (d: number, at: number): boolean => {
      if (d === inner) return accept(at, length);
      const count = dimStride[d] === 0 ? 1 : dimCount[d];
      for (let k = 0; k < count; k++) if (!walk(d + 1, at + k * dimStride[d])) return false;
      return true;
    };
    return walk(dimStart[o], offset[o]);
  }
}

/** Mask of bits from..from+length-1, cut to the word that contains bit `from`. */
function wordMask(from: number, length: number): number {
  const first = from & 31;
  const count = Math.min(32 - first, length);
  return (count === 32 ? -1 : ((1 << count) - 1) << first) | 0;
}

/** @returns the number of bits that were not set before. */
function set(bits: Uint32Array, from: number, length: number): number {
  let fresh = 0;
  for (let at = from; at < from + length; at = (at | 31) + 1) {
    const mask = wordMask(at, from + length - at);
    fresh += ones(mask & ~bits[at >>> 5]);
    bits[at >>> 5] |= mask;
  }
  return fresh;
}

function allSet(bits: Uint32Array, from: number, length: number): boolean {
  for (let at = from; at < from + length; at = (at | 31) + 1) {
    const mask = wordMask(at, from + length - at);
    if ((bits[at >>> 5] & mask) !== mask) return false;
  }
  return true;
}

/** Number of ones in a 32-bit word: sums of bits in pairs, nibbles, bytes. */
function ones(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
