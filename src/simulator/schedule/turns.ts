/**
 * What the DMA engines are at: one turn each, by the time it ends. As a rule the turn that begins last ends last, so that a sorted
 * row is cheaper than a heap. Equal times come out in the order they went in, between these and the heap's events too.
 */
import type { EventHeap } from './heap';

export class Turns {
  private readonly endNs: Float64Array;
  private readonly order: Float64Array;
  private readonly engine: Uint8Array;
  /** Places go round in arrays whose length is a power of two. */
  private readonly mask: number;
  private first = 0;
  private count = 0;
  /** Of the turn `pop` took last. */
  poppedNs = 0;

  constructor(
    engines: number,
    private readonly heap: EventHeap,
  ) {
    const length = 2 ** Math.ceil(Math.log2(engines));
    this.mask = length - 1;
    this.endNs = new Float64Array(length);
    this.order = new Float64Array(length);
    this.engine = new Uint8Array(length);
  }

  /** An engine that is at no turn yet begins one. */
  push(endNs: number, engine: number) {
    let at = (this.first + this.count++) & this.mask;
    if (this.count > 1 && this.endNs[(at - 1) & this.mask] > endNs) at = this.makeRoom(at, endNs);
    this.endNs[at] = endNs;
    this.order[at] = this.heap.nextOrder();
    this.engine[at] = engine;
  }

  /** Moves turns that end later up to `last`, which is free. @returns the place that has become free. */
  private makeRoom(last: number, endNs: number): number {
    let at = last;
    while (at !== this.first) {
      const before = (at - 1) & this.mask;
      if (this.endNs[before] <= endNs) break;
      this.endNs[at] = this.endNs[before];
      this.order[at] = this.order[before];
      this.engine[at] = this.engine[before];
      at = before;
    }
    return at;
  }

  /** When the first one ends; Infinity when there is none. */
  get nextNs(): number {
    return this.count > 0 ? this.endNs[this.first] : Infinity;
  }

  /** Whether a turn ends before the heap's earliest event. */
  isNext(): boolean {
    return this.count > 0 && this.heap.isAfter(this.endNs[this.first], this.order[this.first]);
  }

  /** @returns the engine whose turn ends first; there must be one. */
  pop(): number {
    const engine = this.engine[this.first];
    this.poppedNs = this.endNs[this.first];
    this.first = (this.first + 1) & this.mask;
    this.count--;
    return engine;
  }
}
