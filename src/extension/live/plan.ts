/** Decides if and when a file is profiled again automatically: by the settings, and by the time of its last run. Pure. */
import type { ExtensionSettings } from '../settings';

export type Trigger = 'edit' | 'save';

/** Factor of the time limit after a save, because the user then waits for the result. */
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
