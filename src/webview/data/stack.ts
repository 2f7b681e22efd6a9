/**
 * The profiles whose rows stand above one another, as a list: the first is what the others are compared with. One of them is the
 * page's own, whatever its place: details, search and marks are of it, and the axis shows its time. Pure.
 */

import type { TimeSpan } from '../math/timeSpan';
import type { Model } from './model';

export interface StackedProfile {
  /** Never that of another while it is here: its letter, and with that its shape and the names of its rows. */
  number: number;
  /** The host's name for it. */
  key: string;
  title: string;
  model: Model;
  /** Its time less that of the page's own: both bodies begin together. */
  shiftNs: number;
}

export type Stack = readonly StackedProfile[];

/** Number of the page's own profile. */
export const OWN = 0;

/** As many as there are shapes to tell them apart by (`mark.ts`). */
export const MOST_PROFILES = 8;
/** Of all together: as many as one page was measured with (docs/timeline.md, Speed), about half a gigabyte. */
export const MOST_EVENTS = 10_000_000;

export const letterOf = (number: number) => String.fromCharCode(65 + number);

/** Of a row, as settings keep it: those of the page's own have the names of their tracks. */
export const rowName = (number: number, track: string) => (number === OWN ? track : `${letterOf(number)} · ${track}`);

export const ownOf = (stack: Stack): StackedProfile | null => stack.find(({ number }) => number === OWN) ?? null;
export const profileOf = (stack: Stack, number: number): StackedProfile | null => stack.find(p => p.number === number) ?? null;

/** Numbers of those whose rows have a head above them; none where there is nothing to tell apart. */
export const headed = (stack: Stack): number[] => (stack.length > 1 ? stack.map(({ number }) => number) : []);

/** The smallest that is free. */
export function freeNumber(stack: Stack): number {
  let number = OWN + 1;
  while (profileOf(stack, number)) number++;
  return number;
}

/** Of the letter that it had before, where that is free. */
export function numberFor(stack: Stack, letter = ''): number {
  const number = letter.charCodeAt(0) - letterOf(OWN).charCodeAt(0);
  return number > OWN && number < MOST_PROFILES && !profileOf(stack, number) ? number : freeNumber(stack);
}

/** Why a profile of so many events cannot be added, as a sentence; null: it can. */
export function obstacle(stack: Stack, title: string, events: number): string | null {
  if (stack.length >= MOST_PROFILES)
    return `${title} is not stacked: ${MOST_PROFILES} profiles are, the most there can be. Remove one first.`;
  const all = stack.reduce((sum, { model }) => sum + model.events, events);
  if (all <= MOST_EVENTS) return null;
  const [most, given] = [MOST_EVENTS, all].map(count => count.toLocaleString('en-US'));
  return `${title} is not stacked: all together would have ${given} events, more than the ${most} that a page can hold. Remove one first.`;
}

/** With another at a place, from 0. */
export const withProfile = (stack: Stack, added: StackedProfile, place: number): Stack => [
  ...stack.slice(0, place),
  added,
  ...stack.slice(place),
];

/** Letters in their order; those that are expected back keep their places among them. */
export function orderOf(stack: Stack, kept: readonly string[]): string[] {
  const letters = stack.map(({ number }) => letterOf(number));
  return letters.every(letter => kept.includes(letter)) ? [...kept] : letters;
}

/** Where a letter stood in an order that was kept; null: it is not in it. */
export function placeIn(stack: Stack, letter: string, order: readonly string[]): number | null {
  const rank = order.indexOf(letter);
  if (rank < 0) return null;
  const next = stack.findIndex(({ number }) => order.indexOf(letterOf(number)) > rank);
  return next < 0 ? stack.length : next;
}

/** The page's own stays. */
export const without = (stack: Stack, number: number): Stack => stack.filter(p => p.number !== number || number === OWN);

/** With one at another place, from 0. */
export function movedTo(stack: Stack, number: number, place: number): Stack {
  const moved = profileOf(stack, number);
  if (!moved) return stack;
  const others = stack.filter(p => p !== moved);
  const at = Math.max(0, Math.min(others.length, place));
  return [...others.slice(0, at), moved, ...others.slice(at)];
}

/** With the page's own, a first or a newer run of it; the others keep their places. */
export function withOwn(stack: Stack, title: string, model: Model): Stack {
  const own = { number: OWN, key: '', title, model, shiftNs: 0 };
  return ownOf(stack)
    ? onClockOf(
        stack.map(p => (p.number === OWN ? own : p)),
        model,
      )
    : [own, ...stack];
}

/** With the page's own run again: the others' bodies begin with its. */
export const onClockOf = (stack: Stack, own: Model): Stack =>
  stack.map(p => ({ ...p, shiftNs: p.model.profile.bodyStartNs - own.profile.bodyStartNs }));

/** From the start of the page's own to the last end of all, on its clock. */
export function limitsOf(stack: Stack): TimeSpan {
  return { startNs: 0, endNs: stack.reduce((end, { model, shiftNs }) => Math.max(end, model.limits.endNs - shiftNs), 1) };
}
