/** Matrix products on TensorE; the arithmetic is in `kernels.ts`. */
import { ExecutionError } from '../errors';
import { type MatmulKernel, matmulFast, matmulPassThrough } from '../kernels';
import { permute } from '../patterns';
import type { Operand, Step } from '../step';

/** Rows of the contraction: the partitions, times 2 when `double_row` splits it over the first free dimension. */
function contraction(step: Step, operand: Operand): number {
  const doubled = step.attribute('perf_mode') === 'double_row';
  if (doubled && operand.counts[1] !== 2) throw new ExecutionError(`double_row needs [K, 2, ...], not [${operand.counts}]`);
  return operand.counts[0] * (doubled ? 2 : 1);
}

/** What the accumulator starts from: 0, what `dst` holds, or (null) what it holds where it was written before. */
function start(step: Step, count: number, accumulate: boolean | null): Float32Array {
  const before = step.floats(count);
  if (accumulate === false || step.elements('dst') !== count) return before.fill(0);
  const dst = step.operand('dst');
  // null: the first write to a place overwrites, the following ones accumulate
  const written = accumulate === null ? step.memory.readWritten(dst) : 'all';
  if (written === 'none') return before.fill(0);
  step.memory.read(dst, before);
  if (written !== 'all') for (let i = 0; i < count; i++) if (!written[i]) before[i] = 0;
  return before;
}

function multiply(step: Step, stationary: Operand, moving: Operand, kernel: MatmulKernel, notSaid: boolean | null): void {
  const k = contraction(step, stationary);
  if (k !== contraction(step, moving))
    throw new ExecutionError(`${step.row.name}: contraction sizes differ, [${stationary.counts}] and [${moving.counts}]`);
  writeProduct(step, step.through(stationary), step.through(moving), k, kernel, notSaid);
}

/** `dst (+)= weights[K, M].T @ values[K, N]`. `notSaid`: what accumulates when the call does not say. */
export function writeProduct(
  step: Step,
  weights: Float32Array,
  values: Float32Array,
  k: number,
  kernel: MatmulKernel = matmulFast,
  notSaid: boolean | null = null,
): void {
  const accumulate = step.attribute('accumulate');
  const [m, n] = [weights.length / k, values.length / k];
  const out = start(step, m * n, typeof accumulate === 'boolean' ? accumulate : notSaid);
  kernel(weights, values, k, m, n, out);
  step.write(out);
}

/** `dst[M, N] (+)= stationary[K, M].T @ moving[K, N]`. */
export function matmul(step: Step): void {
  const kernel = step.attribute('is_transpose') === true ? matmulPassThrough : matmulFast;
  multiply(step, step.operand('stationary'), step.operand('moving'), kernel, null);
}

/** `dst = x @ y`, or `x.T @ y`, added to `dst` with `accumulate`; contraction over the partitions of `y`. */
export function matmul2d(step: Step): void {
  const x = step.operand('x');
  if (x.counts.length !== 2) throw new ExecutionError(`${step.row.name}: x [${x.counts}] is not a matrix`);
  const turned = step.attribute('transpose_x') === true ? x : { ...x, ...permute(x, [1, 0]) };
  multiply(step, turned, step.operand('y'), matmulFast, false);
}
