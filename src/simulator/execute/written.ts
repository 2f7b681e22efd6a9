/**
 * Which places of a tensor were written: what a matrix product asks of PSUM when it is not told whether to accumulate.
 * Kept by bytes, because an access may see a tensor as another dtype; values are `memory.ts`'s.
 */
import { inElementsOf } from '../program/elements';
import { fill, gather, scatter } from './moves';
import type { Access } from './patterns';
import { isWhole, type Pattern, product } from './patterns';

export class WrittenBytes {
  /** Tensors that were written whole; and of others, per byte: 1 once it was written. */
  private readonly whole = new Set<number>();
  private readonly bytes = new Map<number, Uint8Array>();

  /** @param sizeBytes of a tensor. */
  constructor(private readonly sizeBytes: (tensor: number) => number) {}

  forget(tensor: number): void {
    this.whole.delete(tensor);
    this.bytes.delete(tensor);
  }

  /** 1 for each element of the pattern that was written before, or that all or none of the tensor was. */
  read(access: Access): Uint8Array | 'all' | 'none' {
    if (this.whole.has(access.tensor)) return 'all';
    const written = this.bytes.get(access.tensor);
    if (!written) return 'none';
    const flags = new Uint8Array(product(access.counts));
    gather(written, bytePattern(access), flags);
    return flags;
  }

  /** @param holds 1 for the elements that are written; null: all. */
  mark(access: Access, holds: Uint8Array | null): void {
    const { tensor, dtype } = access;
    if (this.whole.has(tensor)) return;
    const sizeBytes = this.sizeBytes(tensor);
    if (!holds && isWhole(access, sizeBytes / dtype.sizeBytes)) {
      this.whole.add(tensor);
      this.bytes.delete(tensor);
      return;
    }
    const flags = this.bytes.get(tensor) ?? new Uint8Array(sizeBytes);
    this.bytes.set(tensor, flags);
    if (holds) markHeld(access, holds, flags);
    else fill(1, inElementsOf(access, dtype.sizeBytes, 1), flags);
  }
}

function markHeld(access: Access, holds: Uint8Array, flags: Uint8Array): void {
  const pattern = bytePattern(access);
  const before = new Uint8Array(holds.length);
  gather(flags, pattern, before);
  const after = before.map((was, i) => was | holds[i]);
  for (let byte = 0; byte < access.dtype.sizeBytes; byte++) scatter(after, { ...pattern, offset: pattern.offset + byte }, flags);
}

/** First byte of each element that an access walks. */
const bytePattern = ({ dtype, offset, strides, counts }: Access): Pattern => ({
  offset: offset * dtype.sizeBytes,
  strides: strides.map(stride => stride * dtype.sizeBytes),
  counts,
});
