/** How hot a line is, as one of a few levels. The icons of a level show it by length as well as by colour. */

/** Smallest share of the total time of each level, from 1 up. */
const LEVELS = [0, 0.05, 0.15, 0.3] as const;

export const HEAT_LEVELS = LEVELS.map((_, index) => index + 1);

/** Lines from this level up are marked as hot, others as warm, in the overview ruler. */
export const HOT_LEVEL = 3;

/** @param share of the total time, 0..1 @returns 1..HEAT_LEVELS.length */
export function heatLevel(share: number): number {
  let level = 1;
  while (level < LEVELS.length && share >= LEVELS[level]) level++;
  return level;
}
