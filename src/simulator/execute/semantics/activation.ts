/**
 * ScalarE: `dst = op(data * scale + bias)` in float32, and the reduction of what was written along the free axes into the
 * engine's registers, one per partition (aws-neuron-sdk nki/api/nki/isa activation, activate2). VectorE's exponential is the
 * same with registers of its own.
 */

import type { ActivationFunction } from '../../vocabulary/activationFunctions';
import { ExecutionError } from '../errors';
import { activations, sineBeyondRange } from '../functions';
import type { Step } from '../step';
import { accumulate, writeRegisters } from './accumulate';
import { apply, applyFunction } from './elementwise';

type Function = (x: number, parameter?: number) => number;

export function activationOf(op: string): Function {
  if (!Object.hasOwn(activations, op)) throw new ExecutionError(`${op} is not an activation function`);
  return activations[op as ActivationFunction];
}

function input(step: Step): Float32Array {
  const counts = step.counts('dst');
  const values = step.over(step.has('data') ? 'data' : 'x', counts);
  if (step.given('scale') && step.attribute('scale') !== 1) apply('multiply', values, step.over('scale', counts), values);
  if (step.given('bias')) apply('add', values, step.over('bias', counts), values);
  return values;
}

/** `nisa.activation(op=nl.sin)` does not reduce its argument's range, `nl.sin` does before (nki.api.shared.rst, note). */
function functionOf(step: Step): Function {
  const op = step.text('op');
  return op === 'sin' && step.attribute('any_range') !== true ? sineBeyondRange : activationOf(op);
}

/** Functions of the parameter: prelu. */
function slopes(step: Step): Float32Array | null {
  return step.given('relu_param') ? step.over('relu_param', step.counts('dst')) : null;
}

function activate(step: Step, values: Float32Array): void {
  const f = functionOf(step);
  const parameters = slopes(step);
  if (parameters) for (let i = 0; i < values.length; i++) values[i] = f(values[i], parameters[i]);
  else if (f === activationOf(step.text('op'))) applyFunction(step.text('op'), f, values);
  else for (let i = 0; i < values.length; i++) values[i] = f(values[i]);
  const op = step.attribute('reduce_op');
  accumulate(step, values, { registers: step.scalarRegisters, op: typeof op === 'string' ? op : 'add', command: 'idle' });
  step.write(values);
  writeRegisters(step, step.scalarRegisters);
}

export function activation(step: Step): void {
  activate(step, input(step));
}

/** `op((data op0 imm0) op1 imm1)`; `bypass` leaves a value as it is. */
export function activate2(step: Step): void {
  const counts = step.counts('dst');
  const values = step.over('data', counts);
  for (const k of [0, 1]) {
    const op = step.attribute(`op${k}`);
    if (typeof op !== 'string' || op === 'bypass') continue;
    const other = step.over(`imm${k}`, counts);
    if (step.attribute(`reverse${k}`) === true) apply(op, other, values, values);
    else apply(op, values, other, values);
  }
  activate(step, values);
}

/** `exp(src - max_value)`, summed into VectorE's registers. */
export function exponential(step: Step): void {
  const counts = step.counts('dst');
  const values = step.over('src', counts);
  if (step.given('max_value')) apply('subtract', values, step.over('max_value', counts), values);
  applyFunction('exp', Math.exp, values);
  accumulate(step, values, { registers: step.vectorRegisters, op: 'add', command: 'idle', load: 'reduce_init' });
  step.write(values);
  writeRegisters(step, step.vectorRegisters);
}
