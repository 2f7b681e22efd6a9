/**
 * What the Neuron compiler's middle end makes of a legacy kernel: copies out of PSUM are merged, repeated loads left out, iterations
 * taken together, neighbours moved by one DMA, instructions reordered; what does not fit on chip is spilled. Each of these takes
 * space, and where it lacks less is done.
 */
import { errorAt, KernelError } from '../../program/error';
import { lifetimes, mostAtOnce } from '../allocation/lifetimes';
import type { Compiled } from '../compiled';
import type { Context } from '../context';
import { PSUM } from '../patterns';
import { asLowered, asWritten, type Code, placed, type Stage } from '../placed';
import { schedulingOrder } from '../scheduling/reorder';
import { mergeCopies } from './mergeCopies';
import { mergeTransfers } from './mergeTransfers';
import { permuted } from './permute';
import { shareLoads } from './shareLoads';
import { shareResults } from './shareResults';
import { bankBytes, spillPsum, spillSbuf } from './spill';
import { takeTogether } from './takeTogether';

/** The program lowered anew. @param direct tiles are read in PSUM, where the compiler leaves the copy to SBUF out (default). */
export type Lowered = (direct?: boolean) => Context;

/** @throws KernelError at the line of what does not fit, whatever is done. */
export function rewritten(lowered: Lowered): Compiled {
  let failed: unknown;
  for (const attempt of attempts(lowered))
    try {
      return attempt();
    } catch (error) {
      if (!(error instanceof KernelError)) throw error;
      failed = error;
    }
  throw failed;
}

/** What the middle end makes of several instructions. */
interface Passes {
  /** Repeated loads and results are left out. */
  sharing: boolean;
  /** Neighbours are loaded and stored by one DMA. */
  merging: boolean;
  /** Small instructions of several iterations are one. */
  together: boolean;
}

/** The first that fits is taken. */
const PASSES: readonly Passes[] = [
  { sharing: true, merging: true, together: true },
  { sharing: true, merging: true, together: false },
  { sharing: true, merging: false, together: false },
  { sharing: false, merging: false, together: false },
];

/** Less and less of it, then spills, then the order of the program. */
function* attempts(lowered: Lowered): Generator<() => Compiled> {
  for (const passes of PASSES) yield () => passed(lowered(), passes);
  // Tiles that are read where products left them stay there for long: not where PSUM is scarce.
  const context = lowered();
  const direct = fitsPsum(context);
  if (!direct) yield () => passed(lowered(direct), PASSES[0]);
  for (const share of context.policy.spilledShares.value)
    for (const reordered of [true, false]) yield () => spilled(lowered(direct), share, reordered);
  yield () => asWritten(lowered(direct));
}

function fitsPsum({ machine, patterns, code }: Context): boolean {
  const { instructions, accesses } = code.finish();
  const taken = (tensor: number) => (patterns.space(tensor) === PSUM ? bankBytes({ patterns, machine }, tensor) : 0);
  const lives = lifetimes(patterns, instructions, accesses);
  return mostAtOnce(lives, instructions.track.length, taken) <= machine.psumBytesPerPartition.value;
}

function passed(context: Context, { sharing, merging, together }: Passes): Compiled {
  const { machine, policy, patterns } = context;
  const lowered = asLowered(context);
  let stage = inOrder(lowered, mergeCopies(policy, patterns, lowered.code));
  if (sharing) stage = inOrder(stage, shareResults(patterns, stage.code));
  if (sharing) stage = inOrder(stage, shareLoads(machine, policy, patterns, stage.code));
  if (together) stage = changed(stage, takeTogether(context, stage.code));
  if (merging) stage = changed(stage, mergeTransfers(context, stage.code));
  return placed(context, scheduled(context, stage), lowered.code);
}

/** With tiles saved and loaded again, in the scheduler's order or in that of the program. */
function spilled(context: Context, share: number, reordered: boolean): Compiled {
  const lowered = asLowered(context);
  const all = lowered.code.instructions.track;
  const fitsPsum = spillPsum(context, { code: lowered.code, order: Uint32Array.from(all.keys()) });
  const fits = fitsPsum && spillSbuf(context, fitsPsum, share);
  if (!fits) throw errorAt(context.program, context.frame, 'one instruction needs more of SBUF or PSUM than there is for tiles');
  const stage = changed(lowered, fits);
  // Copies out of PSUM stand between weights and their MATMULs, which the scheduler would part.
  const isKept = !reordered || fitsPsum.order.length > all.length;
  return placed(context, isKept ? stage : scheduled(context, stage), lowered.code);
}

const scheduled = ({ machine, policy, patterns }: Context, stage: Stage) =>
  inOrder(stage, schedulingOrder(machine, policy, patterns, stage.code));

/** @param order of the instructions that stay. */
const inOrder = ({ code, extra }: Stage, order: Uint32Array): Stage => permuted(code, extra, order);

/** The same after a pass that changed instructions as well. */
const changed = ({ extra }: Stage, { code, order }: { code: Code; order: Uint32Array }): Stage => permuted(code, extra, order);
