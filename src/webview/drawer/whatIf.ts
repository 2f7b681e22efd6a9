/** What if: the profile timed again with something faster, the usual questions, and the causal profile of the hot lines. */
import { timeText } from '../../simulator/analyze/format';
import { modelledChangeText, SMALL_MARK_MEANS, smallMarkNote } from '../../simulator/analyze/tellsApart';
import { askCausal, askUsual, stopExperiment } from '../actions/experiments';
import { textButton } from '../dom/components';
import { element } from '../dom/element';
import { place } from '../panels/links';
import type { CausalLine, WhatIfAnswer } from '../protocol/experiments';
import type { View } from '../view/view';
import { answered, waiting } from './answered';
import { causalCurve } from './causalCurve';
import { ownExperiment } from './ownExperiment';
import { section } from './statistics';
import type { Tab } from './tab';
import { type Sorting, type TableColumn, table, unsorted } from './table';

export function whatIfTab(): Tab {
  const [asking, retiming, profiling] = [waiting('whatIf'), waiting('retimed'), waiting('causal')];
  const [usualSorting, causalSorting] = [unsorted(), unsorted()];
  return {
    id: 'whatIf',
    title: 'What if',
    about: 'The same instructions timed again with something faster (5)',
    content(view) {
      const { usual } = view.state.experiments;
      const words = { doing: 'Timing the profile again', again: () => void askUsual(view) };
      return answered(view, usual, asking, words, answers => [
        ownExperiment(view, answers, retiming),
        element('div.blocks', {}, usualTable(answers, usualSorting), causal(view, profiling, causalSorting)),
      ]);
    },
    move: ({ state }) => profiling.move(state.experimentShares),
  };
}

const USUAL: readonly TableColumn<WhatIfAnswer>[] = [
  { title: 'What if', text: row => row.what, words: true },
  { title: 'Time', about: 'Of the whole profile', text: row => timeText(row.timeNs), value: row => row.timeNs },
  {
    title: 'Change',
    about: `Of the whole profile. ${SMALL_MARK_MEANS}`,
    text: row => modelledChangeText(row.deltaShare),
    value: row => -row.deltaShare,
    share: row => -row.deltaShare,
  },
];

function usualTable(rows: readonly WhatIfAnswer[], sorting: Sorting): HTMLElement {
  const base = rows.length > 0 ? `As it is: ${timeText(rows[0].baseNs)}` : '';
  const note = smallMarkNote(rows.map(({ deltaShare }) => deltaShare));
  const shown = table({ label: 'One thing faster', columns: USUAL, rows, sorting });
  return section('One thing faster', element('p.hint', {}, [base, note].filter(Boolean).join('. ')), shown);
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
    { title: 'Source', text: row => row.text, words: true, code: true, wholePx: 180 },
    {
      title: 'Curve',
      about: 'Across: time that the line saves; down: time that the kernel saves',
      text: row => causalCurve(row, mostShare),
      value: gain,
    },
    ...shares.slice(1).map(
      (savedShare, k): TableColumn<CausalLine> => ({
        title: savedShare === 1 ? 'free' : `−${Math.round(savedShare * 100)} %`,
        about: `The line takes so much less. ${SMALL_MARK_MEANS}`,
        text: row => modelledChangeText(row.curve[k + 1].deltaShare),
        value: row => -row.curve[k + 1].deltaShare,
      }),
    ),
  ];
  return table({ label: 'Causal profile', columns, rows, sorting });
}

const gain = ({ curve }: CausalLine) => -curve[curve.length - 1].deltaShare;
