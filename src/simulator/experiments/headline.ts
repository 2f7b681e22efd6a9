/** One sentence on top: what the kernel is bound by, how much of what is possible it reaches, and what the rest waits for. */

import { bounds } from '../analyze/bounds';
import { criticalPath } from '../analyze/criticalPath';
import { eventValue } from '../analyze/eventAccess';
import { percentText } from '../analyze/format';
import { onlyFile } from '../analyze/places';
import { eventName } from '../analyze/stallText';
import { type EventId, type Profile, STALL_REASONS } from '../profile/profile';
import { type Rung, reachableNs } from './ladder';

/** From this share on, the sentence names no rest. */
const NEARLY_ALL = 0.98;
export interface Headline {
  /** `verdict` of `analyze/bounds.ts`. */
  bound: string;
  /** The largest bound over the kernel's body: 1 is as good as it gets. */
  reachedShare: number;
  sentence: string;
}

export function headline(p: Profile, rungs: readonly Rung[], product: string): Headline {
  const bodyNs = p.bodyEndNs - p.bodyStartNs;
  const reachedShare = bodyNs > 0 ? Math.min(1, reachableNs(rungs) / bodyNs) : 1;
  const { bound } = bounds(p).verdict;
  const rest = reachedShare < NEARLY_ALL ? waitsFor(p) : '';
  const begin = bound === 'waiting' ? 'Bound by waiting' : `${bound}-bound`;
  const reached = `${percentText(reachedShare)} of what this algorithm can reach on ${product}`;
  return { bound, reachedShare, sentence: `${begin}: ${reached}${rest && `; the rest waits mostly for ${rest}`}.` };
}

/** The line and the event that the longest waits on the critical path are for; empty if there are no waits. */
function waitsFor(p: Profile): string {
  const path = criticalPath(p);
  const waits = new Map<string, { ns: number; blocker: EventId; reason: number }>();
  for (let s = 0; s < path.event.length; s++) {
    if (path.event[s] < 0 || path.reason[s] === 0) continue;
    const blocker = eventValue(p, path.event[s], 'blocker');
    if (blocker < 0) continue;
    const key = `${path.reason[s]} ${eventValue(p, blocker, 'frame')}`;
    const wait = waits.get(key) ?? { ns: 0, blocker, reason: path.reason[s] };
    wait.ns += path.endNs[s] - path.startNs[s];
    waits.set(key, wait);
  }
  const longest = [...waits.values()].reduce<{ ns: number; blocker: EventId; reason: number } | null>(
    (a, b) => (a && a.ns >= b.ns ? a : b),
    null,
  );
  if (!longest) return '';
  const reason = STALL_REASONS[longest.reason];
  const file = onlyFile(p);
  const who = eventName(p, longest.blocker, file);
  // the instruction that triggers it is on the same line
  if (reason === 'descriptor') return `the start-up of ${eventName(p, longest.blocker, file, 'DMA')}`;
  if (reason === 'buffer') return `a buffer that ${who} still uses`;
  return who;
}
