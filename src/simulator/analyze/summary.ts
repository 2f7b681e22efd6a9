/** The summary of a profile: every metric of the table (`metrics.ts`) that this profile knows, in its order. */
import type { Profile } from '../profile/profile';
import { type Facts, facts } from './facts';
import { METRICS } from './metrics';

export type Summary = Record<string, number | string>;

export function summary(p: Profile, known: Facts = facts(p)): Summary {
  const result: Summary = {};
  for (const [name, metric] of Object.entries(METRICS)) {
    const value = metric.compute(known);
    if (value !== null) result[name] = value;
  }
  return result;
}
