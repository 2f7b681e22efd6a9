/** Barriers between the cores of a logical core: each core that arrives waits until the last one has arrived. */

/** The core that arrived last, and the event on that core before its arrival: an instruction or a transfer; -1: none. */
export interface LastArrival {
  core: number;
  event: number;
}

type LetGo = (allHereNs: number, last: LastArrival) => void;

export class Barriers {
  /** The waiting cores of each barrier. */
  private readonly held: LetGo[][] = [];

  constructor(private readonly cores: number) {}

  /** A core arrives at its k-th barrier. Times must not decrease from call to call. */
  arrive(k: number, nowNs: number, who: LastArrival, letGo: LetGo) {
    this.held[k] ??= [];
    const held = this.held[k];
    held.push(letGo);
    if (held.length < this.cores) return;
    this.held[k] = [];
    for (const go of held) go(nowNs, who);
  }
}
