/** Operations that make arrays from attributes. */
import { type Call, number, type Operation } from './operation';
import { constant } from './value';

const generate = (call: Call, at: (i: number) => number) => {
  const out = call.dtype.make(call.size);
  for (let i = 0; i < out.length; i++) out[i] = at(i);
  return out;
};

/** Attributes start, step. The increment is rounded once, as NumPy does. */
function arange(call: Call) {
  const start = number(call.attributes.start, 'start');
  const delta = start + number(call.attributes.step, 'step') - start;
  return generate(call, i => start + i * delta);
}

/** Attributes start, stop, endpoint. */
function linspace(call: Call) {
  const start = number(call.attributes.start, 'start');
  const stop = number(call.attributes.stop, 'stop');
  const intervals = call.attributes.endpoint === false ? call.size : call.size - 1;
  const step = (stop - start) / intervals;
  const out = generate(call, i => (i === 0 ? start : start + i * step));
  if (call.attributes.endpoint !== false && call.size > 1) out[call.size - 1] = stop;
  return out;
}

/** Ones on diagonal `k` of a matrix. */
function eye(call: Call) {
  const k = number(call.attributes.k ?? 0, 'k');
  const [rows, columns] = call.shape;
  const out = call.dtype.make(call.size);
  for (let row = Math.max(0, -k); row < rows && row + k < columns; row++) out[row * columns + row + k] = 1;
  return out;
}

export const creation: Record<string, Operation> = {
  fill: call => constant(call.dtype, call.shape, number(call.attributes.value, 'value')),
  arange,
  linspace,
  eye,
};
