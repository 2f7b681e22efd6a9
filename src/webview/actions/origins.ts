/** What a number in a sentence came from, and how it is shown: a tab, the events of lines or of an engine, a span of time. */
import { eventCount, eventValue, instructionRows } from '../../simulator/analyze/eventAccess';
import type { Model } from '../data/model';
import { plural } from '../math/units';
import type { SourcePosition } from '../protocol/messages';
import type { TabId } from '../state/settings';
import type { View } from '../view/view';
import { markEvents, markLines } from './searching';

export interface NumberOrigin {
  /** What a press does. */
  about: string;
  open(view: View): void;
}

/** @param heading of the part of the tab that is brought into sight */
export const tabOrigin = (tab: TabId, about: string, heading?: string): NumberOrigin => ({
  about,
  open(view) {
    view.store.update({ tab, detailsOpen: true });
    if (heading !== undefined) requestAnimationFrame(() => requestAnimationFrame(() => bringIntoSight(heading)));
  },
});

/** Marks what these lines ask for, and shows the first one. */
export const linesOrigin = (positions: readonly SourcePosition[]): NumberOrigin => ({
  about: 'Marks what the lines ask for',
  open(view) {
    markLines(view, positions, false);
    view.openSource(positions[0], false);
  },
});

export const eventsOrigin = (events: ArrayLike<number>, of: string): NumberOrigin => ({
  about: 'Marks the events',
  open: view => markEvents(view, { ids: Uint32Array.from(events), label: `${plural(events.length, 'event')}: ${of}` }, false),
});

/** Marks what ran on an engine, or all transfers for `DMA`. */
export const resourceOrigin = (name: string): NumberOrigin => ({
  about: `Marks what ran on ${name}`,
  open: view => view.model && eventsOrigin(eventsOn(view.model, name), name).open(view),
});

/** @param file path, or base name, which the line that takes the most time answers to; absent: any. Null: nothing is known of it. */
export function lineOrigin({ model }: View, line: number, file?: string): NumberOrigin | null {
  const isIt = (known: SourcePosition) =>
    known.line === line && (file === undefined || known.file === file || known.file.split(/[\\/]/).pop() === file);
  const found = model?.analysis.lines().find(isIt);
  if (found) return linesOrigin([found]);
  // the head of a loop asks for nothing
  const known = model?.profile.files.find(({ path }) => path === file);
  return known ? { about: 'Opens the line', open: view => view.openSource({ file: known.path, line }, true) } : null;
}

function eventsOn({ profile }: Model, name: string): number[] {
  const instructions = instructionRows(profile);
  const found: number[] = [];
  for (let event = 0; event < eventCount(profile); event++) {
    const isOnIt = event < instructions ? profile.tracks[eventValue(profile, event, 'track')].engine === name : name === 'DMA';
    if (isOnIt) found.push(event);
  }
  return found.sort((a, b) => eventValue(profile, a, 'startNs') - eventValue(profile, b, 'startNs'));
}

function bringIntoSight(heading: string): void {
  const found = [...document.querySelectorAll('.detailsBody h3')].find(({ textContent }) => textContent?.startsWith(heading));
  found?.scrollIntoView({ block: 'nearest' });
}
