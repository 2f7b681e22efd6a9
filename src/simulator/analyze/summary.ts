/**
 * The summary of a profile: every metric of the table (`metrics.ts`) that this profile knows, in its order. What a capture's own
 * profiler recorded stands as recorded; `recordedAgainstEvents` lays beside it what its events add up to.
 */
import type { Profile } from '../profile/profile';
import { ENGINES } from '../vocabulary/engines';
import { METRICS } from './metrics';
import { type ProfileTotals, totals } from './totals';

export type Summary = Record<string, number | string>;

export function summary(p: Profile, known: ProfileTotals = totals(p)): Summary {
  const values = Object.entries(fromEvents(known)).filter(([name]) => !isUnseen(name, known));
  return { ...Object.fromEntries(values), ...p.recorded?.summary };
}

const OF_DMA = /(^|_)dma_|^(hbm|spill|mbu|sbuf)_/;
const OF_ALL = /^total_(active|exec)_|^trace_count$/;

/** Of a recording that holds no event of an engine, or no DMA: these ran, and what they did is not known. Nothing is told of it, instead of 0. */
function isUnseen(name: string, { profile, engines }: ProfileTotals): boolean {
  if (profile.simulated || !profile.recorded) return false;
  const missing = ENGINES.filter(engine => engines[engine].count === 0).map(engine => `${engine.toLowerCase()}_engine_`);
  const noDma = profile.transfers.startNs.length === 0;
  if (missing.some(prefix => name.startsWith(prefix)) || (noDma && OF_DMA.test(name))) return true;
  return (noDma || missing.length > 0) && OF_ALL.test(name);
}

function fromEvents(known: ProfileTotals): Summary {
  const result: Summary = {};
  for (const [name, metric] of Object.entries(METRICS)) {
    const value = metric.compute(known);
    if (value !== null) result[name] = value;
  }
  return result;
}

export interface RecordedMetric {
  name: string;
  recorded: number;
  fromEvents: number;
  /** fromEvents / recorded - 1; 0 when both are 0. */
  difference: number;
}

/** Metrics that cannot be computed from the events of a file: the recording counts more than the file contains, or the file has no whole transfers. */
const NOT_COMPARABLE: ReadonlySet<string> = new Set([
  'event_count',
  'trace_count',
  'dma_queue_count',
  'dma_transfer_count',
  'dma_transfer_time',
  'dma_transfer_total_bytes',
  'dma_transfer_average_bytes',
  'mm_arithmetic_intensity',
]);

/** Metrics that the file records and that its events determine. Empty for a profile of our own. */
export function recordedAgainstEvents(p: Profile, known: ProfileTotals = totals(p)): RecordedMetric[] {
  const recorded = p.recorded?.summary ?? {};
  const counted = fromEvents(known);
  return Object.keys(METRICS).flatMap(name => {
    const [a, b] = [recorded[name], counted[name]];
    if (typeof a !== 'number' || typeof b !== 'number' || NOT_COMPARABLE.has(name)) return [];
    return [{ name, recorded: a, fromEvents: b, difference: a === b ? 0 : b / a - 1 }];
  });
}
