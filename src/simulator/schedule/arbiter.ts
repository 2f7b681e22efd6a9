/**
 * The DMA engines that serve a turn, in a linked list by the end of the turn. Usually the turn that begins last ends last, so the list is
 * cheaper than a heap. Equal times keep the order of insertion, also between this list and the events of the heap.
 */
import type { DmaEngine } from './engine';
import type { EventHeap } from './heap';

export class Arbiter {
  private first: DmaEngine | null = null;
  private last: DmaEngine | null = null;

  constructor(private readonly heap: EventHeap) {}

  /** Adds an idle engine that begins a turn. */
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

  /** Inserts the engine after all engines that end no later. The last one of the list ends later. */
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

  /** Adds an idle engine that looks for work now, before any other event. */
  unshift(engine: DmaEngine, nowNs: number) {
    engine.endNs = nowNs;
    engine.order = -1;
    engine.next = this.first;
    this.first = engine;
    this.last ??= engine;
  }

  /** End of the first turn; Infinity if there is none. */
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
