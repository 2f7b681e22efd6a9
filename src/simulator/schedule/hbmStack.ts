/**
 * The stack of HBM that the cores of a logical core share: of the DMA engines that read or write it at a moment, whichever core's they are,
 * each gets an equal part of what it delivers. What else limits them is `dma.ts`.
 */
export class HbmStack {
  /** Of all cores. */
  private engines = 0;

  constructor(private readonly bytesPerNs: number) {}

  /** A DMA engine begins a turn. @returns what the stack gives it, bytes/ns. */
  begin(): number {
    return this.bytesPerNs / ++this.engines;
  }

  /** A DMA engine has ended its turn. */
  end() {
    this.engines--;
  }
}
