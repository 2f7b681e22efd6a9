/** Whether and when a file is profiled again by itself: by the settings, and by what its last run took. Pure. */
import type { ExtensionSettings } from '../settings';

export type Trigger = 'edit' | 'save';

/** After a save the user waits for nothing else; this many times the limit may pass. */
const PATIENCE_AFTER_SAVE = 4;

/** @returns milliseconds to wait, or undefined for not at all */
export function delayMs(live: ExtensionSettings['live'], trigger: Trigger, tookMs: number): number | undefined {
  const limitMs = live.maxSeconds * 1000;
  if (live.when === 'off') return undefined;
  if (trigger === 'save') return tookMs <= limitMs * PATIENCE_AFTER_SAVE ? 0 : undefined;
  if (live.when === 'onSave' || tookMs > limitMs) return undefined;
  // A run that takes long would still be on its way when the next pause comes.
  return Math.max(live.delayMs, tookMs / 2);
}
