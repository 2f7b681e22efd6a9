/** Why a profile cannot be timed again: said to the user, who can do something about it. */

export class NoExperiment extends Error {
  override name = 'NoExperiment';
}
