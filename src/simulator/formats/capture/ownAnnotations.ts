/**
 * Annotations in our Parquet folders: as a text beside the tables, which have no field for them. Times there are whole nanoseconds and the lines of
 * callers are not known, so an annotation whose event is not found by its place in the code is tied to the event of its row at its time.
 */
import { anchorOf, labelOf, MISSING, placeAnnotations, trackOf } from '../../analyze/anchors';
import { eventCount, eventValue } from '../../analyze/eventAccess';
import { FormatError } from '../../columns/container';
import type { Annotation, EventAnchor } from '../../profile/annotations';
import type { EventId, Profile } from '../../profile/profile';

/** Key of the JSON text in the footer of `Metadata.parquet`. */
export const ANNOTATIONS_KEY = 'nki_scope.annotations';

/** Times were rounded. */
const NEAR_NS = 1;

/** The rows as they are: the codec of profiles checks them. @throws FormatError */
export function parseAnnotations(json: string): Annotation[] {
  try {
    const rows: unknown = JSON.parse(json);
    if (Array.isArray(rows)) return rows as Annotation[];
  } catch {
    // it is said below
  }
  throw new FormatError('Metadata.parquet is damaged: its annotations are no list');
}

/** The profile with annotations that belong to events of its own, as far as they are found. */
export function reanchored(p: Profile): Profile {
  const { annotations = [] } = p;
  if (annotations.length === 0) return p;
  const tied = placeAnnotations(p, annotations).map(({ annotation, event: known }) => {
    const { anchor, timeNs } = annotation;
    if (!anchor || known !== MISSING) return annotation;
    const event = eventAt(p, anchor, timeNs - anchor.offsetNs);
    return event === MISSING ? annotation : { ...annotation, anchor: anchorOf(p, event, timeNs) };
  });
  return { ...p, annotations: tied };
}

/** The event of the anchor's row and label with this edge. */
function eventAt(p: Profile, { edge, track, label }: EventAnchor, edgeNs: number): EventId {
  const column = edge === 'end' ? 'endNs' : 'startNs';
  for (let event = 0, events = eventCount(p); event < events; event++)
    if (Math.abs(eventValue(p, event, column) - edgeNs) <= NEAR_NS && trackOf(p, event) === track && labelOf(p, event) === label)
      return event;
  return MISSING;
}
