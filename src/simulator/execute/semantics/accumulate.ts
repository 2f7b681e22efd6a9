/**
 * An engine's registers for reductions along the free axes, one per partition: ScalarE has 128 (`nki.isa.activation`),
 * VectorE 128 (`nki.isa.exponential`, `select_reduce` and others, which share them). `reduce_cmd` selects the operation.
 */
import { ExecutionError } from '../errors';
import type { Step } from '../step';
import { arithmeticOf, foldRuns } from './elementwise';

/** Initial value of a reduction (`nki.isa.tensor_scalar_reduce`, `activate2`, "Accumulator behavior"). */
const IDENTITY: Readonly<Record<string, number>> = {
  add: 0,
  subtract: 0,
  multiply: 1,
  maximum: Number.NEGATIVE_INFINITY,
  minimum: Number.POSITIVE_INFINITY,
  abs_max: 0,
  abs_min: Number.POSITIVE_INFINITY,
};

export function identityOf(op: string): number {
  if (!Object.hasOwn(IDENTITY, op)) throw new ExecutionError(`${op} is not a reduction that accumulates`);
  return IDENTITY[op];
}

export interface Accumulation {
  registers: Float32Array;
  op: string;
  /** The default of `reduce_cmd`. */
  command: string;
  /** Parameter that `load_reduce` starts from. */
  load?: string;
}

/** The first of the partitions that the instruction works on. */
export const firstPartition = (step: Step) => step.memory.partition(step.operand('dst'));

export const commandOf = (step: Step, fallback: string) => String(step.attribute('reduce_cmd') ?? fallback);

/** Values of the registers before an instruction adds to them; null: they start with its first element. */
export function startOf(step: Step, { command, load }: Accumulation, partitions: number): ArrayLike<number> | null {
  const asked = commandOf(step, command);
  if (asked === 'load_reduce' && load) return step.over(load, [partitions, 1]).slice();
  return asked === 'reset_reduce' ? null : [];
}

/** Reduces `values`, a run per partition, into the registers as `reduce_cmd` says, and writes `reduce_res` if there is one. */
export function accumulate(step: Step, values: Float32Array, how: Accumulation): void {
  const command = commandOf(step, how.command);
  if (command === 'reset' || command === 'reset_reduce') how.registers.fill(identityOf(how.op));
  if (command !== 'idle' && command !== 'reset') reduceInto(step, values, how);
}

function reduceInto(step: Step, values: Float32Array, how: Accumulation): void {
  const f = arithmeticOf(how.op);
  const mask = step.mask();
  const partitions = step.counts('dst')[0];
  const run = values.length / partitions;
  const first = firstPartition(step);
  const start = startOf(step, how, partitions);
  if (!mask && run > 0) {
    const sums = step.floats(partitions);
    for (let p = 0; p < partitions; p++) sums[p] = start === null ? values[p * run] : (start[p] ?? how.registers[first + p]);
    foldRuns(how.op, values, run, start === null ? 1 : 0, sums);
    how.registers.set(sums, first);
    return;
  }
  for (let p = 0; p < partitions; p++) {
    let sum = start === null ? Number.NaN : (start[p] ?? how.registers[first + p]);
    let empty = start === null;
    for (let i = p * run; i < (p + 1) * run; i++) {
      if (mask && !mask[i]) continue;
      sum = empty ? values[i] : step.fround(f(sum, values[i]));
      empty = false;
    }
    how.registers[first + p] = empty ? 0 : sum;
  }
}

/** The registers of the instruction's partitions, into `reduce_res`; times -1 with `negate`. */
export function writeRegisters(step: Step, registers: Float32Array, negate = false): void {
  if (!step.has('reduce_res')) return;
  const first = firstPartition(step);
  const held = registers.slice(first, first + step.elements('reduce_res'));
  step.writeTo('reduce_res', negate ? held.map(x => -x) : held);
}
