/** How long the compiler expects the bytes of a DMA to move, where nothing else does. When they really move is `schedule/`'s. */
import type { Machine } from '../hardware/machine';
import type { Compiled } from './compiled';

/** @returns ns, at the rate of all engines, and that of its cut: a transpose is slower than a copy. */
export function movingNs({ dma }: Machine, { transfers, cuts }: Pick<Compiled, 'transfers' | 'cuts'>, transfer: number): number {
  return transfers.bytes[transfer] / (dma.hbmReadBytesPerNs.value * cuts.speed[transfers.cut[transfer]]);
}
