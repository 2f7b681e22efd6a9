/**
 * The user's own experiment: lines and resources that take less time, all at once. The host times the profile again with them; the result
 * stands above the page's own profile.
 */
import { timeText } from '../../simulator/analyze/format';
import { fileName } from '../data/describe';
import type { Wish } from '../protocol/experiments';
import { NO_EXPERIMENTS, type OwnExperiment, type WishSubject } from '../state/experimentsState';
import type { View } from '../view/view';
import { stackExperiment, unstackExperiment } from './stack';

/** @param savedShare of its time, 0..1; 0 is as it ran */
export function setWish(view: View, of: WishSubject, savedShare: number): Promise<void> {
  const { wishes, before } = view.store.state.experiments.own;
  if (savedOf(wishes, of) === savedShare) return Promise.resolve();
  const others = wishes.filter(wish => !isAbout(wish, of));
  return run(view, savedShare > 0 ? [...others, { ...of, savedShare }] : others, [...before, wishes]);
}

/** In place of all others. It can be undone. */
export function onlyWish(view: View, of: WishSubject, savedShare: number): Promise<void> {
  const { wishes, before } = view.store.state.experiments.own;
  const isThere = wishes.length === 1 && savedOf(wishes, of) === savedShare;
  return isThere ? Promise.resolve() : run(view, [{ ...of, savedShare }], [...before, wishes]);
}

export function undoWish(view: View): Promise<void> {
  const { before } = view.store.state.experiments.own;
  const last = before.at(-1);
  return last ? run(view, last, before.slice(0, -1)) : Promise.resolve();
}

/** As it ran. It can be undone. */
export function clearWishes(view: View): Promise<void> {
  const { wishes, before } = view.store.state.experiments.own;
  return run(view, [], [...before, wishes]);
}

/** After a refusal. */
export function askAgain(view: View): Promise<void> {
  const { wishes, before } = view.store.state.experiments.own;
  return run(view, wishes, before);
}

/** The saved share of its time, 0..1. */
export const savedOf = (wishes: readonly Wish[], of: WishSubject): number => wishes.find(wish => isAbout(wish, of))?.savedShare ?? 0;

export const wishName = (of: WishSubject): string => ('line' in of ? `${fileName(of.line.file)}:${of.line.line}` : of.resource);

export const savedText = (savedShare: number): string =>
  savedShare === 1 ? 'free' : savedShare === 0 ? 'as it ran' : `−${Math.round(savedShare * 100)} %`;

function isAbout(wish: Wish, of: WishSubject): boolean {
  if ('line' in of) return 'line' in wish && wish.line.file === of.line.file && wish.line.line === of.line.line;
  return 'resource' in wish && wish.resource === of.resource;
}

async function run(view: View, wishes: readonly Wish[], before: OwnExperiment['before']): Promise<void> {
  const { model } = view;
  if (wishes.length === 0) {
    unstackExperiment(view);
    put(view, { wishes, before, answer: NO_EXPERIMENTS.own.answer });
    view.announce('The profile is as it ran.');
    return;
  }
  put(view, { wishes, before, answer: { is: 'asked' } });
  const isWanted = () => view.model === model && view.store.state.experiments.own.wishes === wishes;
  try {
    const bytes = (await view.experimentsHost.ask({ job: 'retimed', wishes })) as Uint8Array;
    if (!isWanted()) return;
    const timeNs = stackExperiment(view, wishes.map(wish => `${wishName(wish)} ${savedText(wish.savedShare)}`).join(', '), bytes);
    put(view, { wishes, before, answer: { is: 'answered', answer: { timeNs } } });
    view.announce(`The whole profile would take ${timeText(timeNs)}.`);
  } catch (error) {
    if (isWanted()) put(view, { wishes, before, answer: { is: 'refused', reason: (error as Error).message } });
  }
}

const put = ({ store }: View, own: OwnExperiment) => store.update({ experiments: { ...store.state.experiments, own } });
