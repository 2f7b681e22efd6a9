/**
 * Where ranks wait for each other in collectives: one begins when all of its ranks have triggered it and those before it on their CC cores
 * are done, and ends for all at once. Times come from outside.
 */

/** Who came last to a collective. */
export interface LastRank {
  rank: number;
  atNs: number;
}

/** The part of one core of a rank in a collective. */
export interface Arrival {
  rank: number;
  core: number;
  /** On its core, by number. */
  queue: number;
  atNs: number;
  settle(startNs: number, endNs: number, last: LastRank): void;
}

export class Rendezvous {
  private readonly here: Arrival[][] = [];
  /** When the CC core of (rank, core, queue) is free. */
  private readonly freeNs = new Map<string, number>();

  /** @param durationsNs of each collective. @param expected how many arrive at each. */
  constructor(
    private readonly durationsNs: Float64Array,
    private readonly expected: Uint32Array,
  ) {}

  arrive(collective: number, arrival: Arrival) {
    this.here[collective] ??= [];
    const here = this.here[collective];
    here.push(arrival);
    if (here.length < this.expected[collective]) return;
    const last = here.reduce((a, b) => (b.atNs > a.atNs ? b : a));
    const startNs = here.reduce((most, each) => Math.max(most, this.freeNs.get(placeOf(each)) ?? 0), last.atNs);
    const endNs = startNs + this.durationsNs[collective];
    for (const each of here) {
      this.freeNs.set(placeOf(each), endNs);
      each.settle(startNs, endNs, last);
    }
    this.here[collective] = [];
  }
}

const placeOf = ({ rank, core, queue }: Arrival) => `${rank} ${core} ${queue}`;
