/**
 * Lowerings of functions that become several instructions. In softmax and RMS norm ScalarE accumulates sums while it computes,
 * so no separate reduction runs. How AWS's compiler divides the others is not published: these are the shortest forms that we found.
 */
import type { CompileContext } from '../context';
import { emitActivation } from './scalar';
import { tileLike } from './shared';
import { emitReciprocal, emitReduce, emitTensorScalar, emitTensorTensor } from './vector';

const TURN = 2 * Math.PI;

/** max, exp(x - max) with its sum, 1 / sum, product. */
export function softmax(c: CompileContext) {
  const [dst, x] = [c.operand('dst'), c.operand('x')];
  const [negatedMax, sum, inverse] = [c.column('negated_max', x), c.column('sum', x), c.column('inverse', x)];
  const exponentials = tileLike(c, 'exponentials', x, 'float32');
  emitReduce(c, negatedMax, x, 'MAX', true);
  emitActivation(c, { dst: exponentials, data: x, op: 'exp', columns: [negatedMax], accumulator: sum });
  emitReciprocal(c, inverse, sum);
  emitTensorScalar(c, dst, exponentials, [inverse], 'MULTIPLY');
}

/** Sum of squares, mean plus epsilon, 1 / sqrt, times x, times w. */
export function rmsNorm(c: CompileContext) {
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

/** sin(x + bias): the argument modulo 2 pi on VectorE, then the function in ScalarE's range. */
export function periodic(c: CompileContext) {
  emitSine(c, c.operand('dst'), c.operand('x'), Number(c.attribute('bias') ?? 0));
}

function emitSine(c: CompileContext, dst: number, x: number, bias: number) {
  const reduced = tileLike(c, 'reduced', x, 'float32');
  emitTensorScalar(c, reduced, x, [], 'ADD', `op1=MOD imm0=${bias + Math.PI} imm1=${TURN}`);
  emitActivation(c, { dst, data: reduced, op: 'sin', after: `scale=1.000000 imm=${(-Math.PI).toFixed(6)} accumulator_cmd=IDLE` });
}

/** Sine over cosine. */
export function tangent(c: CompileContext) {
  const [dst, x] = [c.operand('dst'), c.operand('x')];
  const [sine, cosine, inverse] = ['sine', 'cosine', 'inverse'].map(name => tileLike(c, name, x, 'float32'));
  emitSine(c, sine, x, 0);
  emitSine(c, cosine, x, Math.PI / 2);
  emitReciprocal(c, inverse, cosine);
  emitTensorTensor(c, dst, sine, inverse, 'MULTIPLY');
}

/** x less its remainder by 1: `mod` has the divisor's sign (floor), `fmod` the dividend's (trunc); ceil is -floor(-x). */
export function rounding(c: CompileContext) {
  const [dst, x] = [c.operand('dst'), c.operand('x')];
  const op = c.attribute('op');
  const data = op === 'ceil' ? tileLike(c, 'negated', x, 'float32') : x;
  if (op === 'ceil') emitTensorScalar(c, data, x, [], 'MULTIPLY', 'imm0=-1');
  const remainder = tileLike(c, 'remainder', x, 'float32');
  emitTensorScalar(c, remainder, data, [], op === 'trunc' ? 'FMOD' : 'MOD', 'imm0=1');
  // remainder - data is -floor(data)
  if (op === 'ceil') emitTensorTensor(c, dst, remainder, data, 'SUBTRACT');
  else emitTensorTensor(c, dst, data, remainder, 'SUBTRACT');
}

/** Mean, distances from it, their squares, the mean of those. */
export function variance(c: CompileContext) {
  const [dst, x] = [c.operand('dst'), c.operand('x')];
  const average = tileLike(c, 'average', dst, 'float32');
  const [distances, squares] = [tileLike(c, 'distances', x, 'float32'), tileLike(c, 'squares', x, 'float32')];
  const share = `imm0=${c.patterns.freeElements(dst) / c.patterns.freeElements(x)}`;
  emitReduce(c, average, x, 'ADD');
  emitTensorScalar(c, average, average, [], 'MULTIPLY', share);
  emitTensorTensor(c, distances, x, average, 'SUBTRACT');
  emitTensorTensor(c, squares, distances, distances, 'MULTIPLY');
  emitReduce(c, dst, squares, 'ADD');
  emitTensorScalar(c, dst, dst, [], 'MULTIPLY', share);
}
