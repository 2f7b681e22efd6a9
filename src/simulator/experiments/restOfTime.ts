/**
 * What the time above the bounds waits for: of the longest waits on the critical path, the one without which the kernel gains most. A wait
 * that is long, but behind which another one stands, gains nothing.
 */
import { criticalPath } from '../analyze/criticalPath';
import { eventValue } from '../analyze/eventAccess';
import { type EventId, type Profile, STALL_REASONS } from '../profile/profile';
import type { Change } from './changes';
import type { Experiment } from './experiment';

/** The longest waits that are tried. */
const TRIED = 8;

export interface Wait {
  reason: (typeof STALL_REASONS)[number];
  /** An event that is waited for. */
  blocker: EventId;
  /** What the kernel gains without the wait. */
  gainNs: number;
}

interface Waits {
  reason: number;
  blocker: EventId;
  ns: number;
  /** Frames of what waits. */
  waiting: Set<number>;
}

/** The wait that matters most. Null: there is none that gains. */
export function costliestWait(experiment: Experiment): Wait | null {
  const { profile } = experiment;
  const tried = longestWaits(profile)
    .slice(0, TRIED)
    .map(wait => ({ ...asWait(wait), gainNs: profile.totalTimeNs - experiment.totalNs(without(experiment, wait)) }));
  return tried.reduce<Wait | null>((a, b) => (b.gainNs > (a?.gainNs ?? 0) ? b : a), null);
}

const asWait = ({ reason, blocker }: Waits) => ({ reason: STALL_REASONS[reason], blocker });

/** Waits on the critical path for the same reason and the same line. */
function longestWaits(p: Profile): Waits[] {
  const path = criticalPath(p);
  const waits = new Map<string, Waits>();
  for (let s = 0; s < path.event.length; s++) {
    const [event, reason] = [path.event[s], path.reason[s]];
    if (event < 0 || reason === 0) continue;
    const blocker = eventValue(p, event, 'blocker');
    if (blocker < 0) continue;
    const key = `${reason} ${eventValue(p, blocker, 'frame')}`;
    const wait = waits.get(key) ?? { reason, blocker, ns: 0, waiting: new Set() };
    waits.set(key, wait);
    wait.ns += path.endNs[s] - path.startNs[s];
    wait.waiting.add(eventValue(p, event, 'frame'));
  }
  return [...waits.values()].sort((a, b) => b.ns - a.ns);
}

function without(experiment: Experiment, { reason, blocker, waiting }: Waits): Change {
  const frame = eventValue(experiment.profile, blocker, 'frame');
  const blocking = () => experiment.eventsIn(own => own === frame);
  switch (STALL_REASONS[reason]) {
    case 'buffer':
      return { kind: 'buffers', events: experiment.eventsIn(own => waiting.has(own)) };
    case 'descriptor':
      return { kind: 'dma starts', events: blocking() };
    default:
      return { kind: 'events', events: blocking(), speed: Infinity };
  }
}
