/**
 * Runs the passes of the Neuron compiler's middle end over a legacy kernel, as far as the result fits on chip. Passes need space. If it
 * is not enough, another attempt leaves out passes, then spills tiles, then keeps the order of the program. Only lack of space leads to
 * another attempt; an error of the kernel is reported at once.
 */
import { CapacityError } from '../../program/error';
import type { Compiled } from '../compiled';
import { PSUM } from '../patterns';
import type { PipelineRules } from '../pipelines';
import { placed } from '../placed';
import type { PassName, Policy } from '../policy';
import type { CompileLog } from '../report';
import {
  AFTER_LOWERING,
  accumulatedProducts,
  BEFORE_LOWERING,
  constantLoads,
  copiedCopies,
  deadFills,
  lastStrategies,
  listScheduling,
  loadsBeforeUse,
  loadsFirstUsed,
  loopFusion,
  lowering,
  redundantLoads,
  type SpillOptions,
  spilling,
  tileRenaming,
  tileSplitting,
  zeroFillElimination,
} from './list';
import { type CompilationUnit, type Pass, stageOf } from './pass';
import { neededBytes } from './spaceNeeded';
import { withSpillChecks } from './spillChecks';

/** Makes the program before any pass, again for each attempt, because passes change it. */
export type Begin = () => CompilationUnit;

const READS_FROM_PSUM = 'reads from PSUM';
const BATCHING = 'batching across iterations';

/** What of a kernel that runs as written must stay as it is. */
export interface KeptAsWritten {
  /** It has registers and loops of the machine: the turns of a loop have the same tiles. */
  tiles: boolean;
  /** Cores or ranks wait for each other, so that all must come to these places in the same order. */
  order: boolean;
}

/**
 * Of a kernel that runs as written: work that changes no order is left out or moved, tiles are renamed, and a scheduler looks a few
 * instructions ahead. Of kernels of the nki namespace, loads that are repeated soon are left out, and tiles are split into their parts; of
 * legacy kernels that place no tensors, all repeated loads and copies of copies are left out. No product may add to what a memset wrote
 * (nki.isa.nc_matmul, v2 and v3), so that fills before products go in any case. If the scheduler's order does not fit, the program's order
 * stays. What does not fit then is spilled, in whole tensors or in parts, whichever moves fewer bytes, unless the kernel places its tensors
 * itself. What does not fit even so is placed in the policy's last ways.
 * @throws CapacityError for what does not fit as it is written; KernelError at the line of what cannot be compiled
 */
export function asWritten(begin: Begin, policy: Policy, kept: KeptAsWritten, log: CompileLog | undefined): Compiled {
  const least = [zeroFillElimination, lowering];
  if (kept.tiles) return orInLastWays(begin, least, log);
  const { patterns, program, rules } = begin().context;
  const { placesTensors } = patterns;
  const scheduled =
    kept.order || rules.window === null
      ? []
      : allowed(rules.triggersLoads === 'late' ? [loadsFirstUsed, listScheduling] : [listScheduling], policy, []);
  const isOfToday = program.dialect === 'nki';
  const isLegacy = !isOfToday && !placesTensors;
  const passes = (leavesOut: LeftOut) => unordered(policy, rules, leavesOut, isOfToday ? [tileSplitting] : []);
  try {
    const attempts = [];
    if (isLegacy || (rules.leavesLoadsOut && isOfToday)) attempts.push([...passes(isLegacy ? 'copies and loads' : 'loads'), ...scheduled]);
    if (scheduled.length > 0) attempts.push([...passes('nothing'), ...scheduled]);
    if (isOfToday) attempts.push(passes('nothing'));
    // The last one keeps tiles whole: an error is about the kernel's own.
    return firstThatFits(begin, attempts, log) ?? attempt(begin, unordered(policy, rules, 'nothing', []), log);
  } catch (lacking) {
    if (!(lacking instanceof CapacityError)) throw lacking;
    const options = { fuses: false, sbufShare: policy.spilledSpaceShare.value };
    const ways = placesTensors ? [] : SPLITS.map(splits => spillings(policy, { ...options, splits }).map(pass => [...least, pass]));
    const orders = [...(scheduled.length > 0 ? [scheduled] : []), [], ...(kept.order ? [] : [[loadsBeforeUse]])];
    const last = orders.map(order => [...unordered(policy, rules, 'nothing', []), lastStrategies, ...order]);
    return withFewestBytes(begin, ways, log) ?? firstThatFits(begin, last, log) ?? raise(lacking);
  }
}

/** Where the result fits; copies of copies only of legacy kernels. */
type LeftOut = 'copies and loads' | 'loads' | 'nothing';

/** The passes that do not depend on the order. @param splitting `tileSplitting`, or nothing */
const unordered = (
  policy: Policy,
  { renames, leavesFillsOut }: PipelineRules,
  leavesOut: LeftOut,
  splitting: readonly (typeof tileSplitting)[],
): readonly Pass[] => [
  ...allowed([accumulatedProducts], policy, []),
  zeroFillElimination,
  ...allowed(leavesOut === 'copies and loads' ? [copiedCopies] : [], policy, []),
  lowering,
  ...allowed(
    [
      constantLoads,
      ...(leavesFillsOut ? [deadFills] : []),
      ...(renames.length > 0 ? [tileRenaming] : []),
      ...(leavesOut === 'nothing' ? [] : [redundantLoads]),
      ...splitting,
    ],
    policy,
    [],
  ),
];

/** A kernel that is rewritten although its order must stay: registers and loops of the machine. */
export function inOrderOfProgram(begin: Begin, policy: Policy, log: CompileLog | undefined): Compiled {
  return orInLastWays(begin, lowered(policy, []), log);
}

/** A kernel that the compiler leaves in its order. @returns null where it does not fit so */
export function inOrderIfItFits(begin: Begin, policy: Policy, log: CompileLog | undefined): Compiled | null {
  return firstThatFits(begin, [lowered(policy, [])], log);
}

/** @throws CapacityError if no attempt fits; KernelError at the line of an instruction that cannot be compiled. */
export function rewritten(begin: Begin, policy: Policy, log: CompileLog | undefined): Compiled {
  return firstThatFits(begin, attempts(begin, policy), log) ?? orInLastWays(begin, lowered(policy, []), log);
}

/** @returns null where none does */
function firstThatFits(begin: Begin, attempts: Iterable<readonly Pass[]>, log: CompileLog | undefined): Compiled | null {
  for (const passes of attempts)
    try {
      return attempt(begin, passes, log);
    } catch (error) {
      if (!(error instanceof CapacityError)) throw error;
    }
  return null;
}

/** @throws CapacityError, that of the usual ways, if the last ones do not fit either */
function orInLastWays(begin: Begin, passes: readonly Pass[], log: CompileLog | undefined): Compiled {
  try {
    return attempt(begin, passes, log);
  } catch (lacking) {
    if (!(lacking instanceof CapacityError)) throw lacking;
    return firstThatFits(begin, [[...passes, lastStrategies]], log) ?? raise(lacking);
  }
}

/** Of several ways, each with its attempts, the one that moves the fewest bytes; of equal ones the first. @returns null where nothing fits */
function withFewestBytes(begin: Begin, ways: readonly (readonly (readonly Pass[])[])[], log: CompileLog | undefined): Compiled | null {
  let best: { compiled: Compiled; bytes: number; attempts: readonly (readonly Pass[])[] } | null = null;
  for (const attempts of ways) {
    const compiled = firstThatFits(begin, attempts, undefined);
    const bytes = compiled ? compiled.transfers.bytes.reduce((sum, one) => sum + one, 0) : Number.POSITIVE_INFINITY;
    if (compiled && bytes < (best?.bytes ?? Number.POSITIVE_INFINITY)) best = { compiled, bytes, attempts };
  }
  return best && log ? firstThatFits(begin, best.attempts, log) : (best?.compiled ?? null);
}

function raise(error: Error): never {
  throw error;
}

/** Less and less, then loops are fused, then spills, then the order of the program. */
function* attempts(begin: Begin, policy: Policy): Generator<readonly Pass[]> {
  for (const left of policy.leftOutWhenFull.value) yield everything(policy, left);
  const fusion = allowed([loopFusion], policy, []);
  // Batches of iterations would need the space that fusion saves. If the scheduler's order does not fit, that of the fused loops stays.
  for (const last of fusion.length > 0 ? [[listScheduling], []] : [])
    yield [...lowered(policy, []), ...fusion, ...allowed([...AFTER_LOWERING, ...last], policy, [BATCHING])];
  // Tiles that are read in PSUM stay there for long, so this is not done if PSUM is scarce.
  const isScarce = policy.passes.value.includes(READS_FROM_PSUM) && !fitsPsum(ran(begin(), [...lowered(policy, []), ...fusion]));
  const left: readonly PassName[] = isScarce ? [READS_FROM_PSUM] : [];
  if (isScarce) yield everything(policy, left);
  for (const pass of spillings(policy, { fuses: fusion.length > 0, splits: true, sbufShare: 1 }))
    for (const last of [allowed([listScheduling], policy, left), []]) yield [...lowered(policy, left), pass, ...last];
}

/** Whole tensors are spilled before parts of them. */
const SPLITS = [false, true] as const;

/** From much of SBUF to little, so that tiles alternate; then again, in any way that fits. */
const spillings = ({ spilledShares }: Policy, options: Omit<SpillOptions, 'share' | 'packs'>): readonly Pass[] =>
  [false, true].flatMap(packs => spilledShares.value.map(share => spilling({ ...options, share, packs })));

const allowed = (passes: readonly (Pass & { name: PassName })[], { passes: enabled }: Policy, left: readonly PassName[]): readonly Pass[] =>
  passes.filter(({ name }) => enabled.value.includes(name) && !left.includes(name));

const lowered = (policy: Policy, left: readonly PassName[]) => [...allowed(BEFORE_LOWERING, policy, left), lowering];
const everything = (policy: Policy, left: readonly PassName[]) => [
  ...lowered(policy, left),
  ...allowed([...AFTER_LOWERING, listScheduling], policy, left),
];

const ran = (code: CompilationUnit, passes: readonly Pass[]) => passes.reduce((now, pass) => pass.run(now), code);

function attempt(begin: Begin, passes: readonly Pass[], log: CompileLog | undefined): Compiled {
  log?.begin(passes.map(({ name }) => name));
  let code = begin();
  try {
    for (const pass of passes) {
      const before = code;
      code = pass.run(before);
      log?.ran(pass, before, code);
    }
    const compiled = placed(code.context, stageOf(code), code.placement, code.lowered ?? undefined);
    return passes.some(({ name }) => name === 'spilling') ? withSpillChecks(code.context, code.lowered!, compiled) : compiled;
  } catch (error) {
    if (error instanceof CapacityError) log?.dropped(error);
    throw error;
  }
}

function fitsPsum(code: CompilationUnit): boolean {
  return neededBytes(code.context, stageOf(code).code, PSUM) <= code.context.machine.psumBytesPerPartition.value;
}
