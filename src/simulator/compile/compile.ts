/**
 * Program -> machine code that the scheduler can time: lowers every row, places tensors, finds dependences, orders
 * streams. The `literal` pipeline keeps the order of the program; `rewriting` does what the Neuron compiler's middle end
 * does to legacy kernels, as far as it is modelled: it merges copies out of PSUM, leaves out repeated loads, takes iterations
 * together, moves neighbours by one DMA, reorders, and spills what does not fit.
 */
import type { Machine } from '../hardware/machine';
import { machineFor } from '../hardware/targets';
import { findRow } from '../isa/table';
import { errorAt, KernelError } from '../program/error';
import { instructionCount, type Program } from '../program/program';
import { allocate } from './allocate';
import { AskedOrder } from './asked-order';
import { checkBanks } from './banks';
import { Boxes } from './boxes';
import type { Compiled } from './compiled';
import { type CompileOptions, Context } from './context';
import { dependencies } from './dependencies';
import { lifetimes, mostAtOnce } from './lifetimes';
import { lowerings } from './lowerings';
import { broadcastOperands } from './lowerings/broadcast';
import { mergeCopies } from './merge-copies';
import { mergeTransfers } from './merge-transfers';
import { streams } from './order';
import { overwritten } from './overwritten';
import { type Patterns, PSUM } from './patterns';
import { permuted } from './permute';
import { enterUsing, psumFills, psumUses } from './psum-uses';
import { schedulingOrder } from './reorder';
import { shareLoads } from './share-loads';
import { shareResults } from './share-results';
import { bankBytes, spillPsum, spillSbuf } from './spill';
import { takeTogether } from './take-together';

type Code = ReturnType<Context['code']['finish']>;

export interface CompileRequest {
  pipeline?: 'auto' | 'literal' | 'rewriting';
  /** `off`: descriptors are static rings whatever the kernel says. */
  dge?: 'auto' | 'off';
}

/** @throws KernelError at the line of what cannot be lowered or does not fit. */
export function compile(program: Program, { pipeline = 'auto', dge = 'auto' }: CompileRequest = {}): Compiled {
  const machine = machineFor(program.target);
  const options: CompileOptions = { pipeline: pipeline === 'auto' ? (program.literal ? 'literal' : 'rewriting') : pipeline, dge };
  const lowered = (direct = true) => lower(new Context(program, machine, options), direct);
  if (options.pipeline === 'literal' || steersItself(program)) return asWritten(lowered());
  return firstThatFits(tries(lowered));
}

/**
 * Of SBUF, what is live at once where tiles are spilled: less, where the rest is not enough for gaps between them. Always less than
 * the scheduler may take, or it could not run ahead of the oldest instruction by a single tile.
 */
const SPILLING = [0.75, 0.6, 0.5];

/** What the compiler does to a kernel, and less of it, or with spills, where that does not fit. */
function* tries(lowered: (direct?: boolean) => Context): Generator<() => Compiled> {
  for (const passes of REWRITING) yield () => rewritten(lowered(), passes);
  // Tiles that are read where products left them stay there for long: not where PSUM is scarce.
  const direct = fitsPsum(lowered());
  if (!direct) yield () => rewritten(lowered(direct), REWRITING[0]);
  for (const share of SPILLING) for (const reordered of [true, false]) yield () => spilling(lowered(direct), share, reordered);
  yield () => asWritten(lowered(direct));
}

/** What the tries before lose to a lack of space on chip is the last one's error. */
function firstThatFits(attempts: Iterable<() => Compiled>): Compiled {
  let failed: unknown;
  for (const attempt of attempts)
    try {
      return attempt();
    } catch (error) {
      if (!(error instanceof KernelError)) throw error;
      failed = error;
    }
  throw failed;
}

function fitsPsum({ machine, patterns, code }: Context): boolean {
  const { instructions, accesses } = code.finish();
  const taken = (tensor: number) => (patterns.space(tensor) === PSUM ? bankBytes({ patterns, machine }, tensor) : 0);
  const lives = lifetimes(patterns, instructions, accesses);
  return mostAtOnce(lives, instructions.track.length, taken) <= machine.psumBytesPerPartition.value;
}

/** Registers and loops of the machine: their order is the program's. */
const steersItself = ({ operations }: Program) => operations.some(name => findRow(name)?.lower === 'register');

function asWritten(context: Context): Compiled {
  return placed(context, context.code.finish(), context.code.extra);
}

/** What the middle end makes of several instructions; each needs space on chip. */
interface Passes {
  /** Repeated loads and results are left out. */
  sharing: boolean;
  /** Neighbours are loaded and stored by one DMA. */
  merging: boolean;
  /** Small instructions of several iterations are one. */
  together: boolean;
}

/** The first that fits is taken. */
const REWRITING: readonly Passes[] = [
  { sharing: true, merging: true, together: true },
  { sharing: true, merging: true, together: false },
  { sharing: true, merging: false, together: false },
  { sharing: false, merging: false, together: false },
];

/** Without what the compiler leaves out, in the order of its scheduler. */
function rewritten(context: Context, { sharing, merging, together }: Passes): Compiled {
  const { machine, patterns } = context;
  const written = context.code.finish();
  const merged = permuted(written, context.code.extra, mergeCopies(patterns, written));
  const kept = sharing ? withoutRepeats(machine, patterns, merged.code, merged.extra) : merged;
  const grouped = together ? inGroups(context, kept.code, kept.extra) : kept;
  const moved = merging ? withNeighbours(context, grouped.code, grouped.extra) : grouped;
  const { code, extra } = permuted(moved.code, moved.extra, schedulingOrder(machine, patterns, moved.code));
  return placed(context, code, extra, written);
}

/** With tiles saved and loaded again, in the scheduler's order or in that of the program. */
function spilling(context: Context, share: number, reordered: boolean): Compiled {
  const { machine, patterns } = context;
  const written = context.code.finish();
  const inPsum = spillPsum(context, { code: written, order: Uint32Array.from(written.instructions.track.keys()) });
  const spilled = inPsum && spillSbuf(context, inPsum, share);
  if (!spilled) throw errorAt(context.program, context.frame, 'one instruction needs more of SBUF or PSUM than there is for tiles');
  const { code, extra } = permuted(spilled.code, context.code.extra, spilled.order);
  // Copies out of PSUM stand between weights and their MATMULs, which the scheduler would part.
  const kept = !reordered || inPsum.order.length > written.instructions.track.length;
  if (kept) return placed(context, code, extra, written);
  const other = permuted(code, extra, schedulingOrder(machine, patterns, code));
  return placed(context, other.code, other.extra, written);
}

function withoutRepeats(machine: Machine, patterns: Patterns, written: Code, extra: Context['code']['extra']) {
  const computed = permuted(written, extra, shareResults(patterns, written));
  return permuted(computed.code, computed.extra, shareLoads(machine, patterns, computed.code));
}

function inGroups(context: Context, code: Code, extra: Context['code']['extra']) {
  const groups = takeTogether(context, code);
  return permuted(groups.code, extra, groups.order);
}

function withNeighbours(context: Context, code: Code, extra: Context['code']['extra']) {
  const moves = mergeTransfers(context, code);
  return permuted(moves.code, extra, moves.order);
}

/** Code with addresses, dependences and streams. What overwrites what is a question of the order as `written`. */
function placed(
  { program, machine, options, patterns, assumed }: Context,
  code: Code,
  extra: Context['code']['extra'],
  written = code,
): Compiled {
  const allocation = allocate(program, machine, patterns, code.instructions, code.accesses);
  checkBanks(program, machine, patterns, code, allocation);
  const boxes = new Boxes(patterns);
  const waits = dependencies(patterns, boxes, code, allocation, extra, options.pipeline === 'literal');
  const checks = overwritten(program, patterns, boxes, written);
  const compiled = {
    ...code,
    machine,
    pipeline: options.pipeline,
    patterns,
    dependencies: waits,
    allocation,
    checks,
    assumed: [...assumed].sort(),
  };
  return { ...compiled, streams: streams(compiled) };
}

/** @param direct tiles are read in PSUM, where the compiler leaves the copy to SBUF out. */
function lower(context: Context, direct: boolean): Context {
  const count = instructionCount(context.program);
  const uses = context.options.pipeline === 'rewriting' ? psumUses(context, direct) : psumFills(context);
  const order = new AskedOrder(context);
  for (let i = 0; i < count; i++) {
    if (!enterUsing(context, uses, i)) continue;
    const { row } = context;
    const lowering = lowerings[row.lower];
    if (!lowering) throw errorAt(context.program, context.frame, `${row.name} cannot be compiled by this version of NKI Scope`);
    broadcastOperands(context);
    order.before();
    lowering(context);
    order.after(i);
  }
  return context;
}
