/**
 * The semaphores that a DMA engine writes at the ends of its parts of transfers: one after another, while it moves the next bytes, and at
 * most so many that are not acknowledged yet. `dma.ts` decides when a part has been moved.
 */
import type { Fact } from '../hardware/facts';
import type { CompletionLimits } from '../hardware/machine';

export class Completions {
  /** Per engine, the last ones: when each was written. Places are used in turn. */
  private readonly writtenNs: Float64Array;
  /** Per engine: the place of the next, which is that of the oldest. */
  private readonly next: Uint8Array;
  private readonly betweenNs: number;
  private readonly most: number;
  private readonly acknowledgeNs: number;

  /** @param acknowledge from the write to its acknowledgement */
  constructor(engines: number, { betweenNs, unacknowledged }: CompletionLimits, acknowledge: Fact) {
    this.most = unacknowledged.value;
    this.betweenNs = betweenNs.value;
    this.acknowledgeNs = acknowledge.value;
    this.writtenNs = new Float64Array(engines * this.most).fill(Number.NEGATIVE_INFINITY);
    this.next = new Uint8Array(engines);
  }

  /** When one more may wait to be acknowledged. */
  roomNs(engine: number): number {
    return this.writtenNs[engine * this.most + this.next[engine]] + this.acknowledgeNs;
  }

  /**
   * The engine has moved its part of a transfer.
   * @param share of an experiment: what is left of times that do not depend on what is moved
   * @returns when its semaphore is written
   */
  write(engine: number, movedNs: number, share: number): number {
    const own = engine * this.most;
    const place = this.next[engine];
    const before = this.writtenNs[own + (place === 0 ? this.most : place) - 1];
    const writtenNs = Math.max(movedNs, before + this.betweenNs * share);
    this.writtenNs[own + place] = writtenNs;
    this.next[engine] = place + 1 === this.most ? 0 : place + 1;
    return writtenNs;
  }
}
