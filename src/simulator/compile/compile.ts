/**
 * Program -> machine code that the scheduler can time: lowers every row, places tensors, finds dependences, orders
 * streams. The `literal` pipeline keeps the order of the program; `rewriting/` does what the Neuron compiler's middle end
 * does to legacy kernels, as far as it is modelled.
 */
import type { Machine } from '../hardware/machine';
import { findRow } from '../isa/table';
import type { Program } from '../program/program';
import type { Compiled } from './compiled';
import { type CompileOptions, Context } from './context';
import { lower } from './lower';
import { asWritten } from './placed';
import type { Policy } from './policy';
import { rewritten } from './rewriting/rewriting';

export interface CompileRequest {
  machine: Machine;
  policy: Policy;
  pipeline?: 'auto' | 'literal' | 'rewriting';
  /** `off`: descriptors are static rings whatever the kernel says. */
  dge?: 'auto' | 'off';
}

/** @throws KernelError at the line of what cannot be lowered or does not fit. */
export function compile(program: Program, { machine, policy, pipeline = 'auto', dge = 'auto' }: CompileRequest): Compiled {
  const options: CompileOptions = { pipeline: pipeline === 'auto' ? (program.literal ? 'literal' : 'rewriting') : pipeline, dge };
  const lowered = (direct = true) => lower(new Context(program, machine, policy, options), direct);
  return options.pipeline === 'literal' || steersItself(program) ? asWritten(lowered()) : rewritten(lowered);
}

/** Registers and loops of the machine: their order is the program's. */
const steersItself = ({ operations }: Program) => operations.some(name => findRow(name)?.lower === 'register');
