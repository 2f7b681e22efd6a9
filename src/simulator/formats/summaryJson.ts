/**
 * `summary-json` in Neuron Profiler's shape: `{"n_<hash>": { metric: value, ... }}`, one key per profile. The hash is of the
 * profile's content: the same run gives the same key. Metrics, names and units: `analyze/metrics.ts`.
 */
import { summary } from '../analyze/summary';
import { encodeProfile } from '../profile/codec';
import type { Profile } from '../profile/profile';
import { profileId } from './contentHash';

export function summaryJson(profile: Profile): string {
  return `${JSON.stringify({ [profileId(encodeProfile(profile))]: summary(profile) }, null, 2)}\n`;
}
