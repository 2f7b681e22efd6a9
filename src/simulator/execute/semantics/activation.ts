/**
 * ScalarE: `dst = op(data * scale + bias)` in float32, and the reduction of what was written along the free axes into the
 * engine's registers, one per partition (aws-neuron-sdk nki/api/nki/isa activation).
 */

import type { ActivationFunction } from '../../isa/functions';
import { ExecutionError } from '../errors';
import { activations } from '../functions';
import type { Step } from '../step';
import { arithmeticOf } from './elementwise';

export function activationOf(op: string): (x: number) => number {
  if (!Object.hasOwn(activations, op)) throw new ExecutionError(`${op} is not an activation function`);
  return activations[op as ActivationFunction];
}

function input(step: Step): Float32Array {
  const counts = step.counts('dst');
  const values = step.over(step.has('data') ? 'data' : 'x', counts);
  if (step.given('scale') && step.attribute('scale') !== 1) multiplyBy(values, step.over('scale', counts));
  if (step.given('bias')) addTo(values, step.over('bias', counts));
  return values;
}

function multiplyBy(values: Float32Array, scale: Float32Array): void {
  for (let i = 0; i < values.length; i++) values[i] *= scale[i];
}

function addTo(values: Float32Array, bias: Float32Array): void {
  for (let i = 0; i < values.length; i++) values[i] += bias[i];
}

export function activation(step: Step): void {
  const f = activationOf(step.text('op'));
  const values = input(step);
  for (let i = 0; i < values.length; i++) values[i] = f(values[i]);
  const command = step.attribute('reduce_cmd') ?? 'idle';
  if (command === 'reset' || command === 'reset_reduce') step.reduceRegisters.fill(0);
  if (command === 'reduce' || command === 'reset_reduce') accumulate(step, values, command === 'reset_reduce');
  step.write(values);
  if (step.has('reduce_res')) step.writeTo('reduce_res', readRegisters(step));
}

/** The first of the partitions that the instruction works on. */
const firstPartition = (step: Step) => step.memory.partition(step.operand('dst'));

/** `registers = op(registers, reduction)`; after a reset the reduction itself, so that a maximum does not meet the 0. */
function accumulate(step: Step, values: Float32Array, fresh: boolean): void {
  const op = step.attribute('reduce_op');
  const f = arithmeticOf(typeof op === 'string' ? op : 'add');
  const mask = step.mask();
  const partitions = step.counts('dst')[0];
  const run = values.length / partitions;
  const first = firstPartition(step);
  for (let p = 0; p < partitions; p++) {
    let sum = fresh ? Number.NaN : step.reduceRegisters[first + p];
    let empty = fresh;
    for (let i = p * run; i < (p + 1) * run; i++) {
      if (mask && !mask[i]) continue;
      sum = empty ? values[i] : Math.fround(f(sum, values[i]));
      empty = false;
    }
    step.reduceRegisters[first + p] = empty ? 0 : sum;
  }
}

function readRegisters(step: Step): Float32Array {
  const first = firstPartition(step);
  return step.reduceRegisters.slice(first, first + step.elements('reduce_res'));
}
