/**
 * Executes a program with the operands of some matmuls rounded to a narrower dtype, as if the kernel cast them before each product. What
 * others read of the same tensors stays as it is. Answers what a change of dtype does to the values; its gain in time is not asked here.
 */
import { instructionCount, type Program } from '../program/program';
import { dtype, dtypes } from '../vocabulary/dtypes';
import { Execution, type ExecutionOptions, type Inputs, type TensorStorage } from './execute';
import { roundInPlace } from './rounding';
import { semantics } from './semantics/index';
import type { Step } from './step';

export interface Narrowing {
  /** Name of a float dtype. */
  dtype: string;
  /** Lines whose matmuls and transposes of TensorE read operands of this dtype. */
  lines: readonly { file: string; line: number }[];
}

export interface NarrowedExecution {
  /** How many instructions read narrower operands. */
  instructions: number;
  /** Of the wanted tensors, row-major. */
  values: TensorStorage[];
}

const PRODUCTS: ReadonlySet<string> = new Set(['matmul', 'matmul2d', 'transpose']);

/** @throws ExecutionError as `Execution.run` does */
export function executeNarrowed(
  program: Program,
  inputs: Inputs,
  wanted: readonly number[],
  options: ExecutionOptions,
  { dtype: name, lines }: Narrowing,
): NarrowedExecution {
  const execution = new Execution(program, inputs, { ...options, keep: tensor => wanted.includes(tensor) });
  const { frame } = program.instructions;
  const isFrame = Uint8Array.from(program.frames.line, (at, f) => {
    const { path } = program.files[program.frames.file[f]];
    return lines.some(({ file, line }) => line === at && file === path) ? 1 : 0;
  });
  let instructions = 0;
  for (let i = 0; i < instructionCount(program); i++) {
    if (!isFrame[frame[i]]) continue;
    execution.run(i);
    const step = execution.here();
    if (!PRODUCTS.has(step.row.semantics) || step.attribute('engine') === 'Vector') continue;
    const restore = narrow(step, name);
    if (restore.length === 0) continue;
    instructions++;
    semantics[step.row.semantics](step);
    for (const back of restore) back();
    execution.pass();
  }
  execution.run();
  return { instructions, values: wanted.map(tensor => execution.tensor(tensor)) };
}

const FLOATS: ReadonlySet<string> = new Set(dtypes.filter(({ class: kind }) => kind === 'float').map(each => each.name));

/** Rounds what the instruction reads where it lies. @returns what puts each operand back */
function narrow(step: Step, name: string): (() => void)[] {
  const { sizeBytes } = dtype(name);
  const inputs = Object.keys(step.row.operands).filter(key => step.row.operands[key].role === 'in' && step.has(key));
  const wide = inputs.map(key => step.operand(key)).filter(({ dtype: own }) => FLOATS.has(own.name) && own.sizeBytes > sizeBytes);
  const before = wide.map(operand => step.through(operand).slice());
  for (const [k, operand] of wide.entries()) {
    const rounded = before[k].slice();
    roundInPlace(name, rounded);
    step.memory.write(operand, rounded, null);
  }
  return wide.map((operand, k) => () => step.memory.write(operand, before[k], null));
}
