/**
 * Level of detail for one lane: which is the longest of events a..b, without looking at them all. A pyramid of block
 * maxima: level 0 holds the longest of each 8 events, level k the longest of 8 blocks below.
 */

const FAN_OUT = 8;

export interface Pyramid {
  durationOf(i: number): number;
  /** The longest event of each block, finest level first. */
  levels: Uint32Array[];
}

export function buildPyramid(length: number, durationOf: (i: number) => number): Pyramid {
  const pyramid: Pyramid = { durationOf, levels: [] };
  let below: Uint32Array | null = null;
  for (let size = length; size > FAN_OUT; size = Math.ceil(size / FAN_OUT)) {
    const level = new Uint32Array(Math.ceil(size / FAN_OUT));
    for (let block = 0; block < level.length; block++) {
      const from = block * FAN_OUT;
      level[block] = longestOf(pyramid, below, from, Math.min(from + FAN_OUT, size));
    }
    pyramid.levels.push(level);
    below = level;
  }
  return pyramid;
}

/** The longest event in [from, to), the first of equals; `from` < `to`. */
export function longestIn(pyramid: Pyramid, from: number, to: number): number {
  let best = from;
  let below: Uint32Array | null = null;
  let level = 0;
  while (from < to) {
    const above = pyramid.levels[level];
    const innerFrom = Math.ceil(from / FAN_OUT);
    const innerTo = Math.floor(to / FAN_OUT);
    if (!above || innerFrom >= innerTo) return better(pyramid, best, longestOf(pyramid, below, from, to));
    if (from < innerFrom * FAN_OUT) best = better(pyramid, best, longestOf(pyramid, below, from, innerFrom * FAN_OUT));
    if (innerTo * FAN_OUT < to) best = better(pyramid, best, longestOf(pyramid, below, innerTo * FAN_OUT, to));
    below = above;
    from = innerFrom;
    to = innerTo;
    level++;
  }
  return best;
}

/** Longest among entries [from, to) of a level; without a level the entries are the events themselves. */
function longestOf(pyramid: Pyramid, level: Uint32Array | null, from: number, to: number): number {
  let best = level ? level[from] : from;
  let bestNs = pyramid.durationOf(best);
  for (let i = from + 1; i < to; i++) {
    const event = level ? level[i] : i;
    const ns = pyramid.durationOf(event);
    if (ns < bestNs || (ns === bestNs && event > best)) continue;
    best = event;
    bestNs = ns;
  }
  return best;
}

function better({ durationOf }: Pyramid, a: number, b: number): number {
  const difference = durationOf(b) - durationOf(a);
  return difference > 0 || (difference === 0 && b < a) ? b : a;
}
