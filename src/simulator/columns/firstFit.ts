/**
 * Intervals stacked in lanes: each goes to the first lane that is free at its start. A tree of minima finds that lane in a number of
 * steps that grows with the logarithm of the lanes, so thousands of overlapping events stay cheap.
 */
export class FirstFit {
  /** Lanes so far. */
  lanes = 0;
  /**
   * From index `capacity` on: the time from which each lane is free. Before them, from index 1 on: the minimum of each node's two
   * children.
   */
  private least = new Float64Array(2).fill(Number.POSITIVE_INFINITY);
  private capacity = 1;

  /** @returns the lane; the previous value of `lanes` if none was free. */
  take(start: number, end: number): number {
    const lane = this.least[1] <= start ? this.firstFree(start) : this.added();
    let node = this.capacity + lane;
    for (this.least[node] = end; node > 1; node >>= 1) this.least[node >> 1] = Math.min(this.least[node], this.least[node ^ 1]);
    return lane;
  }

  private firstFree(start: number): number {
    let node = 1;
    while (node < this.capacity) node = this.least[2 * node] <= start ? 2 * node : 2 * node + 1;
    return node - this.capacity;
  }

  private added(): number {
    if (this.lanes === this.capacity) this.grow();
    return this.lanes++;
  }

  /** Doubles the tree: the old tree becomes its left half. */
  private grow() {
    const bigger = new Float64Array(4 * this.capacity).fill(Number.POSITIVE_INFINITY);
    for (let level = 1; level <= this.capacity; level *= 2) bigger.set(this.least.subarray(level, 2 * level), 2 * level);
    bigger[1] = this.least[1];
    this.least = bigger;
    this.capacity *= 2;
  }
}
