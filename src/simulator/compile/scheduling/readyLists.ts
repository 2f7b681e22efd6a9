/**
 * Per engine, the units whose operands have known times: those that are ready now, by rank, and those that become ready later, by time.
 */
import { UnitHeap } from './unitHeap';

export class ReadyLists {
  private readonly now: UnitHeap[];
  private readonly later: UnitHeap[];
  /** The last result of `best` from the list `now`; -1: none. */
  private readonly givenNow: Int32Array;

  /**
   * @param considered units at the front of a list that may be forbidden before the engine waits.
   * @param rank by unit; the lowest goes first.
   */
  constructor(
    engines: number,
    private readonly considered: number,
    private readonly rank: ArrayLike<number>,
  ) {
    this.givenNow = new Int32Array(engines).fill(-1);
    this.now = Array.from({ length: engines }, () => new UnitHeap(rank));
    this.later = Array.from({ length: engines }, () => new UnitHeap(rank));
  }

  add(engine: number, unit: number, readyNs: number) {
    this.later[engine].push(readyNs, unit);
  }

  /** @returns the first allowed unit that is ready by `nowNs`, else the one that is ready soonest; -1: none is allowed. */
  best(engine: number, nowNs: number, allowed: (unit: number) => boolean): number {
    const [now, later] = [this.now[engine], this.later[engine]];
    while (later.size > 0 && later.key <= nowNs) {
      const unit = later.pop();
      now.push(this.rank[unit], unit);
    }
    const found = this.firstAllowed(now, allowed);
    this.givenNow[engine] = found;
    return found >= 0 ? found : this.firstAllowed(later, allowed);
  }

  /** Cheap for the unit that `best` gave last for this engine. */
  remove(engine: number, unit: number) {
    const [now, later] = [this.now[engine], this.later[engine]];
    if (this.givenNow[engine] === unit) now.remove(unit);
    else if (!later.remove(unit)) now.remove(unit);
  }

  private firstAllowed(heap: UnitHeap, allowed: (unit: number) => boolean): number {
    if (heap.size === 0) return -1;
    if (allowed(heap.top)) return heap.top;
    const passed: [key: number, unit: number][] = [];
    let found = -1;
    while (heap.size > 0 && passed.length < this.considered && found < 0) {
      const key = heap.key;
      const unit = heap.pop();
      passed.push([key, unit]);
      if (allowed(unit)) found = unit;
    }
    for (const [key, unit] of passed) heap.push(key, unit);
    return found;
  }
}
