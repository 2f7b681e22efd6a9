/** One event in words for the timeline's own places (hover box, screen reader); the facts come from `analyze/events.ts`. */
import { describeEvent, type EventDescription } from '../../simulator/analyze/events';
import { bytesText, timeText } from '../../simulator/analyze/format';
import { instantText } from '../math/units';
import type { Model } from './model';

export const fileName = (path: string) => path.split(/[\\/]/).pop() ?? path;

/** Captures without source links have line 0. */
export const hasSource = ({ line }: { line: number }) => line > 0;

export const positionText = ({ file, line }: { file: string; line: number }) =>
  hasSource({ line }) ? `${fileName(file)}:${line}` : 'no source recorded';

/** For the aria-live line: `ACTIVATE on Scalar, 312 ns from 1 204 ns, waited …, kernel.py line 12`. */
export function describeShort(model: Model, event: number): string {
  const d = describeEvent(model.profile, event);
  const parts = [
    `${title(d)} on ${d.track}`,
    `${timeText(d.durationNs)} from ${instantText(d.startNs)}`,
    d.stallText,
    d.dma ? bytesText(d.dma.bytes) : '',
    hasSource(d.position) ? `${fileName(d.position.file)} line ${d.position.line}` : '',
    d.iteration,
  ];
  return parts.filter(part => part !== '').join(', ');
}

export const title = (d: EventDescription) => (d.dma ? `DMA ${d.dma.variable}` : d.opcode);
