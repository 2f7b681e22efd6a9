/** One DMA engine: the turn it is at, and what it did last. `dma.ts` decides which turns there are. */

export class DmaEngine {
  /** Queue it works for, -1 when idle, and the one it served last. */
  queue = -1;
  served = 0;
  /** Its turn takes part of what the cores' common HBM delivers. */
  usesHbm = false;
  /** Of its turn; and the place among events that end at the same time. */
  endNs = 0;
  order = 0;
  /** The engine whose turn ends after this one's. */
  next: DmaEngine | null = null;
  /** When it fell idle. */
  idleFromNs = Number.NEGATIVE_INFINITY;
  /** That it moved last, -1: none yet. */
  lastTransfer = -1;

  constructor(
    readonly number: number,
    /** Its descriptors come that much after the first engine's. */
    readonly skewNs: number,
  ) {}
}
