/**
 * The DMA engines that are at a turn, by the time it ends: a linked list. As a rule the turn that begins last ends last, so that
 * this is cheaper than a heap. Equal times come out in the order they went in, between these and the heap's events too.
 */
import type { DmaEngine } from './engine';
import type { EventHeap } from './heap';

export class Arbiter {
  private first: DmaEngine | null = null;
  private last: DmaEngine | null = null;

  constructor(private readonly heap: EventHeap) {}

  /** An engine that is at no turn begins one. */
  push(engine: DmaEngine, endNs: number) {
    const { last } = this;
    engine.endNs = endNs;
    engine.order = this.heap.nextOrder();
    if (last !== null && last.endNs > endNs) {
      this.insert(engine, endNs);
      return;
    }
    engine.next = null;
    if (last === null) this.first = engine;
    else last.next = engine;
    this.last = engine;
  }

  /** Puts it behind all that end no later; the last ends later. */
  private insert(engine: DmaEngine, endNs: number) {
    let before: DmaEngine | null = null;
    let after = this.first;
    while (after !== null && after.endNs <= endNs) {
      before = after;
      after = after.next;
    }
    engine.next = after;
    if (before === null) this.first = engine;
    else before.next = engine;
  }

  /** An idle engine that is to look for work now, before anything else happens. */
  unshift(engine: DmaEngine, nowNs: number) {
    engine.endNs = nowNs;
    engine.order = -1;
    engine.next = this.first;
    this.first = engine;
    this.last ??= engine;
  }

  /** When the first one ends; Infinity when there is none. */
  get nextNs(): number {
    return this.first === null ? Infinity : this.first.endNs;
  }

  /** @returns the engine whose turn ends first, if that is before the heap's earliest event; null otherwise. */
  pop(): DmaEngine | null {
    const engine = this.first;
    if (engine === null || !this.heap.isAfter(engine.endNs, engine.order)) return null;
    this.first = engine.next;
    if (this.first === null) this.last = null;
    return engine;
  }
}
