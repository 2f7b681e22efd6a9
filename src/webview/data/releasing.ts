/** Decides when the page drops columns that were made again for a reader. */
import type { CompactProfile } from './compactProfile';

/** Time that such columns are kept, because a reader usually reads them again soon. */
const KEEP_MS = 10_000;

const timers = new WeakMap<CompactProfile, ReturnType<typeof setTimeout>>();

export function releaseLater(held: CompactProfile): void {
  clearTimeout(timers.get(held));
  timers.set(
    held,
    setTimeout(() => held.release(), KEEP_MS),
  );
}
