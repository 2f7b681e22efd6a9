/**
 * Whether two access patterns of one tensor surely have no common element, though their boxes (`boxes.ts`) overlap: one of two runs may
 * end in the row in which the other begins, and the rows of two tiles may alternate. Decided from offsets, strides and counts alone, for
 * patterns whose dimensions nest: what the inner ones reach is less than the stride of each. Others are never said to be apart.
 * `walkOverlap.ts` is exact for all patterns, and too slow for each pair of accesses.
 */
import type { Patterns } from '../patterns';

/** Dimensions of two patterns together at most: far above what kernels use. */
const MOST_DIMENSIONS = 64;

export class Apart {
  /** The dimensions that one of the two patterns walks, from the outermost. */
  private readonly stride = new Float64Array(MOST_DIMENSIONS);
  /** Elements less one that the first pattern, and the second, has in each. */
  private readonly steps = [new Float64Array(MOST_DIMENSIONS), new Float64Array(MOST_DIMENSIONS)] as const;
  private count = 0;

  constructor(private readonly patterns: Patterns) {}

  /** Of two patterns of one tensor. */
  are(a: number, b: number): boolean {
    const { patterns } = this;
    if (patterns.dtypeOf(a) !== patterns.dtypeOf(b) || patterns.dims(a) + patterns.dims(b) > MOST_DIMENSIONS) return false;
    this.count = 0;
    if (!this.add(a, 0) || !this.add(b, 1) || !this.nest(0) || !this.nest(1)) return false;
    return !this.meet(0, patterns.offset(b) - patterns.offset(a));
  }

  /** @returns false: it walks backwards, or twice with one stride. */
  private add(pattern: number, side: 0 | 1): boolean {
    const { patterns, stride: strides } = this;
    for (let dim = 0; dim < patterns.dims(pattern); dim++) {
      const [stride, steps] = [patterns.strideOf(pattern, dim), patterns.countOf(pattern, dim) - 1];
      if (stride < 0) return false;
      if (stride === 0 || steps === 0) continue;
      let k = 0;
      while (k < this.count && strides[k] > stride) k++;
      if (k === this.count || strides[k] < stride) this.insert(k, stride);
      if (this.steps[side][k] > 0) return false;
      this.steps[side][k] = steps;
    }
    return true;
  }

  private insert(at: number, stride: number) {
    for (const column of [this.stride, ...this.steps]) column.copyWithin(at + 1, at, this.count);
    this.stride[at] = stride;
    for (const steps of this.steps) steps[at] = 0;
    this.count++;
  }

  private nest(side: 0 | 1): boolean {
    let reach = 0;
    for (let k = this.count - 1; k >= 0; k--) {
      if (reach >= this.stride[k]) return false;
      reach += this.stride[k] * this.steps[side][k];
    }
    return true;
  }

  /** Whether steps of the dimensions from `k` on make up the distance from the first pattern to the second. */
  private meet(k: number, distance: number): boolean {
    if (k === this.count) return distance === 0;
    const whole = Math.floor(distance / this.stride[k]);
    // The inner dimensions reach less than a stride to either side.
    return this.step(k, whole, distance) || this.step(k, whole + 1, distance);
  }

  private step(k: number, steps: number, distance: number): boolean {
    const [first, second] = this.steps;
    return -second[k] <= steps && steps <= first[k] && this.meet(k + 1, distance - steps * this.stride[k]);
  }
}
