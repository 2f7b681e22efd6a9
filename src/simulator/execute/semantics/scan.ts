/** Operations in which an element depends on those before it in its partition, rounded to float32 after each. */
import { scratch } from '../scratch';
import type { Step } from '../step';
import { commandOf, firstPartition, identityOf } from './accumulate';
import { arithmeticOf } from './elementwise';

type Binary = (a: number, b: number) => number;

function ordered(step: Step, op: string, reverse: string): Binary {
  const f = arithmeticOf(step.text(op));
  return step.attribute(reverse) === true ? (a, b) => f(b, a) : f;
}

/** `dst[i] = (data0[i] op0 dst[i - 1]) op1 data1[i]` (nki.isa.tensor_tensor_scan). */
export function scan(step: Step): void {
  const counts = step.counts('dst');
  const [first, second] = [ordered(step, 'op0', 'reverse0'), ordered(step, 'op1', 'reverse1')];
  const [values, added] = [step.over('data0', counts), step.over('data1', counts)];
  const states = step.over('initial', [counts[0], 1]);
  const run = values.length / counts[0];
  // Operations that WebAssembly has do not mind in which order they take their operands.
  for (let p = scratch().folds.scan(step.text('op0'), step.text('op1'), values, added, run, states); p < counts[0]; p++) {
    let state = states[p];
    for (let i = p * run; i < (p + 1) * run; i++) {
      state = step.fround(second(step.fround(first(values[i], state)), added[i]));
      values[i] = state;
    }
  }
  step.write(values);
}

/** `reg = op1(op0(src[i], imm0), reg); dst[i] = reg` (nki.isa.tensor_scalar_cumulative). The registers keep the last one. */
export function cumulative(step: Step): void {
  const counts = step.counts('dst');
  const [first, second] = [arithmeticOf(step.text('op0')), arithmeticOf(step.text('op1'))];
  const [values, operand] = [step.over('src', counts), step.over('imm0', counts)];
  const run = values.length / counts[0];
  const state = initialState(step, counts[0]);
  for (let p = 0; p < counts[0]; p++)
    for (let i = p * run; i < (p + 1) * run; i++) {
      state[p] = second(step.fround(first(values[i], operand[i])), state[p]);
      values[i] = state[p];
    }
  step.vectorRegisters.set(state, firstPartition(step));
  step.write(values);
}

function initialState(step: Step, partitions: number): Float32Array {
  const command = commandOf(step, 'reset_reduce');
  if (command === 'load_reduce') return step.over('imm1', [partitions, 1]).slice();
  const first = firstPartition(step);
  if (command === 'reduce') return step.vectorRegisters.slice(first, first + partitions);
  return step.own(partitions).fill(identityOf(step.text('op1')));
}
