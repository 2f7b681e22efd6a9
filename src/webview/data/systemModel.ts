/** The model of a profile of any kind: a system profile's rows are grouped. */
import type { decodeFirst } from '../../simulator/profile/parts';
import type { Profile } from '../../simulator/profile/profile';
import { groupedSystem, type SystemGrouping } from '../../simulator/profile/systemRows';
import { buildModel, type Model } from './model';

export const modelOf = (profile: Profile, systemRows: SystemGrouping): Model =>
  profile.system ? { ...buildModel(groupedSystem(profile, systemRows)), ungrouped: profile } : buildModel(profile);

/** The model of what a host has sent. */
export function sentModel({ profile, isWhole }: ReturnType<typeof decodeFirst>, systemRows: SystemGrouping): Model {
  const model = modelOf(profile, systemRows);
  return isWhole ? model : { ...model, lacksSlices: true };
}
