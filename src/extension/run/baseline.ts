/** Which earlier run a run is measured against: the last one of saved text that differs from it. */
import type { Run } from './run';

/** While a file is being typed in, its runs are measured against the last saved one, not against each other. */
export function measureAgainst(run: Run, latest: Run) {
  const base = latest.isSaved ? latest : (latest.before ?? latest);
  if (run.isLike(base)) {
    run.before = base.before;
    return;
  }
  run.before = base;
  // No chain: a profile can be large.
  base.before = undefined;
}
