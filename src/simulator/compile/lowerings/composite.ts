/**
 * Lowerings of functions that become several instructions: softmax and RMS norm over the free dimensions. ScalarE
 * accumulates sums while it computes, so no separate reduction runs.
 */
import type { Context } from '../context';
import { emitActivation } from './scalar';
import { tileLike } from './shared';
import { emitReciprocal, emitReduce, emitTensorScalar, emitTensorTensor } from './vector';

/** max, exp(x - max) with its sum, 1 / sum, product. */
export function softmax(c: Context) {
  const [dst, x] = [c.operand('dst'), c.operand('x')];
  const [negatedMax, sum, inverse] = [c.column('negated_max', x), c.column('sum', x), c.column('inverse', x)];
  const exponentials = tileLike(c, 'exponentials', x, 'float32');
  emitReduce(c, negatedMax, x, 'MAX', true);
  emitActivation(c, { dst: exponentials, data: x, op: 'exp', columns: [negatedMax], accumulator: sum });
  emitReciprocal(c, inverse, sum);
  emitTensorScalar(c, dst, exponentials, [inverse], 'MULTIPLY');
}

/** Sum of squares, mean plus epsilon, 1 / sqrt, times x, times w. */
export function rmsNorm(c: Context) {
  const [dst, x, w] = [c.operand('dst'), c.operand('x'), c.operand('w')];
  const [sum, mean, scale] = [c.column('sum', x), c.column('mean', x), c.column('scale', x)];
  const squares = tileLike(c, 'squares', x, 'float32');
  const scaled = tileLike(c, 'scaled', x, 'float32');
  const n = Number(c.attribute('n') ?? c.patterns.freeElements(x));
  emitActivation(c, { dst: squares, data: x, op: 'square', accumulator: sum });
  emitTensorScalar(c, mean, sum, [], 'MULTIPLY', `imm0=${1 / n} imm1=${Number(c.attribute('epsilon') ?? 0)}`);
  emitActivation(c, { dst: scale, data: mean, op: 'rsqrt' });
  emitTensorScalar(c, scaled, x, [scale], 'MULTIPLY');
  emitTensorTensor(c, dst, scaled, w, 'MULTIPLY');
}
