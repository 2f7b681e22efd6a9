/**
 * Whether two access patterns of one tensor surely have no common element, though their boxes (`boxes.ts`) overlap: one of two runs may
 * end in the row in which the other begins, and the rows of two tiles may alternate. Decided from offsets, strides and counts alone, for
 * patterns whose dimensions nest: what the inner ones reach is less than the stride of each. Others are never said to be apart.
 * `walkOverlap.ts` is exact for all patterns, and too slow for each pair of accesses.
 */
import { roomFor } from '../../columns/rows';
import type { Patterns } from '../patterns';

/** In `start`: not looked at yet, and a pattern that walks backwards. */
const UNKNOWN = -1;
const BACKWARDS = -2;

export class ApartWalks {
  /** By pattern: its outermost dimension in `walks`. */
  private readonly start: Int32Array;
  /** Dimensions that a pattern walks, from the outermost to the innermost, and a last one with stride 0. */
  private walks = {
    stride: new Float64Array(1024),
    /** Elements less one. */
    steps: new Float64Array(1024),
    /** Elements from the first to the last that this dimension and those inside it reach. */
    reach: new Float64Array(1024),
  };
  private count = 0;

  constructor(private readonly patterns: Patterns) {
    this.start = new Int32Array(patterns.length).fill(UNKNOWN);
  }

  /** Of two patterns of one tensor. */
  are(a: number, b: number): boolean {
    const { patterns } = this;
    if (patterns.dtypeOf(a) !== patterns.dtypeOf(b)) return false;
    const [first, second] = [this.walkOf(a), this.walkOf(b)];
    if (first === BACKWARDS || second === BACKWARDS) return false;
    return !this.mayMeet(first, second, patterns.offset(b) - patterns.offset(a));
  }

  private walkOf(pattern: number): number {
    if (this.start[pattern] === UNKNOWN) this.start[pattern] = this.make(pattern);
    return this.start[pattern];
  }

  private make(pattern: number): number {
    const { patterns } = this;
    const dims = Array.from({ length: patterns.dims(pattern) }, (_, dim) => ({
      stride: patterns.strideOf(pattern, dim),
      steps: patterns.countOf(pattern, dim) - 1,
    })).filter(({ stride, steps }) => stride !== 0 && steps > 0);
    if (dims.some(({ stride }) => stride < 0)) return BACKWARDS;
    dims.sort((x, y) => y.stride - x.stride);
    let reach = dims.reduce((sum, { stride, steps }) => sum + stride * steps, 0);
    const start = this.count;
    for (const { stride, steps } of [...dims, { stride: 0, steps: 0 }]) {
      this.walks = roomFor(this.walks, this.walks.stride.length, this.count);
      this.walks.stride[this.count] = stride;
      this.walks.steps[this.count] = steps;
      this.walks.reach[this.count++] = reach;
      reach -= stride * steps;
    }
    return start;
  }

  /** Whether steps of the dimensions from `a` and from `b` on make up the distance from the first pattern to the second, or do not nest. */
  private mayMeet(a: number, b: number, distance: number): boolean {
    const { stride: strides, steps, reach } = this.walks;
    const stride = Math.max(strides[a], strides[b]);
    if (stride === 0) return distance === 0;
    const [inA, inB] = [strides[a] === stride, strides[b] === stride];
    const [insideA, insideB] = [inA ? a + 1 : a, inB ? b + 1 : b];
    if (reach[insideA] >= stride || reach[insideB] >= stride) return true;
    const [most, least] = [inA ? steps[a] : 0, inB ? -steps[b] : 0];
    // The inner dimensions reach less than a stride to either side.
    const whole = Math.floor(distance / stride);
    for (let step = Math.max(least, whole); step <= Math.min(most, whole + 1); step++)
      if (this.mayMeet(insideA, insideB, distance - step * stride)) return true;
    return false;
  }
}
