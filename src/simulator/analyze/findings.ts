/**
 * What went wrong, or may have, at a place in time: errors that a capture recorded, and what the checks found on a line, at the first
 * event of that line. Rules about speed are `warnings.ts`.
 */
import type { EventId, Profile } from '../profile/profile';
import { eventCount, eventValue } from './eventAccess';

export interface Finding {
  severity: 'error' | 'warning' | 'info';
  message: string;
  /** The event at which it is shown; for a recorded error, the last event that began before it. */
  event: EventId;
  startNs: number;
  endNs: number;
}

/** Sorted by time. Empty for checks without a line, and for profiles without events. */
export function findings(p: Profile): Finding[] {
  return [...recordedErrors(p), ...checked(p)].sort((a, b) => a.startNs - b.startNs);
}

function recordedErrors(p: Profile): Finding[] {
  const errors = p.recorded?.errors ?? [];
  if (eventCount(p) === 0) return [];
  return errors.map(({ timeNs, type, description }) => ({
    severity: 'error' as const,
    message: [type, description].filter(text => text !== '').join(': '),
    event: lastBefore(p, timeNs),
    startNs: timeNs,
    endNs: timeNs,
  }));
}

function lastBefore(p: Profile, timeNs: number): EventId {
  let last = 0;
  let latestNs = Number.NEGATIVE_INFINITY;
  for (let event = 0; event < eventCount(p); event++) {
    const startNs = eventValue(p, event, 'startNs');
    if (startNs <= timeNs && startNs > latestNs) [last, latestNs] = [event, startNs];
  }
  return last;
}

function checked(p: Profile): Finding[] {
  const placed = p.checks.filter(check => check.line > 0);
  if (placed.length === 0) return [];
  const first = firstOfLines(p);
  return placed.flatMap(({ severity, message, file, line, instruction }) => {
    const event = (instruction === undefined ? null : eventOf(p, instruction)) ?? first.get(`${file}:${line}`);
    if (event === undefined) return [];
    return [{ severity, message, event, startNs: eventValue(p, event, 'startNs'), endNs: eventValue(p, event, 'endNs') }];
  });
}

/** The first that an instruction of the program became; null where it became none of its own. */
function eventOf(p: Profile, instruction: number): EventId | null {
  for (let event = 0; event < eventCount(p); event++) if (eventValue(p, event, 'origin') === instruction) return event;
  return null;
}

/** `file:line` -> the event of it, or of what it calls, that begins first. */
function firstOfLines(p: Profile): Map<string, EventId> {
  const ofFrame = new Map<number, EventId>();
  for (let event = 0; event < eventCount(p); event++) {
    const frame = eventValue(p, event, 'frame');
    const known = ofFrame.get(frame);
    if (known === undefined || eventValue(p, event, 'startNs') < eventValue(p, known, 'startNs')) ofFrame.set(frame, event);
  }
  const first = new Map<string, EventId>();
  for (const [innermost, event] of ofFrame)
    for (let frame = innermost; frame >= 0; frame = p.frames.parent[frame]) {
      const place = `${p.files[p.frames.file[frame]].path}:${p.frames.line[frame]}`;
      const known = first.get(place);
      if (known === undefined || eventValue(p, event, 'startNs') < eventValue(p, known, 'startNs')) first.set(place, event);
    }
  return first;
}
