/**
 * Program -> machine code that the scheduler can time: lowers every row, places tensors, finds dependences, orders
 * streams. Both pipelines lower row by row for now: `rewriting` is what the profile says of kernels that the Neuron
 * compiler's middle end would change (merged copies, reductions, stores; spills), which is not modelled yet.
 */
import { machineFor } from '../hardware/targets';
import { errorAt } from '../program/error';
import { instructionCount, type Program } from '../program/program';
import { allocate } from './allocate';
import { checkBanks } from './banks';
import { Boxes } from './boxes';
import type { Compiled } from './compiled';
import { type CompileOptions, Context } from './context';
import { dependencies } from './dependencies';
import { lowerings } from './lowerings';
import { streams } from './order';
import { overwritten } from './overwritten';

export interface CompileRequest {
  pipeline?: 'auto' | 'literal' | 'rewriting';
  /** `off`: descriptors are static rings whatever the kernel says. */
  dge?: 'auto' | 'off';
}

/** @throws KernelError at the line of what cannot be lowered or does not fit. */
export function compile(program: Program, { pipeline = 'auto', dge = 'auto' }: CompileRequest = {}): Compiled {
  const machine = machineFor(program.target);
  const options: CompileOptions = { pipeline: pipeline === 'auto' ? (program.literal ? 'literal' : 'rewriting') : pipeline, dge };
  const context = new Context(program, machine, options);
  lower(context);
  const { patterns } = context;
  const code = context.code.finish();
  const allocation = allocate(program, machine, patterns, code.instructions, code.accesses);
  checkBanks(program, machine, patterns, code, allocation);
  const boxes = new Boxes(patterns);
  const waits = dependencies(patterns, boxes, code, allocation, context.code.extra);
  const checks = overwritten(program, patterns, boxes, code);
  const compiled = { ...code, machine, pipeline: options.pipeline, patterns, dependencies: waits, allocation, checks };
  return { ...compiled, streams: streams(compiled) };
}

function lower(context: Context) {
  const count = instructionCount(context.program);
  for (let i = 0; i < count; i++) {
    const row = context.enter(i);
    const lowering = lowerings[row.lower];
    if (!lowering) throw errorAt(context.program, context.frame, `${row.name} cannot be compiled by this version of NKI Scope`);
    lowering(context);
  }
}
