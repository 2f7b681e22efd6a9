/** What stands in the place of an answer that is not there: how far it is, or why there is none and what to do. */
import { textButton } from '../dom/components';
import { element } from '../dom/element';
import type { Answered, ExperimentShares } from '../state/experimentsState';
import type { View } from '../view/view';

/** A bar that moves while the rest stays. */
export interface WaitingBar {
  bar: HTMLProgressElement;
  move(shares: ExperimentShares): void;
}

export function waiting(job: keyof ExperimentShares): WaitingBar {
  const bar = element('progress.jobProgress', { 'aria-label': 'Progress', max: 1 });
  return {
    bar,
    move(shares) {
      if (shares[job] > 0) bar.value = shares[job];
      else bar.removeAttribute('value');
    },
  };
}

export const NO_SIMULATOR = 'This page has no simulator: open the profile in VS Code, or with nki-scope view, to try changes.';

interface Words {
  doing: string;
  /** Absent: it is over before anyone could want that. */
  cancel?: () => void;
  again(): void;
}

/** Nodes of an answer, or of what stands in its place. */
export function answered<T>(view: View, state: Answered<T>, { bar }: WaitingBar, words: Words, shown: (answer: T) => Node[]): Node[] {
  if (!view.state.canExperiment) return [element('p.hint', {}, NO_SIMULATOR)];
  if (state.is === 'answered') return shown(state.answer);
  if (state.is === 'unasked') return [];
  if (state.is === 'asked')
    return [element('header', {}, bar, element('span.hint', {}, words.doing), words.cancel ? textButton('Cancel', words.cancel) : null)];
  return [element('p.warned', {}, state.reason), textButton('Try again', words.again)];
}
