/** How hot a line is, as one of a few levels. The icon of a level is a bar as long as the share of its line; its colour says it again. */

/** Share of the total time per level: the bar is full from half of the time on. */
const STEP = 1 / 16;

export const HEAT_LEVELS = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Lines from this level up are marked as hot, others as warm, in the overview ruler. */
export const HOT_LEVEL = 3;

/** @param share of the total time, 0..1 @returns one of HEAT_LEVELS */
export function heatLevel(share: number): number {
  return Math.min(HEAT_LEVELS.length, Math.max(1, Math.ceil(share / STEP)));
}
