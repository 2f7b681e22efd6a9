/**
 * Two runs of a kernel beside each other: in total, and line by line. Lines are matched by `matchLines.ts`; their numbers are
 * those of `lines.ts`.
 */
import type { Profile } from '../../profile/profile';
import { type Line, lines } from '../lines';
import { functionsOfLines } from '../places';
import { type CodeLine, matchLines } from './matchLines';

export interface LineChange {
  /** Undefined: the line is new. */
  a?: Line;
  /** Undefined: the line is gone, or it asks for nothing any more. */
  b?: Line;
  /** `b - a`, a missing line counting as zero. */
  deltaNs: number;
  verdict: Verdict;
}

/** `same`: nothing that the line did takes another time, bytes or instructions. */
export type Verdict = 'better' | 'worse' | 'same' | 'new' | 'gone';

export interface Comparison {
  aTotalNs: number;
  bTotalNs: number;
  /** `b` against `a`, of the kernel's total time: 0.1 is ten percent slower. 0 when `a` took no time. */
  deltaShare: number;
  /** Largest change first, then by line. */
  lines: LineChange[];
}

/** Lines of a profile, where somebody has them already. */
export type LinesOf = (p: Profile) => readonly Line[];

/** @param a the run before @param b the run after */
export function compare(a: Profile, b: Profile, linesOf: LinesOf = lines): Comparison {
  const [before, after] = [inSourceOrder(a, linesOf), inSourceOrder(b, linesOf)];
  const changes = matchLines(before.code, after.code).map(match => changeOf(before.lines[match.a], after.lines[match.b]));
  return {
    aTotalNs: a.totalTimeNs,
    bTotalNs: b.totalTimeNs,
    deltaShare: a.totalTimeNs > 0 ? b.totalTimeNs / a.totalTimeNs - 1 : 0,
    lines: changes.sort((x, y) => Math.abs(y.deltaNs) - Math.abs(x.deltaNs) || lineOf(x) - lineOf(y)),
  };
}

const lineOf = ({ a, b }: LineChange) => (b ?? a)!.line;

function inSourceOrder(p: Profile, linesOf: LinesOf): { lines: Line[]; code: CodeLine[] } {
  const order = new Map(p.files.map(({ path }, index) => [path, index]));
  const sorted = [...linesOf(p)].sort((x, y) => order.get(x.file)! - order.get(y.file)! || x.line - y.line);
  const functions = functionsOfLines(p);
  const code = sorted.map(({ file, line, text }) => ({ function: functions(file, line), text }));
  return { lines: sorted, code };
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
