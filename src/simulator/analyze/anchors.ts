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
import { SourceLines } from './sourceLines';

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

/** Frames and events that are compared with anchors, of a file that can have any. What is not found by then counts as missing. */
const MOST_STEPS = 2 ** 22;

/** The event of each anchor; `MISSING`: the profile has none at this place. One pass over the events, however many anchors. */
export function findAnchored(p: Profile, anchors: readonly EventAnchor[]): EventId[] {
  const source = new SourceLines(p);
  const budget = { steps: MOST_STEPS };
  const searches = new Map<string, Search>();
  const ofAnchor = anchors.map(anchor => {
    const place = JSON.stringify([anchor.stack, anchor.iteration]);
    const search = searches.get(place) ?? new Search(p, anchor, source, budget);
    searches.set(place, search);
    return search;
  });
  /** By iteration. */
  const ofFrame = new Map<number, Map<string, Search[]>>();
  for (const search of searches.values())
    for (const frame of search.frames) {
      const there = ofFrame.get(frame) ?? new Map<string, Search[]>();
      ofFrame.set(frame, there);
      const others = there.get(search.iteration);
      if (others) others.push(search);
      else there.set(search.iteration, [search]);
    }
  if (ofFrame.size > 0)
    for (let event = 0, events = eventCount(p); event < events; event++) {
      const here = ofFrame.get(eventValue(p, event, 'frame'))?.get(iterationText(p, eventValue(p, event, 'iteration'))) ?? [];
      budget.steps -= here.length;
      if (budget.steps < 0) break;
      for (const search of here) search.see(event);
    }
  return ofAnchor.map((search, k) => (budget.steps < 0 ? MISSING : search.found(anchors[k])));
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

/** The events at the place of some anchors, its line, call path and iteration, while the events pass by. */
class Search {
  readonly iteration: string;
  /** Frames of the line with its call path; of several the most alike. */
  readonly frames: readonly number[];
  private readonly isChanged: boolean;
  private sameLine = -1;
  /** The first by label; all by label and row. */
  private readonly sameLabel = new Map<string, EventId>();
  private readonly equal = new Map<string, EventId[]>();

  constructor(
    private readonly p: Profile,
    private readonly anchor: EventAnchor,
    source: SourceLines,
    budget: { steps: number },
  ) {
    this.iteration = anchor.iteration;
    let [least, frames] = [OTHER, [] as number[]];
    for (let frame = 0; frame < p.frames.line.length && budget.steps > 0; frame++) {
      const cost = this.unlikenessOf(frame, source, budget);
      if (cost < least) [least, frames] = [cost, []];
      if (cost === least && cost < OTHER) frames.push(frame);
    }
    this.frames = frames;
    this.isChanged = least >= CHANGED;
  }

  see(event: EventId): void {
    const [label, track] = [labelOf(this.p, event), trackOf(this.p, event)];
    if (this.sameLine < 0) this.sameLine = event;
    if (!this.sameLabel.has(label)) this.sameLabel.set(label, event);
    const row = `${track}\n${label}`;
    const equal = this.equal.get(row);
    if (equal) equal.push(event);
    else this.equal.set(row, [event]);
  }

  /** A changed line can ask for something else altogether: then only an event with the same label counts. */
  found({ label, track, nth }: EventAnchor): EventId {
    const equal = this.equal.get(`${track}\n${label}`) ?? [];
    const inOrder = [equal[nth], equal[equal.length - 1], this.sameLabel.get(label), ...(this.isChanged ? [] : [this.sameLine])];
    return inOrder.find(event => event !== undefined && event >= 0) ?? MISSING;
  }

  private unlikenessOf(frame: number, source: SourceLines, budget: { steps: number }): number {
    const { frames, strings } = this.p;
    const { stack } = this.anchor;
    let [cost, at, f] = [0, stack.length - 1, frame];
    for (; f >= 0 && at >= 0 && cost < OTHER; f = frames.parent[f], at--) {
      budget.steps--;
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
