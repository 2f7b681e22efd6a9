/** The lines of several profiles beside one another: each of the others' matched with the first's (`compare.ts`). */
import type { Profile } from '../../profile/profile';
import type { Line } from '../lines';
import { type Comparison, compare, type LinesOf } from './compare';

export interface LineTimes {
  /** One for each profile, in their order; undefined where it does not have the line. */
  lines: (Line | undefined)[];
}

/** Largest change first, then by line. A line that the first does not have is one row where others say the same. */
export const compareLines = (base: Profile, others: readonly Profile[], linesOf?: LinesOf): LineTimes[] =>
  besideOneAnother(others.map(other => compare(base, other, linesOf)));

/** @param comparisons each of another profile with the same first one */
export function besideOneAnother(comparisons: readonly Comparison[]): LineTimes[] {
  const rows = new Map<string, LineTimes>();
  const rowOf = (key: string) => {
    const row = rows.get(key) ?? { lines: new Array<Line | undefined>(comparisons.length + 1).fill(undefined) };
    rows.set(key, row);
    return row;
  };
  for (const [i, { lines }] of comparisons.entries()) {
    const seen = new Map<string, number>();
    for (const { a, b } of lines) {
      const row = rowOf(a ? `${a.line} ${a.file}` : newKey(b!, seen));
      row.lines[0] ??= a;
      row.lines[i + 1] = b;
    }
  }
  return [...rows.values()].sort((x, y) => largestNs(y) - largestNs(x) || lineOf(x) - lineOf(y));
}

/** By what it says; the second that says so is another. */
function newKey({ text }: Line, seen: Map<string, number>): string {
  const count = (seen.get(text) ?? 0) + 1;
  seen.set(text, count);
  return `new ${count} ${text}`;
}

/** The one to show: the first's, else that of the first which has it. */
export const shownLine = ({ lines }: LineTimes): Line => lines.find(line => line !== undefined)!;

const lineOf = (row: LineTimes) => shownLine(row).line;
const largestNs = ({ lines: [base, ...others] }: LineTimes) =>
  Math.max(...others.map(line => Math.abs((line?.timeNs ?? 0) - (base?.timeNs ?? 0))));
