/**
 * What the time above the bounds waits for: of the longest waits on the critical path, and of the lines that run there longest, the one
 * without which the kernel gains most. What is long, but behind which something else stands, gains nothing.
 */
import { bounds } from '../analyze/bounds';
import { criticalPath } from '../analyze/criticalPath';
import { eventValue } from '../analyze/eventAccess';
import { type EventId, type Profile, STALL_REASONS } from '../profile/profile';
import type { Change } from './changes';
import type { Experiment } from './experiment';

/** The longest waits that are tried, and as many lines. */
const TRIED = 8;

export interface Wait {
  reason: (typeof STALL_REASONS)[number];
  /** An event that is waited for. */
  blocker: EventId;
  /** What the kernel gains without the wait. */
  gainNs: number;
}

const DATA = STALL_REASONS.indexOf('data');

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
  const tried = [...longestWaits(profile).slice(0, TRIED), ...longestLines(profile).slice(0, TRIED)].map(wait => ({
    ...asWait(wait),
    gainNs: profile.totalTimeNs - experiment.totalNs(without(experiment, wait)),
  }));
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

/** Lines that run on the critical path, but not on the engine that bounds the kernel: what comes next waits for their results. */
function longestLines(p: Profile): Waits[] {
  const path = criticalPath(p);
  const { bound } = bounds(p).verdict;
  const found = new Map<number, Waits>();
  for (let s = 0; s < path.event.length; s++) {
    const event = path.event[s];
    if (event < 0 || path.reason[s] !== 0) continue;
    const { kind, engine } = p.tracks[eventValue(p, event, 'track')];
    if (kind === 'engine' && `${engine}E` === bound) continue;
    const frame = eventValue(p, event, 'frame');
    const line = found.get(frame) ?? { reason: DATA, blocker: event, ns: 0, waiting: new Set() };
    found.set(frame, line);
    line.ns += path.endNs[s] - path.startNs[s];
  }
  return [...found.values()].sort((a, b) => b.ns - a.ns);
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
