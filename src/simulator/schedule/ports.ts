/** Memory ports that two engines share: the instruction that uses each, and until when. */

export class Ports {
  private readonly until: Float64Array;
  private readonly by: Int32Array;
  private readonly stream: Int32Array;

  constructor(count: number) {
    this.until = new Float64Array(count);
    this.by = new Int32Array(count).fill(-1);
    this.stream = new Int32Array(count).fill(-1);
  }

  /** Time when all ports of the mask are free for this stream. Use by the same stream does not count. */
  freeNs(mask: number, stream: number): number {
    let time = 0;
    for (let k = 0; k < this.until.length; k++)
      if ((mask >> k) & 1 && this.stream[k] !== stream && this.until[k] > time) time = this.until[k];
    return time;
  }

  /** The instruction whose use ends last. */
  holder(mask: number, stream: number): number {
    let best = -1;
    for (let k = 0; k < this.until.length; k++)
      if ((mask >> k) & 1 && this.stream[k] !== stream && (best < 0 || this.until[k] > this.until[best])) best = k;
    return best < 0 ? -1 : this.by[best];
  }

  hold(mask: number, stream: number, untilNs: number, instruction: number) {
    for (let k = 0; k < this.until.length; k++) {
      if (!((mask >> k) & 1)) continue;
      this.until[k] = untilNs;
      this.by[k] = instruction;
      this.stream[k] = stream;
    }
  }
}
