/** The state of one DMA engine: its current turn and its last transfer. `dma.ts` decides on the turns. */

export class DmaEngine {
  /** Queue it works for, -1 when idle, and the one it served last. */
  queue = -1;
  served = 0;
  /** Whether its turn uses the HBM that the cores share. */
  usesHbm = false;
  /** Whether its turn reads HBM. */
  reads = false;
  /** End of its turn, and the order among events with equal times. */
  endNs = 0;
  order = 0;
  /** The engine whose turn ends after this one's. */
  next: DmaEngine | null = null;
  /** Start of its idle time. */
  idleFromNs = Number.NEGATIVE_INFINITY;
  /** The transfer that it moved last, -1: none yet. */
  lastTransfer = -1;

  constructor(
    readonly number: number,
    /** Its descriptors come that much after the first engine's. */
    readonly skewNs: number,
  ) {}
}
