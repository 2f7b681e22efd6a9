/**
 * Level of detail for one lane: finds the longest of events a..b without reading them all. A pyramid of block maxima: level 0 has the
 * greatest duration of each 4 events, level k that of 4 blocks of the level below. It stores durations, so blocks are compared directly,
 * and only the block with the maximum is searched.
 */

const SHIFT = 2;
const FAN_OUT = 1 << SHIFT;

/** A lane: the source of durations. */
interface Timed {
  durationNs(i: number): number;
}

type Durations = Float32Array | Float64Array;

export class Pyramid {
  private readonly levels: readonly Durations[];

  constructor(
    length: number,
    private readonly events: Timed,
  ) {
    const exact: Float64Array[] = [];
    for (let size = length; size > FAN_OUT; size = Math.ceil(size / FAN_OUT))
      exact.push(maxima(size, exact.length === 0 ? i => events.durationNs(i) : readerOf(exact[exact.length - 1])));
    // whole steps of the clock fit in 32 bits, unless an event is very long
    const short = exact.every(level => level.every(ns => Math.fround(ns) === ns));
    this.levels = short ? exact.map(level => Float32Array.from(level)) : exact;
  }

  get heldBytes(): number {
    return this.levels.reduce((n, level) => n + level.byteLength, 0);
  }

  /** The longest event in [from, to); of equal ones the first. `from` < `to`. */
  longestIn(from: number, to: number): number {
    // the best so far: the level of its block (-1: an event), its first event, its duration
    let [best, bestLevel, bestEvent] = [from, -1, from];
    let bestNs = Number.NEGATIVE_INFINITY;
    // from both ends inwards: on each level the blocks that no whole block above covers
    for (let first = from, last = to, level = -1; ; level++) {
      const [innerFirst, innerLast] = [(first + FAN_OUT - 1) >> SHIFT, last >> SHIFT];
      const top = level + 1 === this.levels.length || innerFirst >= innerLast;
      const [coveredFrom, coveredTo] = top ? [last, last] : [innerFirst << SHIFT, innerLast << SHIFT];
      for (let k = first === coveredFrom ? coveredTo : first; k < last; k = k + 1 === coveredFrom ? coveredTo : k + 1) {
        const ns = level < 0 ? this.events.durationNs(k) : this.levels[level][k];
        if (ns < bestNs) continue;
        const event = k << (SHIFT * (level + 1));
        if (ns === bestNs && event > bestEvent) continue;
        best = k;
        bestLevel = level;
        bestEvent = event;
        bestNs = ns;
      }
      if (top) return this.eventIn(bestLevel, best, bestNs);
      first = innerFirst;
      last = innerLast;
    }
  }

  /** The first event of that duration in a block. */
  private eventIn(level: number, block: number, ns: number): number {
    let at = block;
    for (let below = level - 1; below >= -1; below--) {
      at <<= SHIFT;
      while ((below < 0 ? this.events.durationNs(at) : this.levels[below][at]) !== ns) at++;
    }
    return at;
  }
}

const readerOf = (level: Float64Array) => (i: number) => level[i];

function maxima(size: number, durationOf: (i: number) => number): Float64Array {
  const level = new Float64Array(Math.ceil(size / FAN_OUT)).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < size; i++) {
    const ns = durationOf(i);
    if (ns > level[i >> SHIFT]) level[i >> SHIFT] = ns;
  }
  return level;
}
