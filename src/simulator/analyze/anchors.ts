/**
 * Events by their place in the code: line, call path, iteration. An anchor that was made in one profile is found again in the profile of a
 * changed kernel. Files do not count, because a kernel is often copied to be changed.
 *
 * A line is the same line if it has the same function and text. A line whose text was changed is the same line if the line above
 * has the same text and the event has the same opcode.
 */
import type { AnchorLine, Annotation, EventAnchor } from '../profile/annotations';
import { rowValue } from '../profile/onDemand';
import type { EventId, Profile } from '../profile/profile';
import { eventCount, eventValue, isTransfer, transferRow } from './eventAccess';
import { callStack, framePosition, iterationText } from './places';

/** @param timeNs of the annotation, which keeps its distance from the nearer end of the event */
export function anchorOf(p: Profile, event: EventId, timeNs: number): EventAnchor {
  const source = new SourceLines(p);
  const [startNs, endNs] = [eventValue(p, event, 'startNs'), eventValue(p, event, 'endNs')];
  const edge = Math.abs(timeNs - endNs) < Math.abs(timeNs - startNs) ? 'end' : 'start';
  const stack = callStack(p, eventValue(p, event, 'frame')).reverse();
  return {
    stack: stack.map(({ file, line, function: name }) => ({ function: name, line, ...source.at(file, line) })),
    iteration: iterationText(p, eventValue(p, event, 'iteration')),
    track: trackOf(p, event),
    label: labelOf(p, event),
    nth: equalBefore(p, event),
    edge,
    offsetNs: timeNs - (edge === 'end' ? endNs : startNs),
  };
}

/** Where an anchored annotation is in the profile that has its event. */
export const anchoredTimeNs = (p: Profile, { edge, offsetNs }: EventAnchor, event: EventId) =>
  eventValue(p, event, edge === 'end' ? 'endNs' : 'startNs') + offsetNs;

/** The event of each anchor; `MISSING`: the profile has none at this place. One pass over the events, however many anchors. */
export function findAnchored(p: Profile, anchors: readonly EventAnchor[]): EventId[] {
  const source = new SourceLines(p);
  const searches = anchors.map(anchor => new Search(p, anchor));
  const ofFrame = new Map<number, Search[]>();
  for (const search of searches) for (const frame of search.framesIn(source)) ofFrame.set(frame, [...(ofFrame.get(frame) ?? []), search]);
  if (ofFrame.size > 0)
    for (let event = 0, events = eventCount(p); event < events; event++)
      for (const search of ofFrame.get(eventValue(p, event, 'frame')) ?? []) search.see(event);
  return searches.map(search => search.found);
}

export interface PlacedAnnotation<A extends Annotation> {
  annotation: A;
  /** As written for one without an event. */
  timeNs: number;
  /** Undefined for an annotation of a time alone; `MISSING`: the profile does not have it. */
  event: EventId | undefined;
}

export const MISSING = -1;

/** Where annotations are in a profile, in their order. */
export function placeAnnotations<A extends Annotation>(p: Profile, annotations: readonly A[]): PlacedAnnotation<A>[] {
  const events = findAnchored(
    p,
    annotations.flatMap(({ anchor }) => anchor ?? []),
  );
  let next = 0;
  return annotations.map(annotation => {
    const { anchor, timeNs } = annotation;
    const event = anchor && events[next++];
    const isThere = anchor && event !== undefined && event !== MISSING;
    return { annotation, timeNs: isThere ? anchoredTimeNs(p, anchor, event) : timeNs, event };
  });
}

/** How much a line of the profile is unlike the anchor's, the least first. */
const [SAME, SAME_TEXT, CHANGED, OTHER] = [0, 1, 2, Number.POSITIVE_INFINITY];

function unlikeness(anchor: AnchorLine, name: string, line: number, is: ReturnType<SourceLines['at']>): number {
  if (anchor.function !== name) return OTHER;
  if (anchor.text === '' || is.text === '') return anchor.line === line ? SAME : OTHER;
  if (anchor.text === is.text) return anchor.repeat === is.repeat ? SAME : SAME_TEXT;
  return anchor.above !== '' && anchor.above === is.above ? CHANGED : OTHER;
}

/** The event of one anchor, while the events pass by. */
class Search {
  private isChanged = false;
  private equal = 0;
  private sameEvent = -1;
  private lastEqual = -1;
  private sameLabel = -1;
  private sameLine = -1;

  constructor(
    private readonly p: Profile,
    private readonly anchor: EventAnchor,
  ) {}

  /** Frames of the anchor's line with its call path; of several the most alike. */
  framesIn(source: SourceLines): number[] {
    let [least, frames] = [OTHER, [] as number[]];
    for (let frame = 0; frame < this.p.frames.line.length; frame++) {
      const cost = this.unlikenessOf(frame, source);
      if (cost < least) [least, frames] = [cost, []];
      if (cost === least && cost < OTHER) frames.push(frame);
    }
    this.isChanged = least >= CHANGED;
    return frames;
  }

  see(event: EventId): void {
    const { p, anchor } = this;
    if (iterationText(p, eventValue(p, event, 'iteration')) !== anchor.iteration) return;
    if (this.sameLine < 0) this.sameLine = event;
    if (labelOf(p, event) !== anchor.label) return;
    if (this.sameLabel < 0) this.sameLabel = event;
    if (trackOf(p, event) !== anchor.track) return;
    if (this.equal++ === anchor.nth) this.sameEvent = event;
    this.lastEqual = event;
  }

  /** A changed line can ask for something else altogether: then only an event with the same label counts. */
  get found(): EventId {
    const inOrder = [this.sameEvent, this.lastEqual, this.sameLabel, ...(this.isChanged ? [] : [this.sameLine])];
    return inOrder.find(event => event >= 0) ?? MISSING;
  }

  private unlikenessOf(frame: number, source: SourceLines): number {
    const { frames, strings } = this.p;
    const { stack } = this.anchor;
    let [cost, at, f] = [0, stack.length - 1, frame];
    for (; f >= 0 && at >= 0 && cost < OTHER; f = frames.parent[f], at--) {
      const { file, line } = framePosition(this.p, f);
      cost += unlikeness(stack[at], strings[frames.function[f]], line, source.at(file, line));
    }
    return f < 0 && at < 0 ? cost : OTHER;
  }
}

/** Name of an event's row. */
export const trackOf = (p: Profile, event: EventId) => p.tracks[eventValue(p, event, 'track')].name;

/** Its opcode; of a transfer, the tensor. */
export const labelOf = (p: Profile, event: EventId) =>
  isTransfer(p, event)
    ? p.strings[rowValue(p.transfers, 'variable', transferRow(p, event))]
    : p.opcodes[rowValue(p.instructions, 'opcode', event)];

/** Events of the same line, pass, row and label before this one. */
function equalBefore(p: Profile, event: EventId): number {
  const [frame, iteration] = (['frame', 'iteration'] as const).map(column => eventValue(p, event, column));
  const [track, label] = [trackOf(p, event), labelOf(p, event)];
  let count = 0;
  for (let other = 0; other < event; other++)
    if (
      eventValue(p, other, 'frame') === frame &&
      eventValue(p, other, 'iteration') === iteration &&
      trackOf(p, other) === track &&
      labelOf(p, other) === label
    )
      count++;
  return count;
}

/** Lines of a profile's sources, by path. Each file is split once. */
class SourceLines {
  private readonly files = new Map<string, { lines: string[]; numbers: Map<string, number[]> }>();

  constructor(private readonly p: Profile) {}

  at(path: string, line: number): Pick<AnchorLine, 'text' | 'above' | 'repeat'> {
    const { lines, numbers } = this.file(path);
    const text = lines[line - 1] ?? '';
    let above = line - 2;
    while (above > 0 && lines[above] === '') above--;
    return { text, above: lines[above] ?? '', repeat: Math.max(0, numbers.get(text)?.indexOf(line) ?? 0) };
  }

  private file(path: string) {
    let known = this.files.get(path);
    if (!known) {
      const lines = (this.p.files.find(file => file.path === path)?.text ?? '').split(/\r\n|\r|\n/).map(line => line.trim());
      const numbers = new Map<string, number[]>();
      for (const [i, text] of lines.entries()) numbers.set(text, [...(numbers.get(text) ?? []), i + 1]);
      known = { lines, numbers };
      this.files.set(path, known);
    }
    return known;
  }
}
