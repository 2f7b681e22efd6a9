/** The model of a profile of any kind: a system profile's rows are grouped. */
import type { Profile } from '../../simulator/profile/profile';
import { groupedSystem, type SystemGrouping } from '../../simulator/profile/systemRows';
import { buildModel, type Model } from './model';

export const modelOf = (profile: Profile, systemRows: SystemGrouping): Model =>
  profile.system ? { ...buildModel(groupedSystem(profile, systemRows)), ungrouped: profile } : buildModel(profile);
