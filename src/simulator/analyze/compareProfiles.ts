/**
 * Two profiles side by side: totals, tracks by name, lines by what they say. A line is the same line when its function and
 * its text are; its number may have moved. Of several equal lines the first pairs with the first, and so on.
 */

import type { Profile } from '../profile/profile';
import { trackActiveNs } from './activeTime';
import { fileFunctions } from './lineFunctions';
import { type Line, lines } from './lines';

export interface Delta {
  name: string;
  aNs: number;
  bNs: number;
}

export interface LineDelta extends Delta {
  a: Line | null;
  b: Line | null;
}

export interface Comparison {
  total: Delta;
  body: Delta;
  tracks: Delta[];
  /** Greatest change first. */
  lines: LineDelta[];
}

export function compareProfiles(a: Profile, b: Profile): Comparison {
  return {
    total: { name: 'total', aNs: a.totalTimeNs, bNs: b.totalTimeNs },
    body: { name: 'body', aNs: a.bodyEndNs - a.bodyStartNs, bNs: b.bodyEndNs - b.bodyStartNs },
    tracks: compareTracks(a, b),
    lines: compareLines(a, b),
  };
}

function compareTracks(a: Profile, b: Profile): Delta[] {
  const [busyA, busyB] = [trackActiveNs(a), trackActiveNs(b)];
  const names = [...new Set([...a.tracks, ...b.tracks].map(track => track.name))];
  const of = (p: Profile, busy: Float64Array, name: string) => busy[p.tracks.findIndex(track => track.name === name)] ?? 0;
  return names.map(name => ({ name, aNs: of(a, busyA, name), bNs: of(b, busyB, name) }));
}

function compareLines(a: Profile, b: Profile): LineDelta[] {
  const [known, rest] = [keyed(a), keyed(b)];
  const deltas: LineDelta[] = [];
  for (const [key, line] of known) {
    const other = rest.get(key) ?? null;
    rest.delete(key);
    deltas.push({ name: line.text, a: line, b: other, aNs: line.timeNs, bNs: other?.timeNs ?? 0 });
  }
  for (const line of rest.values()) deltas.push({ name: line.text, a: null, b: line, aNs: 0, bNs: line.timeNs });
  return deltas.sort((x, y) => Math.abs(y.bNs - y.aNs) - Math.abs(x.bNs - x.aNs));
}

/** Lines by function, text and how many equal ones come before, in order of position. */
function keyed(p: Profile): Map<string, Line> {
  const functionOf = fileFunctions(p);
  const seen = new Map<string, number>();
  const result = new Map<string, Line>();
  const inOrder = lines(p).sort((x, y) => (x.file < y.file ? -1 : x.file > y.file ? 1 : x.line - y.line));
  for (const line of inOrder) {
    const key = `${functionOf(line)} ${line.text}`;
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    result.set(`${key} ${count}`, line);
  }
  return result;
}
