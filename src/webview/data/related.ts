/** The lines that the selected event depends on, and those that wait for it: for the part that shows the source. */
import { predecessors, successors } from '../../simulator/analyze/dependencies';
import type { RelatedLine } from '../protocol/messages';
import { hasSource } from './describe';
import { eventPosition, type Model } from './model';

/** Most events on either side: more lines would not help. */
const MOST = 64;

/** Each line once; a line on both sides counts as a predecessor. */
export function relatedLines(model: Model, event: number): RelatedLine[] {
  const { profile, analysis } = model;
  const found = new Map<string, RelatedLine>();
  const add = (events: { event: number }[], kind: RelatedLine['kind']) => {
    for (const other of events.slice(0, MOST)) {
      const { file, line } = eventPosition(model, other.event);
      const key = `${file}:${line}`;
      if (hasSource({ line }) && !found.has(key)) found.set(key, { file, line, kind });
    }
  };
  add(predecessors(profile, analysis.producers(), event), 'before');
  add(successors(profile, analysis.producers(), event), 'after');
  return [...found.values()];
}
