/**
 * Why a rank came last to a collective: its critical path since the collective before, by source line, beside that of the rank that came
 * first. From the profiles of the ranks.
 */
import { rowValue } from '../profile/onDemand';
import type { EventId, Profile } from '../profile/profile';
import { type CollectivePart, collectiveParts } from './collectives';
import { pathTo } from './criticalPath';
import { eventValue } from './eventAccess';
import { framePosition, type Position } from './places';

/** Line 0: time without an event. */
export interface StragglerLine extends Position {
  /** On the path of the rank that came last, and of the one that came first. */
  lastNs: number;
  firstNs: number;
}

export interface Straggler {
  /** Numbers of ranks. */
  last: number;
  first: number;
  skewNs: number;
  /** The line first that takes the last rank the most time beyond the first rank's. */
  lines: StragglerLine[];
}

/** Null when all ranks came at once. @param number of a collective of the run */
export function stragglerOf(profiles: readonly Profile[], number: number): Straggler | null {
  return stragglerAmong(collectiveParts(profiles).get(number) ?? []);
}

/** The last rank of a collective, and the line that it took longer for than the first one. Null: all came at once, or no line is known. */
export function heldUpAt(parts: readonly CollectivePart[]): (Position & { rank: number }) | null {
  const found = stragglerAmong(parts);
  const most = found?.lines.find(({ line, lastNs, firstNs }) => line > 0 && lastNs > firstNs);
  return found && most ? { rank: found.last, file: most.file, line: most.line } : null;
}

function stragglerAmong(collective: readonly CollectivePart[]): Straggler | null {
  if (collective.length === 0) return null;
  const parts = collective.map(({ p, own }) => partOf(p, own.transfer));
  const last = parts.reduce((a, b) => (b.arrivalNs > a.arrivalNs ? b : a));
  const first = parts.reduce((a, b) => (b.arrivalNs < a.arrivalNs ? b : a));
  const skewNs = last.arrivalNs - first.arrivalNs;
  if (skewNs <= 0) return null;
  const lines = new Map<string, StragglerLine>();
  addPath(lines, last, 'lastNs');
  addPath(lines, first, 'firstNs');
  const beyondNs = ({ lastNs, firstNs }: StragglerLine) => lastNs - firstNs;
  return {
    last: last.p.rank!.rank,
    first: first.p.rank!.rank,
    skewNs,
    lines: [...lines.values()].sort((a, b) => beyondNs(b) - beyondNs(a)),
  };
}

interface Part {
  p: Profile;
  trigger: EventId;
  /** On the clock of its own profile. */
  readyNs: number;
  /** On one clock for all ranks. */
  arrivalNs: number;
}

const partOf = (p: Profile, transfer: number): Part => ({
  p,
  trigger: rowValue(p.transfers, 'trigger', transfer),
  readyNs: rowValue(p.transfers, 'readyNs', transfer),
  arrivalNs: arrivalNs(p, transfer),
});

function addPath(lines: Map<string, StragglerLine>, { p, trigger, readyNs }: Part, column: 'lastNs' | 'firstNs') {
  const path = pathTo(p, trigger, { startNs: beforeNs(p, readyNs), endNs: readyNs });
  for (const [segment, event] of path.event.entries()) {
    const position = event < 0 ? { file: '', line: 0 } : framePosition(p, eventValue(p, event, 'frame'));
    const key = `${position.line} ${position.file}`;
    const line = lines.get(key) ?? { ...position, lastNs: 0, firstNs: 0 };
    lines.set(key, line);
    line[column] += path.endNs[segment] - path.startNs[segment];
  }
}

/** The end of the rank's collective before this moment; else the start of its body. */
function beforeNs(p: Profile, momentNs: number): number {
  const ends = p.rank!.collectives.map(({ transfer }) => rowValue(p.transfers, 'endNs', transfer)).filter(endNs => endNs <= momentNs);
  return ends.reduce((latest, endNs) => Math.max(latest, endNs), p.bodyStartNs);
}

/** Before the end of the collective, which is the same moment at all ranks: clocks of captures are not. To a picosecond, negative. */
export const arrivalNs = ({ transfers }: Profile, row: number): number =>
  Math.round((rowValue(transfers, 'readyNs', row) - rowValue(transfers, 'endNs', row)) * 1000) / 1000;
