/**
 * Events by time: a binary heap on typed arrays. Equal times keep the order of insertion, so a run is deterministic. The payload of an
 * event is a number that the caller defines.
 */
import { resized } from '../columns/rows';

export class EventHeap {
  private time: Float64Array;
  private order: Float64Array;
  private payload: Int32Array;
  private pushed = 0;
  size = 0;
  /** Time of the event that `pop` returned last. */
  poppedNs = 0;

  constructor(capacity = 256) {
    this.time = new Float64Array(capacity);
    this.order = new Float64Array(capacity);
    this.payload = new Int32Array(capacity);
  }

  /** The order of an event among those of equal time, in this heap or elsewhere. */
  nextOrder(): number {
    return this.pushed++;
  }

  /** Whether all events come after an event with that time and order. */
  isAfter(timeNs: number, order: number): boolean {
    return this.size === 0 || timeNs < this.time[0] || (timeNs === this.time[0] && order < this.order[0]);
  }

  push(timeNs: number, payload: number) {
    if (this.size === this.time.length) this.grow();
    const order = this.nextOrder();
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.time[parent] <= timeNs) break;
      this.move(parent, at);
      at = parent;
    }
    this.put(at, timeNs, order, payload);
  }

  /** Time of the earliest event; Infinity if there is none. */
  get nextNs(): number {
    return this.size > 0 ? this.time[0] : Infinity;
  }

  /** @returns the payload of the earliest event; the heap must not be empty. */
  pop(): number {
    const payload = this.payload[0];
    this.poppedNs = this.time[0];
    const last = --this.size;
    if (last > 0) this.sink(this.time[last], this.order[last], this.payload[last]);
    return payload;
  }

  private sink(timeNs: number, order: number, payload: number) {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && this.before(child + 1, child)) child++;
      const childTime = this.time[child];
      if (timeNs < childTime || (timeNs === childTime && order < this.order[child])) break;
      this.move(child, at);
      at = child;
    }
    this.put(at, timeNs, order, payload);
  }

  private before(a: number, b: number): boolean {
    return this.time[a] < this.time[b] || (this.time[a] === this.time[b] && this.order[a] < this.order[b]);
  }

  private move(from: number, to: number) {
    this.time[to] = this.time[from];
    this.order[to] = this.order[from];
    this.payload[to] = this.payload[from];
  }

  private put(at: number, timeNs: number, order: number, payload: number) {
    this.time[at] = timeNs;
    this.order[at] = order;
    this.payload[at] = payload;
  }

  private grow() {
    const { time, order, payload } = resized({ time: this.time, order: this.order, payload: this.payload }, this.time.length * 2);
    this.time = time;
    this.order = order;
    this.payload = payload;
  }
}
