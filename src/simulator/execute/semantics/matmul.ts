/** Matrix products on TensorE; the arithmetic is in `kernels.ts`. */
import { ExecutionError } from '../errors';
import { type MatmulKernel, matmulFast, matmulPassThrough, type StridedMatrix } from '../kernels';
import type { Access } from '../patterns';
import { permute, product } from '../patterns';
import type { Step } from '../step';

/** Rows of the contraction: the partitions, times 2 when `double_row` splits it over the first free dimension. */
function contraction(step: Step, operand: Access): number {
  const doubled = step.attribute('perf_mode') === 'double_row';
  if (doubled && operand.counts[1] !== 2) throw new ExecutionError(`double_row needs [K, 2, ...], not [${operand.counts}]`);
  return operand.counts[0] * (doubled ? 2 : 1);
}

/**
 * The accumulator, in `dst` itself where that is possible (`inPlace`): 0, the values of `dst`, or (null) its values where it was written
 * before.
 */
function start(step: Step, count: number, accumulate: boolean | null): { sums: Float32Array; inPlace: boolean } {
  if (step.elements('dst') !== count) return { sums: step.floats(count).fill(0), inPlace: false };
  const dst = step.operand('dst');
  // null: the first write to a place overwrites, the following ones accumulate
  const said = accumulate === true ? 'all' : 'none';
  const written = accumulate === null ? step.memory.readWritten(dst) : said;
  const own = step.open(written === 'none');
  const sums = own ?? step.floats(count);
  if (written === 'none') sums.fill(0);
  else if (!own) step.memory.read(dst, sums);
  if (typeof written !== 'string') for (let i = 0; i < count; i++) if (!written[i]) sums[i] = 0;
  return { sums, inPlace: own !== null };
}

function multiply(step: Step, stationary: Access, moving: Access, kernel: MatmulKernel, notSaid: boolean | null): void {
  const k = contraction(step, stationary);
  if (k !== contraction(step, moving))
    throw new ExecutionError(`${step.row.name}: contraction sizes differ, [${stationary.counts}] and [${moving.counts}]`);
  // A tensor that is accumulated in place must not be an input.
  const { tensor } = step.operand('dst');
  const matrix = (operand: Access) => {
    const stride = product(operand.counts) / k;
    const lying = operand.tensor === tensor ? null : step.memory.matrix(operand, k);
    return lying ?? { values: step.through(operand), stride };
  };
  const [m, n] = [stationary, moving].map(operand => product(operand.counts) / k);
  accumulateProduct(step, matrix(stationary), matrix(moving), [k, m, n], kernel, notSaid);
}

/** `dst (+)= weights[K, M].T @ values[K, N]`. */
export function writeProduct(step: Step, weights: Float32Array, values: Float32Array, k: number): void {
  const [m, n] = [weights.length / k, values.length / k];
  accumulateProduct(step, { values: weights, stride: m }, { values, stride: n }, [k, m, n], matmulFast, null);
}

/** `notSaid`: the accumulation mode if the call does not choose one. */
function accumulateProduct(
  step: Step,
  weights: StridedMatrix,
  values: StridedMatrix,
  [k, m, n]: number[],
  kernel: MatmulKernel,
  notSaid: boolean | null,
): void {
  const accumulate = step.attribute('accumulate');
  const { sums, inPlace } = start(step, m * n, typeof accumulate === 'boolean' ? accumulate : notSaid);
  kernel(weights, values, k, m, n, sums);
  if (!inPlace) step.write(sums);
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
