/** The longest stretches of the body in which no compute engine ran, with what ended each and the collective that filled it. */
import type { EventId, Profile } from '../profile/profile';
import { activeIntervals, computeTracks } from './activeTime';
import { areCollectives } from './collectives';
import { pathTo } from './criticalPath';
import { isTransfer, transferRow } from './eventAccess';
import { keptWeakly } from './keptWeakly';

export interface IdleGap {
  startNs: number;
  endNs: number;
  /** The compute instruction that ended it. */
  next: EventId;
  /** The collective that took most of it, on the critical path to that instruction; null: none did. */
  collective: EventId | null;
}

/** Ours: a gap counts from this share of the body on, the longest few. */
const GAP_SHARE = 0.03;
const MOST_GAPS = 5;
/** Ours: of a gap, that a collective takes, with the wait for the rank that came last. */
const COLLECTIVE_SHARE = 0.5;

/** The longest first. */
export const idleGaps = keptWeakly((p: Profile): IdleGap[] => {
  const compute = computeTracks(p);
  const busy = activeIntervals(p, compute);
  const leastNs = (p.bodyEndNs - p.bodyStartNs) * GAP_SHARE;
  const found: { startNs: number; endNs: number }[] = [];
  for (let i = 1; i < busy.startNs.length; i++) {
    const [startNs, endNs] = [busy.endNs[i - 1], busy.startNs[i]];
    if (endNs - startNs > leastNs && startNs >= p.bodyStartNs) found.push({ startNs, endNs });
  }
  const isCollective = areCollectives(p);
  const none = !isCollective.includes(1);
  found.sort((a, b) => b.endNs - b.startNs - (a.endNs - a.startNs));
  return found.slice(0, MOST_GAPS).flatMap(span => {
    const next = firstComputeAt(p, compute, span.endNs);
    return next < 0 ? [] : [{ ...span, next, collective: none ? null : collectiveIn(p, isCollective, span, next) }];
  });
});

function firstComputeAt(p: Profile, tracks: readonly number[], timeNs: number): EventId {
  const { startNs, track } = p.instructions;
  for (let i = 0; i < startNs.length; i++) if (startNs[i] === timeNs && tracks.includes(track[i])) return i;
  return -1;
}

function collectiveIn(p: Profile, isCollective: Uint8Array, span: { startNs: number; endNs: number }, next: EventId): EventId | null {
  const path = pathTo(p, next, span);
  const takenNs = new Map<EventId, number>();
  for (const [segment, event] of path.event.entries())
    if (event >= 0 && isTransfer(p, event) && isCollective[transferRow(p, event)] === 1)
      takenNs.set(event, (takenNs.get(event) ?? 0) + path.endNs[segment] - path.startNs[segment]);
  const allNs = [...takenNs.values()].reduce((sum, ns) => sum + ns, 0);
  if (allNs < COLLECTIVE_SHARE * (span.endNs - span.startNs)) return null;
  return [...takenNs].reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}
