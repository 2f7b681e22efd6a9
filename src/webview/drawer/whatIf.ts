/** What if: the profile timed again with something faster, the usual questions, and the causal profile of the hot lines. */
import { signedPercentText, timeText } from '../../simulator/analyze/format';
import { askCausal, askUsual, askWish, stopExperiment } from '../actions/experiments';
import { fileName } from '../data/describe';
import { textButton } from '../dom/components';
import { element } from '../dom/element';
import { place } from '../panels/links';
import type { CausalLine, WhatIfAnswer } from '../protocol/experiments';
import { DEGREES, type WishSubject } from '../state/experimentsState';
import type { View } from '../view/view';
import { answered, waiting } from './answered';
import { causalCurve } from './causalCurve';
import { section } from './statistics';
import type { Tab } from './tab';
import { type Sorting, type TableColumn, table, unsorted } from './table';

/** Hot lines to choose from. */
const MOST_LINES = 20;

export function whatIfTab(): Tab {
  const [asking, wishing, profiling] = [waiting('whatIf'), waiting('whatIf'), waiting('causal')];
  const [usualSorting, causalSorting] = [unsorted(), unsorted()];
  return {
    id: 'whatIf',
    title: 'What if',
    about: 'The same instructions timed again with something faster (5)',
    content(view) {
      const { usual } = view.state.experiments;
      const words = { doing: 'Timing the profile again', again: () => void askUsual(view) };
      return answered(view, usual, asking, words, answers => [
        ownWish(view, answers, wishing),
        element('div.blocks', {}, usualTable(answers, usualSorting), causal(view, profiling, causalSorting)),
      ]);
    },
    move: ({ state }) => profiling.move(state.experimentShares),
  };
}

/** What can be chosen, by the text of its option. */
function subjects(view: View, usual: readonly WhatIfAnswer[]): Map<string, WishSubject> {
  const lines = view.model!.analysis.lines().slice(0, MOST_LINES);
  return new Map<string, WishSubject>([
    ...lines.map(({ file, line, text }): [string, WishSubject] => [`${fileName(file)}:${line}  ${text.trim()}`, { line: { file, line } }]),
    ...usual.flatMap(({ resource }): [string, WishSubject][] => (resource === null ? [] : [[resource, { resource }]])),
  ]);
}

function ownWish(view: View, usual: readonly WhatIfAnswer[], wishing: ReturnType<typeof waiting>): HTMLElement {
  const { wish } = view.state.experiments;
  const choices = subjects(view, usual);
  const isChosen = (of: WishSubject) => wish !== null && JSON.stringify(of) === JSON.stringify(wish.of);
  const select = element(
    'select.select.wish',
    { 'aria-label': 'What if this were faster' },
    element('option', { value: '' }, 'a line or a resource'),
    ...[...choices].map(([text, of]) => element('option', { value: text, selected: isChosen(of) }, text)),
  );
  select.addEventListener('change', () => {
    const of = choices.get(select.value);
    if (of) void askWish(view, of);
  });
  const again = () => void (wish && askWish(view, wish.of));
  const results = wish ? answered(view, wish.answers, wishing, { doing: '', again }, answers => answers.map(degreeFigure)) : [];
  return element('div.wishRow', {}, element('span', {}, 'What if'), select, element('span', {}, 'were'), ...results);
}

function degreeFigure({ timeNs, deltaShare }: WhatIfAnswer, degree: number): HTMLElement {
  return element(
    'span.figure',
    {},
    element('span.name', {}, DEGREES[degree].text),
    element('b', {}, signedPercentText(deltaShare)),
    element('span.where', {}, ` ${timeText(timeNs)}`),
  );
}

const USUAL: readonly TableColumn<WhatIfAnswer>[] = [
  { title: 'What if', text: row => row.what, words: true },
  { title: 'Time', about: 'Of the whole profile', text: row => timeText(row.timeNs), value: row => row.timeNs },
  {
    title: 'Change',
    about: 'Of the whole profile',
    text: row => signedPercentText(row.deltaShare),
    value: row => -row.deltaShare,
    share: row => -row.deltaShare,
  },
];

function usualTable(rows: readonly WhatIfAnswer[], sorting: Sorting): HTMLElement {
  const base = rows.length > 0 ? `As it is: ${timeText(rows[0].baseNs)}` : '';
  return section('One thing faster', element('p.hint', {}, base), table({ label: 'One thing faster', columns: USUAL, rows, sorting }));
}

function causal(view: View, profiling: ReturnType<typeof waiting>, sorting: Sorting): HTMLElement {
  const state = view.state.experiments.causal;
  const about = element('p.hint', {}, 'What the whole kernel takes when a line saves a part of its own time, for each hot line.');
  const words = {
    doing: 'Timing each hot line',
    cancel: () => stopExperiment(view, 'causal'),
    again: () => void askCausal(view),
  };
  const content =
    state.is === 'unasked'
      ? [textButton('Time each hot line', () => void askCausal(view))]
      : answered(view, state, profiling, words, lines => [causalTable(view, lines, sorting)]);
  return section('Causal profile', about, ...content);
}

function causalTable(view: View, rows: readonly CausalLine[], sorting: Sorting): HTMLElement {
  const mostShare = Math.max(0.01, ...rows.flatMap(({ curve }) => curve.map(({ deltaShare }) => -deltaShare)));
  const shares = rows[0]?.curve.map(({ savedShare }) => savedShare) ?? [];
  const columns: TableColumn<CausalLine>[] = [
    { title: 'Line', text: row => place(view, row), value: row => row.line, words: true },
    { title: 'Source', text: row => row.text, words: true, code: true },
    {
      title: 'Curve',
      about: 'Across: time that the line saves; down: time that the kernel saves',
      text: row => causalCurve(row, mostShare),
      value: gain,
    },
    ...shares.slice(1).map(
      (savedShare, k): TableColumn<CausalLine> => ({
        title: savedShare === 1 ? 'free' : `−${Math.round(savedShare * 100)} %`,
        about: 'The line takes so much less',
        text: row => signedPercentText(row.curve[k + 1].deltaShare),
        value: row => -row.curve[k + 1].deltaShare,
      }),
    ),
  ];
  return table({ label: 'Causal profile', columns, rows, sorting });
}

const gain = ({ curve }: CausalLine) => -curve[curve.length - 1].deltaShare;
