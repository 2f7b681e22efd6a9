/**
 * Program -> machine code that the scheduler can time: passes (`passes/`) rewrite and lower it, tensors are placed, dependences found,
 * streams ordered. The `literal` pipeline keeps the order of the program; `rewriting` does what the Neuron compiler's middle end does to
 * legacy kernels, as far as it is modelled.
 */

import type { Machine } from '../hardware/machine';
import { findRow } from '../isa/table';
import type { Program } from '../program/program';
import type { Pipeline } from '../vocabulary/pipelines';
import type { Compiled } from './compiled';
import { CompileContext, type CompileOptions } from './context';
import { asWritten, inOrderOfProgram, rewritten } from './passes/attempts';
import { beginning } from './passes/pass';
import type { Policy } from './policy';
import { CompileLog, type CompileReport } from './report';

export interface CompileRequest {
  machine: Machine;
  policy: Policy;
  pipeline?: Pipeline;
  /** `off`: descriptors are static rings whatever the kernel says. */
  dge?: 'auto' | 'off';
  /** Told which passes ran and what they did; also before an error. */
  onReport?(report: CompileReport): void;
}

/** @throws KernelError at the line of what cannot be lowered; CapacityError, which is one, at that of what does not fit. */
export function compile(program: Program, { machine, policy, pipeline = 'auto', dge = 'auto', onReport }: CompileRequest): Compiled {
  const options: CompileOptions = { pipeline: pipeline === 'auto' ? (program.literal ? 'literal' : 'rewriting') : pipeline, dge };
  const begin = () => beginning(new CompileContext(program, machine, policy, options));
  const log = onReport && new CompileLog();
  try {
    if (options.pipeline === 'literal') return asWritten(begin, policy, steersItself(program), log);
    return steersItself(program) ? inOrderOfProgram(begin, policy, log) : rewritten(begin, policy, log);
  } finally {
    if (log) onReport({ pipeline: options.pipeline, attempts: log.attempts });
  }
}

/** Registers and loops of the machine: their order is the program's. */
const steersItself = ({ operations }: Program) => operations.some(name => findRow(name)?.lower === 'register');
