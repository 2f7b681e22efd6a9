/** The sliders of the What-if tab: how much less time each hot line and each resource takes, and what the whole profile takes then. */
import { timeText } from '../../simulator/analyze/format';
import { modelledChangeText } from '../../simulator/analyze/tellsApart';
import { askAgain, clearWishes, savedOf, savedText, setWish, undoWish, wishName } from '../actions/ownExperiment';
import { textButton } from '../dom/components';
import { element } from '../dom/element';
import type { WhatIfAnswer } from '../protocol/experiments';
import type { WishSubject } from '../state/experimentsState';
import type { View } from '../view/view';
import { answered, type WaitingBar } from './answered';
import { section } from './statistics';

/** Of the hottest lines. */
const MOST_LINES = 8;
const STEP_PERCENT = 25;

export function ownExperiment(view: View, usual: readonly WhatIfAnswer[], retiming: WaitingBar): HTMLElement {
  const lines = view.model!.analysis.lines().slice(0, MOST_LINES);
  const hint = 'The profile is timed again with all of these at once, and stands above the one that ran. Ctrl+Z undoes a change.';
  const made = section(
    'Your own experiment',
    element('p.hint', {}, hint),
    result(view, retiming),
    element(
      'div.sliders',
      {},
      ...lines.map(({ file, line, text }) => slider(view, { line: { file, line } }, text.trim())),
      ...usual.flatMap(({ resource }) => (resource === null ? [] : [slider(view, { resource }, '')])),
    ),
  );
  made.classList.add('ownExperiment');
  made.addEventListener('keydown', event => {
    if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    void undoWish(view);
  });
  keepFocus(made);
  return made;
}

function slider(view: View, of: WishSubject, text: string): HTMLElement {
  const name = wishName(of);
  const savedShare = savedOf(view.state.experiments.own.wishes, of);
  const said = element('output', {}, savedText(savedShare));
  const input = element('input', {
    type: 'range',
    min: 0,
    max: 100,
    step: STEP_PERCENT,
    value: savedShare * 100,
    'aria-label': `Time that ${name} saves`,
    'aria-valuetext': savedText(savedShare),
    'data-wish': name,
  });
  input.addEventListener('input', () => {
    said.textContent = savedText(Number(input.value) / 100);
    input.setAttribute('aria-valuetext', said.textContent);
  });
  input.addEventListener('change', () => void setWish(view, of, Number(input.value) / 100));
  return element(
    'label.slider',
    { title: text || name },
    element('span.name', {}, name, text ? element('code', {}, text) : null),
    input,
    said,
  );
}

function result(view: View, retiming: WaitingBar): HTMLElement {
  const { answer, before, wishes } = view.state.experiments.own;
  const baseNs = view.model!.profile.totalTimeNs;
  const undo = textButton('Undo', () => void undoWish(view));
  const clear = textButton('As it ran', () => void clearWishes(view));
  undo.toggleAttribute('disabled', before.length === 0);
  clear.toggleAttribute('disabled', wishes.length === 0);
  const words = { doing: 'Timing the profile again', again: () => void askAgain(view) };
  const figure = ({ timeNs }: { timeNs: number }) => [
    element('b', {}, timeText(timeNs)),
    element('span.where', {}, `${modelledChangeText(timeNs / baseNs - 1)} of ${timeText(baseNs)}`),
  ];
  const said =
    answer.is === 'unasked'
      ? [element('b', {}, timeText(baseNs)), element('span.where', {}, 'as it ran')]
      : answered(view, answer, retiming, words, figure);
  return element('div.ownResult', { role: 'status' }, ...said, undo, clear);
}

/** The section is made again with each answer: the slider with the focus gets it back. */
function keepFocus(made: HTMLElement): void {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !focused.closest('.ownExperiment')) return;
  const { wish } = focused.dataset;
  if (wish === undefined) return;
  queueMicrotask(() =>
    [...made.querySelectorAll<HTMLElement>('[data-wish]')].find(one => one.dataset.wish === wish)?.focus({ preventScroll: true }),
  );
}
