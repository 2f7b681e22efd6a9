/**
 * Profiles come and go: those of files and of the host above or below the page's own, removed, moved, made the base. Each
 * change is told to the host, which keeps what a page that is thrown away cannot.
 */
import { eventCount } from '../../simulator/analyze/eventAccess';
import { FormatError } from '../../simulator/columns/container';
import { unpackNkiprof } from '../../simulator/formats/nkiprof';
import { decodeProfile } from '../../simulator/profile/codec';
import { compactWhenIdle } from '../data/compacting';
import { buildModel, type Model } from '../data/model';
import { containsSpan } from '../math/timeSpan';
import type { StackEvent } from '../protocol/messages';
import type { View } from '../state/view';
import { colouring } from '../tracks/colouring';
import { coloured, recoloured } from './colours';
import {
  letterOf,
  limitsOf,
  movedTo,
  numberFor,
  OWN,
  obstacle,
  onClockOf,
  orderOf,
  ownOf,
  placeIn,
  profileOf,
  type Stack,
  without,
  withProfile,
} from './profiles';

export interface Given {
  key: string;
  title: string;
  /** The profile's container. */
  bytes: Uint8Array;
  /** That it had before: it comes back to where it stood. */
  letter?: string;
}

/** Several files, as one chooses or drops them. What cannot be read is said, not thrown. */
export async function stackFiles(view: View, files: readonly File[]): Promise<void> {
  view.store.update({ stackProblem: '' });
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    attempt(view, file.name, () => {
      const given = { key: fileKey(), title: file.name, bytes: unpackNkiprof(bytes) };
      if (add(view, given, view.stack.length)) tell(view, given);
    });
  }
}

let chosen = 0;
const fileKey = () => `file ${Date.now()} ${chosen++}`;

/** What the host hands over, in place of what was stacked. */
export function stackGiven(view: View, { profiles, above }: StackEvent): void {
  if (!ownOf(view.stack)) return;
  view.store.update({ stackProblem: '' });
  // the order that was kept must not change
  view.setStack(view.stack.filter(p => p.number === OWN));
  for (const [i, given] of profiles.entries()) attempt(view, given.title, () => add(view, given, above ? i : view.stack.length));
  tell(view);
}

function attempt(view: View, title: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    refuse(view, `${title} cannot be shown: ${error.message}`);
  }
}

function refuse(view: View, problem: string) {
  const { stackProblem } = view.store.state;
  view.store.update({ stackProblem: `${stackProblem} ${problem}`.trim(), tab: 'compare', detailsOpen: true });
  view.announce(problem);
}

/** False where there is no room for it. */
function add(view: View, { key, title, bytes, letter }: Given, place: number): boolean {
  const own = ownOf(view.stack);
  if (!own) return false;
  const { colourBy, stackOrder } = view.store.state;
  const profile = decodeProfile(bytes);
  const problem = obstacle(view.stack, title, eventCount(profile));
  if (problem !== null) {
    refuse(view, problem);
    return false;
  }
  const model = buildModel(profile);
  const number = numberFor(view.stack, letter);
  const before = letter === undefined ? null : placeIn(view.stack, letterOf(number), stackOrder);
  const shiftNs = model.profile.bodyStartNs - own.model.profile.bodyStartNs;
  const added = { number, key, title, model, shiftNs, colouring: coloured(view.stack, colourBy, model) };
  change(view, withProfile(view.stack, added, before ?? place), before === null ? [] : stackOrder);
  compactWhenIdle(model, () => recolour(view, model));
  view.announce(`${title} is stacked as ${letterOf(number)}, ${placeText(view.stack, number)}.`);
  // one that comes back, as after a reload, changes nothing of what one looks at
  if (before === null) view.store.update({ tab: 'compare', detailsOpen: true });
  return true;
}

/** What read columns for itself lets go of those that came. */
export function recolour(view: View, model: Model): void {
  // nothing that one sees: no redraw
  if (view.stack.some(p => p.model === model)) view.stack = recoloured(view.stack, view.store.state.colourBy);
}

/** The page's own, a first or a newer run of it; the others keep their places. */
export function useOwn(view: View, title: string, model: Model): void {
  const { colourBy } = view.store.state;
  const own = { number: OWN, key: '', title, model, shiftNs: 0, colouring: colouring(model.profile, colourBy) };
  const others = view.stack.length > 1;
  const stack = ownOf(view.stack) ? view.stack.map(p => (p.number === OWN ? own : p)) : [own];
  view.setStack(others ? onClockOf(recoloured(stack, colourBy), model) : stack);
}

export function unstack(view: View, number: number): void {
  const removed = profileOf(view.stack, number);
  if (!removed || number === OWN) return;
  changeAndTell(view, without(view.stack, number));
  view.announce(`${removed.title} removed. ${countText(view.stack)}`);
}

export function unstackAll(view: View): void {
  changeAndTell(
    view,
    view.stack.filter(p => p.number === OWN),
  );
  view.announce(countText(view.stack));
}

/** One place up (-1) or down (1). */
export function shiftProfile(view: View, number: number, by: 1 | -1): void {
  const from = view.stack.findIndex(p => p.number === number);
  if (from < 0 || from + by < 0 || from + by >= view.stack.length) return;
  changeAndTell(view, movedTo(view.stack, number, from + by));
  view.announce(`${profileOf(view.stack, number)!.title} is ${placeText(view.stack, number)}.`);
}

/** To the top: what the others are compared with. */
export function makeBase(view: View, number: number): void {
  changeAndTell(view, movedTo(view.stack, number, 0));
  view.announce(`The others are compared with ${view.stack[0]?.title}.`);
}

/** Shows and hides its rows; its head stays. */
export function toggleProfile(view: View, number: number): void {
  const { foldedProfiles } = view.store.state;
  const letter = letterOf(number);
  const folded = foldedProfiles.includes(letter);
  view.store.update({ foldedProfiles: folded ? foldedProfiles.filter(other => other !== letter) : [...foldedProfiles, letter] });
}

/** @param kept letters whose places stay known, though they are not here */
function change(view: View, stack: Stack, kept: readonly string[] = []): void {
  const showsAll = containsSpan(view.store.state.span, limitsOf(view.stack));
  view.setStack(stack);
  if (showsAll) view.moveTo(limitsOf(stack), false);
  view.store.update({ stackOrder: orderOf(stack, kept) });
}

/** @param unknown what the host has not seen */
function tell(view: View, unknown: Given | null = null): void {
  const others = view.stack.filter(p => p.number !== OWN);
  view.tellStacked(
    others.map(({ key, number, title }) => ({ key, letter: letterOf(number), title, bytes: unknown?.key === key ? unknown.bytes : null })),
  );
}

/** A change by hand. */
function changeAndTell(view: View, stack: Stack): void {
  view.store.update({ stackProblem: '' });
  change(view, stack);
  tell(view);
}

const placeText = (stack: Stack, number: number) => {
  const at = stack.findIndex(p => p.number === number);
  return at === 0 ? 'the first: the others are compared with it' : `number ${at + 1} of ${stack.length}`;
};
const countText = ({ length }: Stack) => (length === 1 ? 'One profile is shown.' : `${length} profiles are shown.`);
