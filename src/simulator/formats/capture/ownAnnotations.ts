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

/** Events that are counted to tie annotations of a folder, which can have any number of both. Others keep their times only. */
const MOST_STEPS = 2 ** 26;

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
  const placed = placeAnnotations(p, annotations);
  const lost = placed.filter(({ event }) => event === MISSING).slice(0, Math.max(1, Math.floor(MOST_STEPS / (eventCount(p) + 1))));
  if (lost.length === 0) return p;
  const events = eventsAt(p, new Set(lost.map(({ annotation }) => annotation)));
  const tied = annotations.map(annotation => {
    const event = events.get(annotation);
    return event === undefined ? annotation : { ...annotation, anchor: anchorOf(p, event, annotation.timeNs) };
  });
  return { ...p, annotations: tied };
}

/** The event of each one's row and label with its edge, in one pass over the events. */
function eventsAt(p: Profile, annotations: ReadonlySet<Annotation>): ReadonlyMap<Annotation, EventId> {
  const wanted = new Map<string, Annotation[]>();
  for (const annotation of annotations) {
    const { edge, track, label, offsetNs } = annotation.anchor!;
    const key = keyOf(edge, Math.round(annotation.timeNs - offsetNs), track, label);
    const others = wanted.get(key);
    if (others) others.push(annotation);
    else wanted.set(key, [annotation]);
  }
  const found = new Map<Annotation, EventId>();
  for (let event = 0, events = eventCount(p); event < events; event++)
    for (const edge of EDGES) {
      // times of these tables are whole
      const key = keyOf(edge, Math.round(eventValue(p, event, `${edge}Ns`)), trackOf(p, event), labelOf(p, event));
      for (const annotation of wanted.get(key) ?? []) found.set(annotation, event);
      // the first one is it
      wanted.delete(key);
    }
  return found;
}

const EDGES = ['start', 'end'] as const satisfies EventAnchor['edge'][];
const keyOf = (edge: EventAnchor['edge'], edgeNs: number, track: string, label: string) => `${edge} ${edgeNs} ${track}\n${label}`;
