/**
 * DMA queues by their names, as profiles print them: the compiler makes the names, analyses and readers of captures take them apart.
 * `qSyncDynamicHW`: descriptors made by hardware; `qGpSimdDynamic`: written by GpSimd; `CC-core_0`: not a queue but a core that carries
 * out collectives of ranks, a row of its own; all others (`qSyncIO0`): a ring made beforehand.
 */
import type { Engine } from './engines';

/** How the descriptors of a DMA are made. */
export const DGE_MODES = ['static', 'hardware', 'software'] as const;
export type DgeMode = (typeof DGE_MODES)[number];

/** What a static ring carries. */
export type RingUse = 'IO' | 'SpillSave' | 'SpillReload';

export const queueName = (engine: Engine, mode: DgeMode, use: RingUse): string =>
  mode === 'static' ? `q${engine}${use}0` : `q${engine}Dynamic${mode === 'hardware' ? 'HW' : ''}`;

/** Names of the modes in Neuron's summaries. */
export const DMA_CLASSES = ['static', 'software_dynamic', 'hardware_dynamic'] as const;
export type DmaClass = (typeof DMA_CLASSES)[number];

export function dmaClass(queue: string): DmaClass {
  if (queue.includes('DynamicHW')) return 'hardware_dynamic';
  return queue.includes('Dynamic') ? 'software_dynamic' : 'static';
}

/** Whether the name of a queue contains this use. */
export const isRingOf = (queue: string, use: RingUse): boolean => queue.includes(use);

/** Row of a CC core, by the channel that it serves. */
export const ccQueueName = (channel: number): string => `CC-core_${channel}`;

/** Whether a row is a CC core's: what stands on it are collectives, not transfers of this core's DMA engines. */
export const isCcQueue = (name: string): boolean => name.startsWith('CC-core_');
