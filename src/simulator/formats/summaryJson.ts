/**
 * `summary-json` in Neuron Profiler's shape: `{"n_<hash>": { metric: value, ... }}`, one key per profile. The hash is of the
 * profile's content: the same run gives the same key. Of a run on several cores `cores` has the same of each; `warnings` has what the viewer
 * warns of, `annotations` the times that people named. Metrics, names and units:
 * `analyze/metrics.ts`. A simulated profile also has `is_simulation` and its accuracy statement, because the metrics do not distinguish
 * it from a recording.
 */
import { summary } from '../analyze/summary';
import { encodeProfile } from '../profile/codec';
import { coresOf, ofCore } from '../profile/ofCore';
import type { Profile } from '../profile/profile';
import { annotationsJson } from './annotationsSaid';
import { OWN_SECTION } from './capture/ownMeta';
import { simulationOf } from './capture/simulation';
import { profileId } from './contentHash';
import { said } from './said';
import { systemJson } from './systemText';

export function summaryJson(profile: Profile): string {
  if (profile.system) return systemJson(profile);
  const cores = coresOf(profile).map(core => ({ core, ...summary(ofCore(profile, core)) }));
  const simulation = simulationOf(profile);
  const warnings = said(profile);
  const annotations = annotationsJson(profile);
  const metrics = {
    ...summary(profile),
    ...(cores.length > 0 && { cores }),
    ...(warnings.length > 0 && { warnings }),
    ...(annotations.length > 0 && { annotations }),
    ...(simulation && { is_simulation: true, [OWN_SECTION]: simulation }),
  };
  return `${JSON.stringify({ [profileId(encodeProfile(profile))]: metrics }, null, 2)}\n`;
}
