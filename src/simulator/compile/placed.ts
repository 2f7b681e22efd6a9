/** Makes `Compiled` from machine code in its final order: addresses, dependences, streams, and the results of checks. */
import { allocate } from './allocation/allocate';
import { checkBanks } from './allocation/banks';
import { lifetimes } from './allocation/lifetimes';
import type { Allocation, Compiled } from './compiled';
import type { CompileContext } from './context';
import { Boxes } from './dependencies/boxes';
import { dependencies } from './dependencies/dependencies';
import { overwritten } from './dependencies/overwritten';
import { streams } from './order';
import type { Placement } from './policy';

export type FinishedCode = ReturnType<CompileContext['code']['finish']>;

/** Machine code, and additional dependences besides those of data. */
export interface Stage {
  code: FinishedCode;
  extra: CompileContext['code']['extra'];
  /** Of tensors that have their addresses already; its instructions are those of an earlier order. */
  allocation?: Allocation;
}

export const asLowered = ({ code }: CompileContext): Stage => ({ code: code.finish(), extra: code.extra.toSorted(([a], [b]) => a - b) });

/** @throws CapacityError at the line of a tensor that does not fit. */
export const allocated = (
  { program, machine, policy, patterns }: CompileContext,
  { instructions, accesses }: FinishedCode,
  placement: Placement,
): Allocation => allocate({ program, machine, policy, patterns, instructions, accesses }, placement);

/** Overwritten tiles are found in the order `written`. @throws CapacityError at the line of a tensor that does not fit. */
export function placed(context: CompileContext, { code, extra, allocation: early }: Stage, placement: Placement, written = code): Compiled {
  const { program, machine, policy, options, rules, patterns, assumed } = context;
  const allocation = early ? { ...early, ...lifetimes(patterns, code.instructions, code.accesses) } : allocated(context, code, placement);
  checkBanks(program, machine, patterns, code, allocation);
  const boxes = new Boxes(patterns);
  const waits = dependencies(patterns, boxes, code, allocation, extra, !rules.rewrites);
  const checks = overwritten(program, patterns, boxes, written);
  const compiled = {
    ...code,
    machine,
    pipeline: options.pipeline,
    triggersLoads: rules.triggersLoads,
    patterns,
    dependencies: waits,
    allocation,
    checks,
    assumed: [...assumed].sort(),
  };
  return { ...compiled, streams: streams(compiled, policy) };
}
