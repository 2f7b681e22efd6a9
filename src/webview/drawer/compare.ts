/** A second profile beside this one: where it comes from, and what changed in total, by track and by line. */
import { type Comparison, compareProfiles, type Delta, type LineDelta } from '../../simulator/analyze/compareProfiles';
import { percentText, timeText } from '../../simulator/analyze/format';
import { textButton } from '../components';
import { element } from '../panels/dom';
import { link, place } from '../panels/links';
import { closeOther, openOther } from '../state/comparing';
import { markLines } from '../state/searching';
import type { View } from '../state/view';
import { figures, section } from './statistics';
import type { Tab } from './tab';
import { type Column, table, unsorted } from './table';

export function compareTab(): Tab {
  const sortings = { tracks: unsorted(), lines: unsorted() };
  return {
    id: 'compare',
    title: 'Compare',
    about: 'A second profile below this one, with linked zoom',
    needs: ['other', 'canOpenSource'],
    content(view) {
      const { other } = view;
      if (!other) return [chooser(view)];
      const comparison = compareProfiles(view.model!.profile, other.model.profile);
      return [
        element(
          'header',
          {},
          element('h2', {}, `B: ${other.title}`),
          link('Close', 'Removes the second profile', () => closeOther(view)),
        ),
        totals(comparison),
        element(
          'div.blocks',
          {},
          section(
            'By track, active time',
            table({ label: 'By track', columns: deltaColumns<Delta>('Track'), rows: comparison.tracks, sorting: sortings.tracks }),
          ),
          section('By line, critical path', lineTable(view, comparison, sortings.lines)),
        ),
      ];
    },
  };
}

function chooser(view: View): HTMLElement {
  const file = element('input', { type: 'file', accept: '.nkiprof', hidden: true, 'aria-label': 'Profile to compare with' });
  file.addEventListener(
    'change',
    async () => file.files?.[0] && openOther(view, file.files[0].name, new Uint8Array(await file.files[0].arrayBuffer())),
  );
  const text =
    'Choose a saved profile (.nkiprof), or drop one here: its rows appear below these, with linked zoom; both kernels’ bodies begin together.';
  return element(
    'section.block',
    {},
    element('p', {}, text),
    textButton('Choose a profile', () => file.click()),
    file,
  );
}

const change = ({ aNs, bNs }: Delta) => (aNs > 0 ? bNs / aNs - 1 : 0);
const changeText = (delta: Delta) => {
  if (delta.aNs === 0) return delta.bNs === 0 ? '' : 'new';
  if (delta.bNs === 0) return 'gone';
  return `${change(delta) > 0 ? '+' : ''}${percentText(change(delta))}`;
};

function totals({ total, body }: Comparison): HTMLElement {
  const figure = (delta: Delta): [string, string, string] => [
    delta.name,
    `${timeText(delta.aNs)} → ${timeText(delta.bNs)} (${changeText(delta)})`,
    'This profile → B',
  ];
  return figures([figure(total), figure(body)]);
}

const deltaColumns = <D extends Delta>(first: string): Column<D>[] => [
  { title: first, text: row => row.name, words: true, code: true },
  { title: 'A', text: row => timeText(row.aNs), value: row => row.aNs },
  { title: 'B', text: row => timeText(row.bNs), value: row => row.bNs },
  { title: 'B − A', text: row => timeText(row.bNs - row.aNs), value: row => row.bNs - row.aNs },
  { title: 'Change', text: changeText, value: change },
];

function lineTable(view: View, { lines }: Comparison, sorting: ReturnType<typeof unsorted>): HTMLElement {
  const where: Column<LineDelta> = {
    title: 'Line',
    words: true,
    text: row => (row.a ? place(view, row.a) : element('span', { title: row.b?.file ?? '' }, `B:${row.b?.line ?? ''}`)),
    value: row => row.a?.line ?? Number.POSITIVE_INFINITY,
  };
  const columns = [where, ...deltaColumns<LineDelta>('Source')];
  return table({ label: 'By line', columns, rows: lines, sorting, onPress: row => row.a && markLines(view, [row.a], false) });
}
