/** The closed list of reasons why an event waits: what the scheduler assigns and everything behind it shows. */

/**
 * Why an event did not start when its queue reached it: a closed list. The code is the index.
 * - none: it started at once
 * - data: it waited for a value another instruction was still writing (flow dependence)
 * - buffer: it waited until others had finished with the memory it overwrites (anti or output dependence)
 * - dma: as `data`, and the producer is a DMA
 * - queue: a DMA waited behind earlier transfers on its queue or engines; its trigger, for a semaphore of the queue
 * - descriptor: a DMA waited for its descriptors to be generated
 * - table: ScalarE loaded another activation table
 * - port: it waited for a memory port or PSUM bank in use by another engine
 * - clock: nothing was in the way, the engine's clock was held back
 * - core: it waited for the other core of its logical core
 * - rank: a collective waited for a rank that came later
 */
export const STALL_REASONS = ['none', 'data', 'buffer', 'dma', 'queue', 'descriptor', 'table', 'port', 'clock', 'core', 'rank'] as const;
export type StallReason = (typeof STALL_REASONS)[number];

/** Index of each stall reason, for the columns. */
export const STALL = Object.fromEntries(STALL_REASONS.map((reason, code) => [reason, code])) as Record<StallReason, number>;
