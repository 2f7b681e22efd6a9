/**
 * The list of stacked profiles: the others are compared with the first one that ran. One of them is the page's own, at any position: details,
 * search and marks belong to it, and the axis shows its time. Pure.
 */

import type { Profile } from '../../simulator/profile/profile';
import type { TimeSpan } from '../math/timeSpan';
import { MOST_RANKS_SHOWN } from '../protocol/page';
import { type OnClock, onClock } from './clock';
import type { Model } from './model';

export interface StackedProfile extends OnClock {
  /** Unique in the stack. It gives the profile's letter, its shape and the names of its rows. */
  number: number;
  /** The host's name for it. */
  key: string;
  title: string;
  model: Model;
}

export type Stack = readonly StackedProfile[];

/** Number of the page's own profile. */
export const OWN = 0;

/** The key of the profile that was timed again. It is not recorded, and the host does not know it. */
export const EXPERIMENT = 'experiment';

export const isExperiment = ({ key }: Pick<StackedProfile, 'key'>): boolean => key === EXPERIMENT;

/** What the others are compared with: the first that ran. */
export const baseOf = (stack: Stack): StackedProfile => stack.find(profile => !isExperiment(profile)) ?? stack[0];

export const withoutExperiment = (stack: Stack): Stack => stack.filter(profile => !isExperiment(profile));

/** Of different runs: the number of distinct shapes (`mark.ts`). */
export const MOST_PROFILES = 8;
/** Events of all profiles together: the largest measured page (docs/timeline.md, Speed), about half a gigabyte. */
export const MOST_EVENTS = 10_000_000;

const LETTERS = 26;
/** A to Z, then AA and so on. */
export const letterOf = (number: number): string =>
  (number < LETTERS ? '' : letterOf(Math.floor(number / LETTERS) - 1)) + String.fromCharCode(65 + (number % LETTERS));

/** -1: no letter. */
function numberOf(letter: string): number {
  if (!/^[A-Z]{1,2}$/.test(letter)) return -1;
  return [...letter].reduce((number, char) => (number + 1) * LETTERS + char.charCodeAt(0) - 65, -1);
}

/** The name of a row in settings: rows of the page's own profile have the names of their tracks. */
export const rowName = (number: number, track: string) => (number === OWN ? track : `${letterOf(number)} · ${track}`);

export const ownOf = (stack: Stack): StackedProfile | null => stack.find(({ number }) => number === OWN) ?? null;
export const profileOf = (stack: Stack, number: number): StackedProfile | null => stack.find(p => p.number === number) ?? null;

/** Numbers of the profiles with a head above their rows; none if there is only one profile. */
export const headed = (stack: Stack): number[] => (stack.length > 1 ? stack.map(({ number }) => number) : []);

/** The smallest that is free. */
export function freeNumber(stack: Stack): number {
  let number = OWN + 1;
  while (profileOf(stack, number)) number++;
  return number;
}

/** The number of its previous letter, if that is free. */
export function numberFor(stack: Stack, letter = ''): number {
  const number = numberOf(letter);
  return number > OWN && number < MOST_RANKS_SHOWN && !profileOf(stack, number) ? number : freeNumber(stack);
}

/** Two ranks of one run. */
const areRanksOfOne = (a: Profile, b: Profile) =>
  a.rank !== undefined && a.kernel === b.kernel && a.rank.ranks === b.rank?.ranks && a.rank.rank !== b.rank.rank;

/** Several profiles, all of one run on several ranks. */
export const areRanks = (stack: Stack): boolean =>
  stack.length > 1 && stack.slice(1).every(({ model }) => areRanksOfOne(stack[0].model.profile, model.profile));

/** Where a rank of the stack's run stands, in the order of ranks; null for another profile. */
export function placeOfRank(stack: Stack, profile: Profile): number | null {
  if (stack.length === 0 || !stack.every(({ model }) => areRanksOfOne(model.profile, profile))) return null;
  const place = stack.findIndex(({ model }) => model.profile.rank!.rank > profile.rank!.rank);
  return place < 0 ? stack.length : place;
}

/** Why a profile of so many events cannot be added, as a sentence; null: it can. */
export function obstacle(stack: Stack, title: string, events: number, most = MOST_PROFILES): string | null {
  if (stack.length >= most) return `${title} is not stacked: ${most} profiles are, the most there can be. Remove one first.`;
  const all = stack.reduce((sum, { model }) => sum + model.events, events);
  if (all <= MOST_EVENTS) return null;
  const [limit, given] = [MOST_EVENTS, all].map(count => count.toLocaleString('en-US'));
  return `${title} is not stacked: all together would have ${given} events, more than the ${limit} that a page can hold. Remove one first.`;
}

/** The stack with another profile at a position, from 0. */
export const withProfile = (stack: Stack, added: StackedProfile, place: number): Stack => [
  ...stack.slice(0, place),
  added,
  ...stack.slice(place),
];

/** Letters in their order; letters of profiles that may come back keep their positions. */
export function orderOf(stack: Stack, kept: readonly string[]): string[] {
  const letters = stack.map(({ number }) => letterOf(number));
  return letters.every(letter => kept.includes(letter)) ? [...kept] : letters;
}

/** Position of a letter in a kept order; null: it is not in it. */
export function placeIn(stack: Stack, letter: string, order: readonly string[]): number | null {
  const rank = order.indexOf(letter);
  if (rank < 0) return null;
  const next = stack.findIndex(({ number }) => order.indexOf(letterOf(number)) > rank);
  return next < 0 ? stack.length : next;
}

/** The page's own stays. */
export const without = (stack: Stack, number: number): Stack => stack.filter(p => p.number !== number || number === OWN);

/** The stack with a profile moved to another position, from 0. */
export function movedTo(stack: Stack, number: number, place: number): Stack {
  const moved = profileOf(stack, number);
  if (!moved) return stack;
  const others = stack.filter(p => p !== moved);
  const at = Math.max(0, Math.min(others.length, place));
  return [...others.slice(0, at), moved, ...others.slice(at)];
}

/** The stack with the page's own profile, or a newer run of it; the others keep their positions. */
export function withOwn(stack: Stack, title: string, model: Model): Stack {
  const own = { number: OWN, key: '', title, model, shiftNs: 0 };
  return ownOf(stack)
    ? onClockOf(
        stack.map(p => (p.number === OWN ? own : p)),
        model,
        title,
      )
    : [own, ...stack];
}

/** The stack after a new run of the page's own profile: the others on its clock. */
export const onClockOf = (stack: Stack, own: Model, title = ''): Stack =>
  stack.map(p => {
    if (p.number === OWN) return { ...p, shiftNs: 0 };
    const { clock: _, execution, ...rest } = p;
    return { ...rest, ...onClock({ title, profile: own.profile }, { title: p.title, profile: p.model.profile }, execution) };
  });

/** From the start of the page's own profile to the last end of all, on its clock. */
export function limitsOf(stack: Stack): TimeSpan {
  return { startNs: 0, endNs: stack.reduce((end, { model, shiftNs }) => Math.max(end, model.limits.endNs - shiftNs), 1) };
}
