/** What the line above a kernel says of its last run: its time, the change since the run before, and how long hardware is likely to take. */
import { isTooSmall, type Profile, TOO_SMALL, timeText } from '../../simulator/index';
import { arrowText } from '../hints/hintText';
import { labelText } from '../plainText';

/** `last 49.0 µs (trn2) ▼ 3.10 µs, likely 44.0 µs to 56.0 µs` */
export function lastTime(profile: Profile, before?: Profile): string {
  const { likely } = profile;
  const range = likely ? `, likely ${timeText(likely.lowNs)} to ${timeText(likely.highNs)}` : '';
  return `last ${timeText(profile.totalTimeNs)} (${labelText(profile.target)})${before ? change(before, profile) : ''}${range}`;
}

function change(before: Profile, after: Profile): string {
  const deltaNs = after.totalTimeNs - before.totalTimeNs;
  // Times are sums of doubles: less than a tenth of a nanosecond is rounding.
  if (Math.abs(deltaNs) < 0.1) return '';
  return ` ${arrowText(deltaNs)}${isTooSmall(before, after, deltaNs) ? ` (${TOO_SMALL})` : ''}`;
}
