/**
 * Per engine, the units of work whose data is known: those that could start by now, by their place in the program, and
 * those that become ready later, by time.
 */

/** How many units in front of the list may lack space before the engine waits. */
const LOOKED_AT = 8;

export class ReadyLists {
  private readonly now: Heap[];
  private readonly later: Heap[];
  /** What `best` gave last from `now`; -1: nothing. */
  private readonly givenNow: Int32Array;

  constructor(engines: number) {
    this.givenNow = new Int32Array(engines).fill(-1);
    this.now = Array.from({ length: engines }, () => new Heap());
    this.later = Array.from({ length: engines }, () => new Heap());
  }

  add(engine: number, unit: number, readyNs: number) {
    this.later[engine].push(readyNs, unit);
  }

  /** @returns the first allowed unit that is ready by `nowNs`, else the one that is ready soonest; -1: none is allowed. */
  best(engine: number, nowNs: number, allowed: (unit: number) => boolean): number {
    const [now, later] = [this.now[engine], this.later[engine]];
    while (later.size > 0 && later.key <= nowNs) {
      const unit = later.pop();
      now.push(unit, unit);
    }
    const found = firstAllowed(now, allowed);
    this.givenNow[engine] = found;
    return found >= 0 ? found : firstAllowed(later, allowed);
  }

  /** Cheap for the unit that `best` gave last for this engine. */
  remove(engine: number, unit: number) {
    const [now, later] = [this.now[engine], this.later[engine]];
    if (this.givenNow[engine] === unit) now.remove(unit);
    else if (!later.remove(unit)) now.remove(unit);
  }
}

function firstAllowed(heap: Heap, allowed: (unit: number) => boolean): number {
  if (heap.size === 0) return -1;
  if (allowed(heap.top)) return heap.top;
  const passed: [key: number, unit: number][] = [];
  let found = -1;
  while (heap.size > 0 && passed.length < LOOKED_AT && found < 0) {
    const key = heap.key;
    const unit = heap.pop();
    passed.push([key, unit]);
    if (allowed(unit)) found = unit;
  }
  for (const [key, unit] of passed) heap.push(key, unit);
  return found;
}

/** Units by key, the smallest first; of equal keys the smaller unit. */
class Heap {
  private readonly keys: number[] = [];
  private readonly units: number[] = [];

  get size(): number {
    return this.units.length;
  }

  get key(): number {
    return this.keys[0];
  }

  get top(): number {
    return this.units[0];
  }

  push(key: number, unit: number) {
    let at = this.units.length;
    this.keys.push(key);
    this.units.push(unit);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.less(key, unit, parent)) break;
      this.put(at, this.keys[parent], this.units[parent]);
      at = parent;
    }
    this.put(at, key, unit);
  }

  pop(): number {
    const unit = this.units[0];
    this.removeAt(0);
    return unit;
  }

  /** Cheap for units near the top, which is where they are looked for. */
  remove(unit: number): boolean {
    const at = this.units.indexOf(unit);
    if (at < 0) return false;
    this.removeAt(at);
    return true;
  }

  private removeAt(at: number) {
    const [key, unit] = [this.keys.pop()!, this.units.pop()!];
    if (at === this.units.length) return;
    this.put(at, key, unit);
    this.sink(at);
    this.rise(at);
  }

  private sink(start: number) {
    let at = start;
    const [key, unit] = [this.keys[at], this.units[at]];
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && this.less(this.keys[child + 1], this.units[child + 1], child)) child++;
      if (!this.less(this.keys[child], this.units[child], -1, key, unit)) break;
      this.put(at, this.keys[child], this.units[child]);
      at = child;
    }
    this.put(at, key, unit);
  }

  private rise(start: number) {
    let at = start;
    const [key, unit] = [this.keys[at], this.units[at]];
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.less(key, unit, parent)) break;
      this.put(at, this.keys[parent], this.units[parent]);
      at = parent;
    }
    this.put(at, key, unit);
  }

  private less(key: number, unit: number, at: number, otherKey = this.keys[at], otherUnit = this.units[at]): boolean {
    return key < otherKey || (key === otherKey && unit < otherUnit);
  }

  private put(at: number, key: number, unit: number) {
    this.keys[at] = key;
    this.units[at] = unit;
  }
}
