/** What checks say of several lines of a file, said once: for lists that people read. */
import type { Check } from '../profile/profile';

export interface GroupedCheck {
  /** The first of those that say the same. */
  check: Check;
  /** The lines of the others. */
  alsoLines: number[];
}

/** In the order of the first of each. */
export function groupedChecks(checks: readonly Check[]): GroupedCheck[] {
  const groups = new Map<string, GroupedCheck>();
  for (const check of checks) {
    const key = JSON.stringify([check.severity, check.message, check.file]);
    const known = groups.get(key);
    if (!known) groups.set(key, { check, alsoLines: [] });
    else if (check.line !== known.check.line && !known.alsoLines.includes(check.line)) known.alsoLines.push(check.line);
  }
  return [...groups.values()];
}

/** Of a check: its message, and the other lines of which it is true. */
export function groupedMessage({ check, alsoLines }: GroupedCheck): string {
  if (alsoLines.length === 0) return check.message;
  return `${check.message} (also line${alsoLines.length === 1 ? '' : 's'} ${alsoLines.join(', ')})`;
}
