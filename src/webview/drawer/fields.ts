/** What the details panel shows of an event: groups of fields, each with an explanation. A table; no DOM. */
import type { EventDescription } from '../../simulator/analyze/events';
import { bytesText, timeText } from '../../simulator/analyze/format';
import { stallShort } from '../../simulator/analyze/stallText';
import { countText, instantText, rateText } from '../math/units';

export interface DrawerField {
  name: string;
  /** The (i) text. */
  about: string;
  /** null: not for this event. */
  value(d: EventDescription): string | null;
  /** Set in the code font. */
  code?: boolean;
}

export interface FieldGroup {
  title: string;
  fields: readonly DrawerField[];
}

export const FIELD_GROUPS: readonly FieldGroup[] = [
  {
    title: 'Timing',
    fields: [
      { name: 'start', about: 'When it began to execute, from the start of the profile.', value: d => instantText(d.startNs) },
      { name: 'end', about: 'When its result was written.', value: d => instantText(d.endNs) },
      { name: 'duration', about: 'end − start.', value: d => timeText(d.durationNs) },
      {
        name: 'visible',
        about: 'When waiting engines could see that it was done: a DMA raises its semaphore some time after its last byte.',
        value: d => (d.visibleNs > d.endNs ? instantText(d.visibleNs) : null),
      },
      {
        name: 'ready',
        about: 'When its engine or queue reached it: it could have started then if nothing had been in the way.',
        value: d => instantText(d.readyNs),
      },
      { name: 'wait', about: 'start − ready: the hatched part before the bar.', value: d => timeText(d.waitNs) },
      { name: 'wait reason', about: 'What it waited for, of a closed list of reasons.', value: d => stallShort(d.stall) || null },
    ],
  },
  {
    title: 'Operation',
    fields: [
      { name: 'opcode', about: 'The machine instruction.', value: d => (d.dma ? null : d.opcode), code: true },
      { name: 'engine', about: 'The engine that ran it, or that triggered the DMA.', value: d => d.engine || null },
      { name: 'row', about: 'The row it is drawn on (Neuron: timeline_track).', value: d => (d.track === d.engine ? null : d.track) },
      { name: 'iteration', about: "Values of the kernel's loop variables, outermost first.", value: d => d.iteration || null, code: true },
      {
        name: 'layer',
        about: 'The layer of the model or kernel that it lies in, and those around it.',
        value: d => d.layer || null,
        code: true,
      },
      {
        name: 'FLOPs',
        about: 'Floating-point operations, a multiply-accumulate counted as two; with the rate over its duration.',
        value: d => (d.flops > 0 ? `${countText(d.flops)} (${(d.flops / d.durationNs / 1000).toFixed(1)} TFLOP/s)` : null),
      },
    ],
  },
  {
    title: 'Collective',
    fields: [
      { name: 'collective', about: 'What ranks do together here.', value: d => d.collective?.name ?? null, code: true },
      { name: 'algorithm', about: 'How ranks exchange data, chosen by size and group.', value: d => d.collective?.algorithm ?? null },
      {
        name: 'size',
        about: "Of the larger one of this rank's two buffers.",
        value: d => (d.collective ? bytesText(d.collective.bytes) : null),
      },
      {
        name: 'number',
        about: 'Among the collectives of all ranks: it is the same at each rank that takes part.',
        value: d => (d.collective ? String(d.collective.number) : null),
      },
      {
        name: 'last rank',
        about: 'The rank that came last, when that is another one.',
        value: d => (d.collective?.late ? String(d.collective.late.rank) : null),
      },
    ],
  },
  {
    title: 'Memory',
    fields: [
      { name: 'tensor', about: 'The tensor moved, by its name in the kernel.', value: d => d.dma?.variable ?? null, code: true },
      { name: 'direction', about: 'From which memory to which.', value: d => d.dma?.direction.replace('->', ' → ') ?? null },
      { name: 'bytes', about: 'Payload of the whole transfer.', value: d => (d.dma ? bytesText(d.dma.bytes) : null) },
      { name: 'throughput', about: 'bytes / duration.', value: d => (d.dma ? rateText(d.dma.bytesPerSecond) : null) },
      {
        name: 'packets',
        about: 'Pieces the transfer was cut into, and their mean size. Small pieces cost more per byte.',
        value: d => (d.dma ? `${countText(d.dma.packets)} × ${bytesText(Math.round(d.dma.bytes / Math.max(1, d.dma.packets)))}` : null),
      },
      {
        name: 'DMA engines',
        about: 'Which of the DMA engines took part.',
        value: d => (d.dma ? `${d.dma.engines.length}: ${d.dma.engines.map(engine => `E${engine}`).join(' ')}` : null),
      },
    ],
  },
  {
    title: 'IDs',
    fields: [
      { name: 'event', about: 'Number of the event in this profile: instructions first, then transfers.', value: d => countText(d.event) },
      { name: 'call depth', about: 'Functions of the kernel that it is inside of.', value: d => String(d.stack.length) },
      {
        name: 'trigger',
        about: 'Number of the instruction that triggered the DMA.',
        value: d => (d.dma?.trigger == null ? null : countText(d.dma.trigger)),
      },
    ],
  },
];
