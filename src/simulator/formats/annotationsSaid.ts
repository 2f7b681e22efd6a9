/** Where a person's annotations are in a profile, for exports: those of its events and of times alone. Others, of another profile, are left out. */
import { MISSING, type PlacedAnnotation, placeAnnotations } from '../analyze/anchors';
import { eventValue } from '../analyze/eventAccess';
import { timeText } from '../analyze/format';
import { framePosition, hasSource, type Position } from '../analyze/places';
import type { Annotation } from '../profile/annotations';
import type { Profile } from '../profile/profile';

export const annotationsIn = (p: Profile): PlacedAnnotation<Annotation>[] =>
  placeAnnotations(p, p.annotations ?? []).filter(({ event }) => event !== MISSING);

/** Of the annotation's event; null: it has none, or one that is of no known line. */
function positionOf(p: Profile, event: number | undefined): Position | null {
  if (event === undefined) return null;
  const frame = eventValue(p, event, 'frame');
  return hasSource(p, frame) ? framePosition(p, frame) : null;
}

/** For a summary as JSON. */
export const annotationsJson = (p: Profile): Record<string, unknown>[] =>
  annotationsIn(p).map(({ annotation: { name, note }, timeNs, event }) => ({
    name,
    ...(note && { note }),
    time_ns: timeNs,
    ...(event !== undefined && { event, ...positionOf(p, event) }),
  }));

/** `annotation: warm-up ends at 12.3 µs: kernel.py:14: what a person noted`. */
export const annotationTexts = (p: Profile): string[] =>
  annotationsIn(p).map(({ annotation: { name, note }, timeNs, event }) => {
    const at = positionOf(p, event);
    const where = at ? [`${at.file.split(/[\\/]/).pop()}:${at.line}`] : [];
    return `annotation: ${[`${name} at ${timeText(timeNs)}`, ...where, ...(note ? [note] : [])].join(': ')}`;
  });
