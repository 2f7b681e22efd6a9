/**
 * The stack of HBM that the cores of a logical core share: each DMA engine that reads or writes it at a moment, of either core, gets an
 * equal part of its rate, and each that reads an equal part of the runs that it finds. `dma.ts` has the other limits.
 */
export class HbmStack {
  /** Active DMA engines of all cores. */
  private engines = 0;
  /** Those of them that read. */
  readers = 0;

  constructor(private readonly bytesPerNs: number) {}

  /** A DMA engine begins a turn. @returns its part of the stack's rate, bytes/ns. */
  begin(reads: boolean): number {
    if (reads) this.readers++;
    return this.bytesPerNs / ++this.engines;
  }

  /** A DMA engine has ended its turn. */
  end(reads: boolean) {
    if (reads) this.readers--;
    this.engines--;
  }
}
