/**
 * Program -> machine code that the scheduler can time: passes (`passes/`) rewrite and lower it, tensors are placed, dependences found,
 * streams ordered. The pipelines are a table (`pipelines.ts`): a kernel runs as written, with what every compilation changes, or the
 * modelled passes of the Neuron compiler's middle end are applied to it.
 */

import { type Machine, withRecentNki } from '../hardware/machine';
import { findRow } from '../isa/table';
import type { Program } from '../program/program';
import type { Pipeline } from '../vocabulary/pipelines';
import type { Compiled } from './compiled';
import { CompileContext, type CompileOptions } from './context';
import { asWritten, inOrderIfItFits, inOrderOfProgram, rewritten } from './passes/attempts';
import { turningMatmuls, withOrderNotes } from './passes/orderedMatmuls';
import { beginning } from './passes/pass';
import { isRecentNki, rulesOf } from './pipelines';
import type { Policy } from './policy';
import { CompileLog, type CompileReport } from './report';

export interface CompileRequest {
  machine: Machine;
  policy: Policy;
  pipeline?: Pipeline;
  /** `off`: all descriptors are static rings, and the kernel's choice is ignored. */
  dge?: 'auto' | 'off';
  /** It waits for other cores, whose waits are numbered: as written, it keeps its order. */
  waitsForCores?: boolean;
  /** Called with the report of all passes; also before an error. */
  onReport?(report: CompileReport): void;
}

/**
 * @throws KernelError at the line of an instruction that cannot be lowered; CapacityError, a KernelError, at the line of a tensor that
 * does not fit.
 */
export function compile(
  program: Program,
  { machine: given, policy, pipeline = 'auto', dge = 'auto', waitsForCores = false, onReport }: CompileRequest,
): Compiled {
  const machine = isRecentNki(program, policy) ? withRecentNki(given) : given;
  const kept = { tiles: steersItself(program), order: waitsForCores || meetsRanks(program) };
  const options: CompileOptions = {
    pipeline: pipeline === 'auto' ? (program.literal ? 'literal' : 'rewriting') : pipeline,
    dge,
    keepsOrder: kept.tiles || kept.order,
  };
  const begin = () => beginning(new CompileContext(program, machine, policy, options));
  const log = onReport && new CompileLog();
  try {
    if (!rulesOf(options.pipeline, program, policy).rewrites) return asWritten(begin, policy, kept, log);
    if (kept.tiles) return inOrderOfProgram(begin, policy, log);
    const turning = policy.generationsThatOrderMatmuls.value.includes(machine.generation) ? turningMatmuls(program) : [];
    const ordered = turning.length > 0 ? inOrderIfItFits(begin, policy, log) : null;
    return ordered ? withOrderNotes(program, ordered, turning) : rewritten(begin, policy, log);
  } finally {
    if (log) onReport({ pipeline: options.pipeline, attempts: log.attempts });
  }
}

/** Registers and loops of the machine: their order is the program's. */
const steersItself = ({ operations }: Program) => operations.some(name => findRow(name)?.lower === 'register');

const COLLECTIVES = new Set(['collective', 'collectiveReduce']);
const meetsRanks = ({ operations }: Program) => operations.some(name => COLLECTIVES.has(findRow(name)?.lower ?? ''));
