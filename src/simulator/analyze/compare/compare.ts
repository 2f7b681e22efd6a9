/**
 * Two runs beside each other: in total, and line by line. Lines belong together that say the same (`matchLines.ts`), then lines that do
 * the same (`pairByWork.ts`); the rest stays alone. Their numbers are those of `lines.ts`.
 */
import type { Profile } from '../../profile/profile';
import { type Line, lines } from '../lines';
import { functionsOfLines } from '../places';
import { type NameParts, namePartsOf } from '../runNames';
import { isTooSmallShare } from '../tellsApart';
import { lineWork } from './lineWork';
import { type CodeLine, equalLines, type Match } from './matchLines';
import { pairByWork } from './pairByWork';

export interface LineChange {
  /** Undefined: the line is new. */
  a?: Line;
  /** Undefined: the line is gone, or it asks for nothing any more. */
  b?: Line;
  /** `b - a`, a missing line counting as zero. */
  deltaNs: number;
  verdict: Verdict;
  /** As that of the comparison: a difference of the kernel's time by as much as the line's could not be told apart. */
  isTooSmall?: boolean;
}

/** `same`: nothing that the line did takes another time, bytes or instructions. */
export type Verdict = 'better' | 'worse' | 'same' | 'new' | 'gone';

export interface Comparison {
  /** Names of the two runs. */
  names: { a: NameParts; b: NameParts };
  aTotalNs: number;
  bTotalNs: number;
  /** `b` against `a`, of the kernel's total time: 0.1 is ten percent slower. 0 when `a` took no time. */
  deltaShare: number;
  /** Both times are modelled, and differ by less than the model can tell apart. */
  isTooSmall: boolean;
  /** Largest change first, then by line. */
  lines: LineChange[];
}

/** Lines of a profile, where somebody has them already. */
export type LinesOf = (p: Profile) => readonly Line[];

/** @param a the run before @param b the run after */
export function compare(a: Profile, b: Profile, linesOf: LinesOf = lines): Comparison {
  const [before, after] = [inSourceOrder(a, linesOf), inSourceOrder(b, linesOf)];
  const changes = matches(before, after).map(match => {
    const change = changeOf(before.lines[match.a], after.lines[match.b]);
    return isTooSmall(a, b, change.deltaNs) ? { ...change, isTooSmall: true } : change;
  });
  const deltaShare = a.totalTimeNs > 0 ? b.totalTimeNs / a.totalTimeNs - 1 : 0;
  return {
    names: { a: namePartsOf(a), b: namePartsOf(b) },
    aTotalNs: a.totalTimeNs,
    bTotalNs: b.totalTimeNs,
    deltaShare,
    isTooSmall: isTooSmall(a, b, b.totalTimeNs - a.totalTimeNs),
    lines: changes.sort((x, y) => Math.abs(y.deltaNs) - Math.abs(x.deltaNs) || lineOf(x) - lineOf(y)),
  };
}

/** Whether the model cannot tell apart two kernels of this difference, ns: both times are modelled. */
export const isTooSmall = (a: Profile, b: Profile, deltaNs: number): boolean =>
  a.simulated && b.simulated && isTooSmallShare(deltaNs / a.totalTimeNs);

/** Lines of each that have no counterpart in the other. */
export const unpaired = ({ lines }: Comparison) => ({
  a: lines.filter(({ verdict }) => verdict === 'gone').length,
  b: lines.filter(({ verdict }) => verdict === 'new').length,
});

const lineOf = ({ a, b }: LineChange) => (b ?? a)!.line;

interface SourceLines {
  profile: Profile;
  lines: Line[];
  code: CodeLine[];
}

function matches(before: SourceLines, after: SourceLines): Match[] {
  const pairs = equalLines(before.code, after.code);
  pairByWork(working(before, pairs.toB), working(after, pairs.toA), pairs);
  return pairs.matches();
}

/** Lines without a partner, with what they do; undefined for the others. */
function working({ profile, lines, code }: SourceLines, partner: Int32Array) {
  const alone = lines.filter((_, i) => partner[i] < 0);
  if (alone.length === 0) return code.map(() => undefined);
  const work = new Map(lineWork(profile, alone).map((done, i) => [alone[i], done]));
  return code.map((said, i) => {
    const done = work.get(lines[i]);
    return done && { function: said.function, text: said.text, operations: done.operations, tensors: done.tensors, loops: done.loops };
  });
}

function inSourceOrder(p: Profile, linesOf: LinesOf): SourceLines {
  const order = new Map(p.files.map(({ path }, index) => [path, index]));
  const sorted = [...linesOf(p)].sort((x, y) => order.get(x.file)! - order.get(y.file)! || x.line - y.line);
  const functions = functionsOfLines(p);
  const kernels = kernelFunctions(p);
  const code = sorted.map(({ file, line, text }) => {
    const name = functions(file, line);
    return { function: kernels.has(name) ? '' : name, text };
  });
  return { profile: p, lines: sorted, code };
}

/** Names of the kernel itself, which differ where versions of it are compared. */
function kernelFunctions({ frames, strings }: Profile): ReadonlySet<string> {
  const names = new Set<string>();
  for (let f = 0; f < frames.parent.length; f++) if (frames.parent[f] < 0) names.add(strings[frames.function[f]]);
  return names;
}

/** @param a undefined: the line is new @param b undefined: it is gone */
export function changeOf(a: Line | undefined, b: Line | undefined): LineChange {
  const deltaNs = (b?.timeNs ?? 0) - (a?.timeNs ?? 0);
  return { a, b, deltaNs, verdict: verdictOf(a, b, deltaNs) };
}

function verdictOf(a: Line | undefined, b: Line | undefined, deltaNs: number): Verdict {
  if (!a || !b) return a ? 'gone' : 'new';
  // Times are sums of doubles: less than a tenth of a nanosecond is rounding.
  if (Math.abs(deltaNs) < 0.1) return 'same';
  return deltaNs < 0 ? 'better' : 'worse';
}
