/**
 * The box of tensor coordinates an access pattern stays in: lower and upper bound per axis of the tensor. Exact for slices, except that
 * gaps of steps above one are included. A pattern that wraps around an axis has all of it. Boxes of different tensors can be compared
 * only if the tensors share bytes: such boxes are in partitions and bytes.
 */
import { roomFor } from '../../columns/rows';
import type { Patterns } from '../patterns';

/** In `filled`. */
const UNKNOWN = 2;
/** Axes of a tensor at most: far above what kernels use. */
const MAX_RANK = 32;

export class Boxes {
  /** Start in `low`/`high` by pattern; -1: not computed yet. */
  private readonly start: Int32Array;
  /** 1: the pattern fills its box, 0: it does not. */
  private readonly filled: Uint8Array;
  private bounds = { low: new Int32Array(1024), high: new Int32Array(1024) };
  private entries = 0;
  private readonly from = new Float64Array(MAX_RANK);
  private readonly to = new Float64Array(MAX_RANK);

  constructor(private readonly patterns: Patterns) {
    this.start = new Int32Array(patterns.length).fill(-1);
    this.filled = new Uint8Array(patterns.length).fill(UNKNOWN);
  }

  /** Row of the pattern's first axis in `low` and `high` (inclusive and exclusive bounds). */
  of(pattern: number): number {
    if (this.start[pattern] < 0) this.start[pattern] = this.make(pattern);
    return this.start[pattern];
  }

  low(row: number): number {
    return this.bounds.low[row];
  }

  high(row: number): number {
    return this.bounds.high[row];
  }

  overlap(a: number, b: number, rank: number): boolean {
    const { low, high } = this.bounds;
    // Tiles usually differ in their free axes, so compare from the innermost.
    for (let axis = rank - 1; axis >= 0; axis--) if (low[a + axis] >= high[b + axis] || low[b + axis] >= high[a + axis]) return false;
    return true;
  }

  /** a covers b. */
  contains(a: number, b: number, rank: number): boolean {
    const { low, high } = this.bounds;
    for (let axis = rank - 1; axis >= 0; axis--) if (low[a + axis] > low[b + axis] || high[a + axis] < high[b + axis]) return false;
    return true;
  }

  /** Axes of the tensor's boxes. */
  rank(tensor: number): number {
    return this.patterns.aliases.shares(tensor) ? 2 : this.patterns.rank(tensor);
  }

  /** The pattern touches every element of its box. */
  fills(pattern: number): boolean {
    if (this.filled[pattern] === UNKNOWN) {
      const fills = this.patterns.elements(pattern) * this.patterns.bytesOf(pattern) >= this.bytes(pattern);
      this.filled[pattern] = fills ? 1 : 0;
    }
    return this.filled[pattern] === 1;
  }

  /** Of the pattern's box, in all partitions. */
  bytes(pattern: number): number {
    const tensor = this.patterns.tensor(pattern);
    const box = this.of(pattern);
    let elements = 1;
    for (let axis = 0; axis < this.rank(tensor); axis++) elements *= this.high(box + axis) - this.low(box + axis);
    return elements * this.patterns.elementBytes(tensor);
  }

  private make(pattern: number): number {
    const { patterns, from, to } = this;
    const tensor = patterns.tensor(pattern);
    const rank = patterns.rank(tensor);
    const own = patterns.inOwnElements(pattern);
    this.corner(own, tensor, rank);
    for (let dim = 0; dim < patterns.dims(own); dim++) this.extend(own, tensor, rank, dim);
    this.wrap(tensor, rank);
    for (let axis = 0; axis < rank; axis++) {
      const size = patterns.size(tensor, axis);
      from[axis] = from[axis] < 0 ? 0 : from[axis];
      to[axis] = to[axis] < size ? to[axis] + 1 : size;
    }
    if (patterns.aliases.shares(tensor)) this.toBytes(tensor, rank);
    return this.append(this.rank(tensor));
  }

  /** Keeps `from` and `to`. @returns the row of the first axis. */
  private append(rank: number): number {
    const start = this.entries;
    this.entries += rank;
    this.bounds = roomFor(this.bounds, this.bounds.low.length, this.entries);
    for (let axis = 0; axis < rank; axis++) {
      this.bounds.low[start + axis] = this.from[axis];
      this.bounds.high[start + axis] = this.to[axis];
    }
    return start;
  }

  /** Converts coordinates of the tensor to partitions and bytes, from the first to the last byte. */
  private toBytes(tensor: number, rank: number) {
    const { patterns, from, to } = this;
    let [first, last, stride] = [0, 0, 1];
    for (let axis = rank - 1; axis > 0; axis--) {
      first += from[axis] * stride;
      last += (to[axis] - 1) * stride;
      stride *= patterns.size(tensor, axis);
    }
    const bytes = patterns.elementBytes(tensor);
    from[1] = patterns.chosenAddress(tensor) + first * bytes;
    to[1] = patterns.chosenAddress(tensor) + (last + 1) * bytes;
  }

  /** from = to = coordinates of the pattern's first element. */
  private corner(pattern: number, tensor: number, rank: number) {
    const { from, to } = this;
    let rest = this.patterns.offset(pattern);
    for (let axis = rank - 1; axis > 0; axis--) {
      const size = this.patterns.size(tensor, axis);
      const outer = Math.floor(rest / size);
      from[axis] = to[axis] = rest - outer * size;
      rest = outer;
    }
    if (rank > 0) from[0] = to[0] = rest;
  }

  /** Adds the range of one dimension of the pattern, split over the tensor's axes, from the outermost that its stride reaches. */
  private extend(pattern: number, tensor: number, rank: number, dim: number) {
    const { patterns, from, to } = this;
    const stride = patterns.strideOf(pattern, dim);
    const steps = patterns.countOf(pattern, dim) - 1;
    if (stride === 0 || steps <= 0) return;
    let rest = Math.abs(stride);
    let axisStride = rank === 0 ? 1 : patterns.elementsPerPartition(tensor);
    for (let axis = 0; axis < rank && rest > 0; axis++) {
      if (rest >= axisStride) {
        const step = Math.floor(rest / axisStride);
        rest -= step * axisStride;
        if (stride > 0) to[axis] += step * steps;
        else from[axis] -= step * steps;
      }
      if (axis + 1 < rank) axisStride /= patterns.size(tensor, axis + 1);
    }
  }

  /** Carries an overflow of an axis to the next outer one. The whole axis then belongs to the box. */
  private wrap(tensor: number, rank: number) {
    const { from, to } = this;
    for (let axis = rank - 1; axis > 0; axis--) {
      const size = this.patterns.size(tensor, axis);
      if (to[axis] < size && from[axis] >= 0) continue;
      to[axis - 1] += Math.floor(to[axis] / size);
      from[axis - 1] += Math.floor(from[axis] / size);
      from[axis] = 0;
      to[axis] = size - 1;
    }
  }
}
