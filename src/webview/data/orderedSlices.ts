/** The busy stretches of DMA engines as they came, until they are packed: those of a window are found by their starts. */
import { lowerBound, upperBound } from '../../simulator/columns/search';
import type { ProfileDmaSlices } from '../../simulator/profile/profile';

export class OrderedSlices {
  /** None takes longer; infinite where they are not in the order of their starts, as in a file from anyone. */
  private readonly longestNs: number;

  constructor(private readonly slices: ProfileDmaSlices) {
    this.longestNs = longest(slices);
  }

  /** All that overlap the window, and some around it. */
  within(fromNs: number, toNs: number): ProfileDmaSlices {
    const { startNs, endNs, engine, transfer, bytes } = this.slices;
    if (this.longestNs === Number.POSITIVE_INFINITY) return this.slices;
    const from = lowerBound(startNs, fromNs - this.longestNs);
    const to = upperBound(startNs, toNs, from);
    return {
      startNs: startNs.subarray(from, to),
      endNs: endNs.subarray(from, to),
      engine: engine.subarray(from, to),
      transfer: transfer.subarray(from, to),
      bytes: bytes.subarray(from, to),
    };
  }
}

function longest({ startNs, endNs }: ProfileDmaSlices): number {
  let [most, before] = [0, 0];
  for (let i = 0; i < startNs.length; i++) {
    if (startNs[i] < before) return Number.POSITIVE_INFINITY;
    before = startNs[i];
    most = Math.max(most, endNs[i] - before);
  }
  return most;
}
