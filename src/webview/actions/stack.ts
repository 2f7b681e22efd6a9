/**
 * Adds profiles of files and of the host above or below the page's own, removes and moves them, and changes the base. Each change is sent
 * to the host, which keeps the list when the page is closed.
 */
import { eventCount } from '../../simulator/analyze/eventAccess';
import { FormatError } from '../../simulator/columns/container';
import { unpackNkiprof } from '../../simulator/formats/nkiprof';
import { decodeProfile } from '../../simulator/profile/codec';
import { decodeFirst } from '../../simulator/profile/parts';
import { onClock } from '../data/clock';
import { compactLater, compactWhenIdle } from '../data/compacting';
import { buildModel } from '../data/model';
import {
  EXPERIMENT,
  freeNumber,
  isExperiment,
  letterOf,
  limitsOf,
  MOST_PROFILES,
  movedTo,
  numberFor,
  OWN,
  obstacle,
  orderOf,
  ownOf,
  placeIn,
  placeOfRank,
  profileOf,
  type Stack,
  without,
  withoutExperiment,
  withProfile,
} from '../data/stack';
import { sentModel } from '../data/systemModel';
import { containsSpan } from '../math/timeSpan';
import type { SentColumns, StackEvent } from '../protocol/messages';
import { MOST_RANKS_SHOWN } from '../protocol/page';
import { NO_EXPERIMENTS } from '../state/experimentsState';
import type { View } from '../view/view';
import { moveTo } from './navigation';

export interface ProfileToStack {
  key: string;
  title: string;
  /** As the host sends it, or the container of a file. */
  bytes: Uint8Array | SentColumns;
  /** Its letter before a reload: it gets its old position again. */
  letter?: string;
}

/** Adds several files that the user chose or dropped. Errors are announced, not thrown. */
export async function stackFiles(view: View, files: readonly File[]): Promise<void> {
  view.store.update({ stackProblem: '' });
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    attempt(view, file.name, () => {
      const given = { key: fileKey(), title: file.name, bytes: unpackNkiprof(bytes) };
      if (add(view, given, view.state.stack.length)) tell(view, { unknown: given });
    });
  }
}

let chosen = 0;
const fileKey = () => `file ${Date.now()} ${chosen++}`;

/** Stacks the host's profiles. */
export function stackGiven(view: View, { profiles, above, adds }: StackEvent): void {
  if (!ownOf(view.state.stack)) return;
  if (!adds) {
    view.store.update({ stackProblem: '' });
    // the order that was kept must not change
    view.store.update({ stack: view.state.stack.filter(p => p.number === OWN) });
  }
  for (const [i, given] of profiles.entries())
    attempt(view, given.title, () => add(view, given, above ? i : view.state.stack.length, !adds));
  tell(view, { answers: profiles.map(({ key }) => key) });
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
  const { stackProblem } = view.state;
  view.store.update({ stackProblem: `${stackProblem} ${problem}`.trim(), tab: 'compare', detailsOpen: true });
  view.announce(problem);
}

/** @param opens shows the tab about it, unless it comes back after a reload @returns false if the limits do not allow it */
function add(view: View, { key, title, bytes, letter }: ProfileToStack, place: number, opens = true): boolean {
  const own = ownOf(view.state.stack);
  if (!own) return false;
  const { stackOrder } = view.state;
  const sent = decodeFirst(bytes);
  const { profile } = sent;
  const rankPlace = placeOfRank(view.state.stack, profile);
  const problem = obstacle(view.state.stack, title, eventCount(profile), rankPlace === null ? MOST_PROFILES : MOST_RANKS_SHOWN);
  if (problem !== null) {
    refuse(view, problem);
    return false;
  }
  const model = sentModel(sent, view.state.systemRows);
  const number = numberFor(view.state.stack, letter);
  const before = letter === undefined ? null : placeIn(view.state.stack, letterOf(number), stackOrder);
  const placed = onClock({ title: own.title, profile: own.model.profile }, { title, profile });
  const added = { number, key, title, model, ...placed };
  change(view, withProfile(view.state.stack, added, before ?? rankPlace ?? place), before === null ? [] : stackOrder);
  compactLater(model);
  view.announce(
    `${title} is stacked as ${letterOf(number)}, ${placeText(view.state.stack, number)}.${placed.clock ? ` ${placed.clock}.` : ''}`,
  );
  // a profile that comes back after a reload does not change the view
  // profiles of a system and of a device have nothing to compare
  if (opens && before === null && placed.clock === undefined)
    view.store.update({ tab: rankPlace === null ? 'compare' : 'ranks', detailsOpen: true });
  return true;
}

/** The profile with other times, above the page's own, in place of the one before. @returns its total time. @throws Error with a sentence */
export function stackExperiment(view: View, title: string, bytes: Uint8Array): number {
  const { stack } = view.state;
  const own = ownOf(stack)!;
  const others = withoutExperiment(stack);
  const profile = decodeProfile(bytes);
  const problem = obstacle(others, 'The experiment', eventCount(profile));
  if (problem !== null) throw new Error(problem);
  const model = buildModel(profile);
  const known = stack.find(isExperiment);
  const shiftNs = model.profile.bodyStartNs - own.model.profile.bodyStartNs;
  const added = { number: known?.number ?? freeNumber(others), key: EXPERIMENT, title, model, shiftNs };
  change(view, known ? stack.map(p => (p === known ? added : p)) : withProfile(others, added, others.indexOf(own)));
  compactWhenIdle(model);
  return profile.totalTimeNs;
}

export function unstackExperiment(view: View): void {
  if (view.state.stack.some(isExperiment)) change(view, withoutExperiment(view.state.stack));
}

export function unstack(view: View, number: number): void {
  const removed = profileOf(view.state.stack, number);
  if (!removed || number === OWN) return;
  if (isExperiment(removed)) view.store.update({ experiments: { ...view.state.experiments, own: NO_EXPERIMENTS.own } });
  changeAndTell(view, without(view.state.stack, number));
  view.announce(`${removed.title} removed. ${countText(view.state.stack)}`);
}

export function unstackAll(view: View): void {
  view.store.update({ experiments: { ...view.state.experiments, own: NO_EXPERIMENTS.own } });
  changeAndTell(
    view,
    view.state.stack.filter(p => p.number === OWN),
  );
  view.announce(countText(view.state.stack));
}

/** One place up (-1) or down (1). */
export function shiftProfile(view: View, number: number, by: 1 | -1): void {
  const from = view.state.stack.findIndex(p => p.number === number);
  if (from < 0 || from + by < 0 || from + by >= view.state.stack.length) return;
  changeAndTell(view, movedTo(view.state.stack, number, from + by));
  view.announce(`${profileOf(view.state.stack, number)!.title} is ${placeText(view.state.stack, number)}.`);
}

/** Moves a profile to the top, so that the others are compared with it. */
export function makeBase(view: View, number: number): void {
  changeAndTell(view, movedTo(view.state.stack, number, 0));
  view.announce(`The others are compared with ${view.state.stack[0]?.title}.`);
}

/** Shows and hides its rows; its head stays. */
export function toggleProfile(view: View, number: number): void {
  const { foldedProfiles } = view.state;
  const letter = letterOf(number);
  const folded = foldedProfiles.includes(letter);
  view.store.update({ foldedProfiles: folded ? foldedProfiles.filter(other => other !== letter) : [...foldedProfiles, letter] });
}

/** @param kept letters of missing profiles whose positions are kept */
function change(view: View, stack: Stack, kept: readonly string[] = []): void {
  const showsAll = containsSpan(view.state.span, limitsOf(view.state.stack));
  view.store.update({ stack });
  if (showsAll) moveTo(view, limitsOf(stack), false);
  view.store.update({ stackOrder: orderOf(stack, kept) });
}

/** @param how `unknown`: a profile that the host does not know; `answers`: as `HostEvents.stacked` */
function tell(view: View, { unknown, answers }: { unknown?: { key: string; bytes: Uint8Array }; answers?: string[] } = {}): void {
  const others = view.state.stack.filter(p => p.number !== OWN && !isExperiment(p));
  view.tellStacked({
    profiles: others.map(({ key, number, title }) => ({
      key,
      letter: letterOf(number),
      title,
      bytes: unknown?.key === key ? unknown.bytes : null,
    })),
    answers,
  });
}

/** A change by the user. */
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
