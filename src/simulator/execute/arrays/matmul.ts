/**
 * Batched matrix products. Sums are kept in float64 and rounded once: closer to the true value than a BLAS, so float32 results may differ
 * from NumPy's in the last bits.
 */

import type { Call, Operation } from './operation';
import { broadcast, dense, sizeOf } from './value';

/** Rows of the right operand that pass together: one load and store of the sums serves them all. */
const DEPTH_STEP = 4;

/** Rows of the right operand that stay in cache while all rows of the left one pass. */
const DEPTH_BLOCK = 64;

/** sums[m×n] += left[m×k] · right[k×n] at the given places. */
function product(sums: Float64Array, left: Float64Array, a: number, right: Float64Array, b: number, [m, k, n]: readonly number[]) {
  for (let block = 0; block < k; block += DEPTH_BLOCK) {
    const end = Math.min(block + DEPTH_BLOCK, k);
    const whole = end - ((end - block) % DEPTH_STEP);
    for (let row = 0; row < m; row++) {
      const from = a + row * k;
      for (let depth = block; depth < whole; depth += DEPTH_STEP) addFour(sums, row * n, left, from + depth, right, b + depth * n, n);
      for (let depth = whole; depth < end; depth++) addOne(sums, row * n, left[from + depth], right, b + depth * n, n);
    }
  }
}

function addFour(sums: Float64Array, to: number, left: Float64Array, a: number, right: Float64Array, b: number, n: number) {
  const x = left[a];
  const y = left[a + 1];
  const z = left[a + 2];
  const w = left[a + 3];
  for (let j = 0; j < n; j++) sums[to + j] += x * right[b + j] + y * right[b + n + j] + z * right[b + 2 * n + j] + w * right[b + 3 * n + j];
}

function addOne(sums: Float64Array, to: number, x: number, right: Float64Array, b: number, n: number) {
  for (let j = 0; j < n; j++) sums[to + j] += x * right[b + j];
}

/** Operands of at least two dimensions, batch dimensions broadcast; the result's shape is [...batch, m, n]. */
export const matmul: Operation = (call: Call) => {
  const [left, right] = call.operands;
  const [m, k] = left.shape.slice(-2);
  const [depth, n] = right.shape.slice(-2);
  if (k !== depth) throw new Error(`shapes (${left.shape}) and (${right.shape}) do not match`);
  const batch = call.shape.slice(0, -2);
  const a = new Float64Array(dense(broadcast(left, [...batch, m, k])));
  const b = new Float64Array(dense(broadcast(right, [...batch, k, n])));
  const out = call.dtype.make(call.size);
  for (let i = 0; i < sizeOf(batch); i++) {
    const sums = new Float64Array(m * n);
    product(sums, a, i * m * k, b, i * k * n, [m, k, n]);
    out.set(sums, i * m * n);
  }
  return out;
};
