/** When the page gives up the columns that were made again for someone who read them. */
import type { CompactProfile } from './compactProfile';

/** Columns that were made again are kept this long: what reads one reads it again soon. */
const KEEP_MS = 10_000;

const timers = new WeakMap<CompactProfile, ReturnType<typeof setTimeout>>();

export function releaseLater(held: CompactProfile): void {
  clearTimeout(timers.get(held));
  timers.set(
    held,
    setTimeout(() => held.release(), KEEP_MS),
  );
}
