/** Units by key, the smallest first; of equal keys the one of the lower rank. */
export class UnitHeap {
  private readonly keys: number[] = [];
  private readonly units: number[] = [];

  /** @param rank by unit; no two have the same. Absent: the unit's number. */
  constructor(private readonly rank?: ArrayLike<number>) {}

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
    this.keys.push(key);
    this.units.push(unit);
    this.rise(this.units.length - 1);
  }

  pop(): number {
    const unit = this.units[0];
    this.removeAt(0);
    return unit;
  }

  /** Cheap for units near the top, where most removed units are. */
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
    if (key !== otherKey) return key < otherKey;
    return this.rank ? this.rank[unit] < this.rank[otherUnit] : unit < otherUnit;
  }

  private put(at: number, key: number, unit: number) {
    this.keys[at] = key;
    this.units[at] = unit;
  }
}
