/**
 * Adjacent loads: a loop loads pieces of a tile one by one (`tile[:, k, :] = nl.load(...)`), and each begins where the one before ends,
 * in HBM and in every partition. One DMA with longer runs loads them. joshdelg/cs217-final-proj at ffb8dd5, scatter_add shows it: 66
 * transfers for 1,024 such loads, 32 to a tile, and 32 stores.
 */
import type { Compiled } from '../compiled';
import type { CompileContext } from '../context';
import { LOAD } from '../directions';
import { lowerings } from '../lowerings';
import { type Patterns, SBUF } from '../patterns';
import { type Load, loadOf, writesByTensor } from './redundantLoads';
import { withEmitted } from './sideBySide';

type Code = Pick<Compiled, 'instructions' | 'accesses' | 'transfers' | 'cuts'>;

/** Loads of one tile, each of which continues the one before. */
interface Run {
  readonly loads: Load[];
  elements: number;
}

/** Makes the first load of a run carry all of it. @returns the code, and which of its instructions stay, in their order. */
export function joinAdjacentLoads<T extends Code>(c: CompileContext, code: T): { code: T; order: Uint32Array } {
  const runs = runsOf(c, code).filter(({ loads }) => loads.length > 1);
  const dropped = new Set(runs.flatMap(({ loads }) => loads.slice(1).map(({ instruction }) => instruction)));
  const emitted = c.code.instructions;
  for (const run of runs) emit(c, code, run);
  const order = Uint32Array.from(code.instructions.track.keys()).filter(i => !dropped.has(i));
  const first = runs.map(({ loads }) => loads[0].instruction);
  return { code: withEmitted(c, code, emitted, first), order };
}

function runsOf(c: CompileContext, code: Code): Run[] {
  const { patterns } = c;
  const { accessStart, track } = code.instructions;
  const { pattern } = code.accesses;
  const writes = writesByTensor(patterns, code);
  const runs: Run[] = [];
  /** By tile: the run that may continue. Any other use of the tile ends it. */
  const open = new Map<number, Run>();
  for (let i = 0; i < track.length; i++) {
    const load = loadAt(c, code, i, writes);
    const tile = load && patterns.tensor(load.dst);
    const before = tile === undefined ? undefined : open.get(tile);
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) open.delete(patterns.tensor(pattern[a]));
    if (!load || tile === undefined) continue;
    const run = before && continues(patterns, code, before, load) ? before : { loads: [], elements: 0 };
    if (run !== before) runs.push(run);
    run.loads.push(load);
    run.elements += patterns.freeElements(load.dst);
    open.set(tile, run);
  }
  return runs;
}

/** A plain load of a tensor that the kernel never writes, with one run in each partition. */
function loadAt(c: CompileContext, code: Code, i: number, writes: Uint32Array): Load | undefined {
  const { patterns } = c;
  const { transfer, accessStart, origin } = code.instructions;
  if (transfer[i] < 0 || code.transfers.direction[transfer[i]] !== LOAD || accessStart[i + 1] - accessStart[i] !== 2) return undefined;
  c.enter(origin[i]);
  const load = loadOf(code, i);
  const { dst, src } = load;
  if (c.row.lower !== 'dma' || writes[patterns.tensor(src)] !== 0 || patterns.spaceOf(dst) !== SBUF) return undefined;
  const isPlain = patterns.dtypeOf(dst) === patterns.dtypeOf(src) && patterns.partitions(dst) === patterns.partitions(src);
  return isPlain && isRun(patterns, dst) && isRun(patterns, src) ? load : undefined;
}

/** Whether all free dimensions are contiguous. */
function isRun(patterns: Patterns, pattern: number): boolean {
  let run = 1;
  for (let dim = patterns.dims(pattern) - 1; dim > 0; dim--) {
    const count = patterns.countOf(pattern, dim);
    if (count > 1 && patterns.strideOf(pattern, dim) !== run) return false;
    run *= count;
  }
  return patterns.dims(pattern) > 0;
}

function continues(patterns: Patterns, code: Code, { loads, elements }: Run, next: Load): boolean {
  const [first] = loads;
  const { transfer } = code.instructions;
  const { queue, mode } = code.transfers;
  const [a, b] = [transfer[first.instruction], transfer[next.instruction]];
  return (
    queue[a] === queue[b] &&
    mode[a] === mode[b] &&
    patterns.tensor(first.src) === patterns.tensor(next.src) &&
    goesOn(patterns, first.src, next.src, elements) &&
    goesOn(patterns, first.dst, next.dst, elements)
  );
}

/** Whether `next` begins so many elements after the beginning of `first`, in the same rows. */
function goesOn(patterns: Patterns, first: number, next: number, elements: number): boolean {
  return (
    patterns.offset(next) === patterns.offset(first) + elements &&
    patterns.strideOf(next, 0) === patterns.strideOf(first, 0) &&
    patterns.partitions(next) === patterns.partitions(first)
  );
}

function emit(c: CompileContext, code: Code, { loads, elements }: Run) {
  const { patterns } = c;
  const wide = (pattern: number) =>
    patterns.add(
      patterns.tensor(pattern),
      patterns.offset(pattern),
      [patterns.strideOf(pattern, 0), 1],
      [patterns.partitions(pattern), elements],
      patterns.dtypeOf(pattern),
    );
  c.enter(code.instructions.origin[loads[0].instruction]);
  c.replace('dst', wide(loads[0].dst));
  c.replace('src', wide(loads[0].src));
  lowerings.dma(c);
}
