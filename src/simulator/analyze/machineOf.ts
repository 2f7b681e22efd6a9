/** The machine of a profile: analyses begin with its name. */
import type { Machine } from '../hardware/machine';
import { machineFor, TARGETS } from '../hardware/targets';
import type { Profile } from '../profile/profile';

export const machineOf = ({ target }: Pick<Profile, 'target'>): Machine => machineFor(target);

/** Those that a profile can be compared with. */
export const KNOWN_TARGETS: readonly string[] = TARGETS;
