/** Where the cores of a logical core wait for each other: whoever comes first is held until the last one is there. */

/** Who came last, and the event of that core that it came after: an instruction or a transfer; -1: none. */
export interface LastArrival {
  core: number;
  event: number;
}

type LetGo = (allHereNs: number, last: LastArrival) => void;

export class Barriers {
  /** By the number of the barrier: who is held. */
  private readonly held: LetGo[][] = [];

  constructor(private readonly cores: number) {}

  /** A core is at its k-th barrier. Times never run backwards over all calls. */
  arrive(k: number, nowNs: number, who: LastArrival, letGo: LetGo) {
    this.held[k] ??= [];
    const held = this.held[k];
    held.push(letGo);
    if (held.length < this.cores) return;
    this.held[k] = [];
    for (const go of held) go(nowNs, who);
  }
}
