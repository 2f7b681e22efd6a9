/** Transfers in packets of a few bytes. The warning and the advice on them are elsewhere. */

/** NKI DMA bandwidth guide: below it the time of a packet is mostly overhead. */
export const SHORT_RUN_BYTES = 256;

/**
 * Whether a transfer moves short runs where longer ones are possible. Rows of a tile with few columns cannot be longer: such a transfer has no more
 * packets than there are partitions.
 */
export function hasShortRuns(
  { bytes, packets }: { bytes: ArrayLike<number>; packets: ArrayLike<number> },
  transfer: number,
  partitions: number,
): boolean {
  return packets[transfer] > partitions && bytes[transfer] < SHORT_RUN_BYTES * packets[transfer];
}
