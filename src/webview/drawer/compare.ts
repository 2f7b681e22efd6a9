/** A second profile beside this one: where it comes from, and what changed in total, by track and by line. */
import { compare, type LineChange } from '../../simulator/analyze/compare/compare';
import { compareTracks, type TrackChange } from '../../simulator/analyze/compare/tracks';
import { percentText, timeText } from '../../simulator/analyze/format';
import type { Profile } from '../../simulator/profile/profile';
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
      const [a, b] = [view.model!.profile, other.model.profile];
      const lines = compare(a, b).lines.map(lineDelta);
      return [
        element(
          'header',
          {},
          element('h2', {}, `B: ${other.title}`),
          link('Close', 'Removes the second profile', () => closeOther(view)),
        ),
        totals(a, b),
        element(
          'div.blocks',
          {},
          section(
            'By track, active time',
            table({ label: 'By track', columns: deltaColumns<TrackChange>('Track'), rows: compareTracks(a, b), sorting: sortings.tracks }),
          ),
          section('By line, critical path', lineTable(view, lines, sortings.lines)),
        ),
      ];
    },
  };
}

interface Delta {
  name: string;
  aNs: number;
  bNs: number;
}
type LineDelta = Delta & LineChange;

const lineDelta = (line: LineChange): LineDelta => ({
  ...line,
  name: (line.b ?? line.a)!.text,
  aNs: line.a?.timeNs ?? 0,
  bNs: line.b?.timeNs ?? 0,
});

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

function totals(a: Profile, b: Profile): HTMLElement {
  const figure = (name: string, aNs: number, bNs: number): [string, string, string] => [
    name,
    `${timeText(aNs)} → ${timeText(bNs)} (${changeText({ name, aNs, bNs })})`,
    'This profile → B',
  ];
  const body = (p: Profile) => p.bodyEndNs - p.bodyStartNs;
  return figures([figure('total', a.totalTimeNs, b.totalTimeNs), figure('body', body(a), body(b))]);
}

const deltaColumns = <D extends Delta>(first: string): Column<D>[] => [
  { title: first, text: row => row.name, words: true, code: true },
  { title: 'A', text: row => timeText(row.aNs), value: row => row.aNs },
  { title: 'B', text: row => timeText(row.bNs), value: row => row.bNs },
  { title: 'B − A', text: row => timeText(row.bNs - row.aNs), value: row => row.bNs - row.aNs },
  { title: 'Change', text: changeText, value: change },
];

function lineTable(view: View, lines: readonly LineDelta[], sorting: ReturnType<typeof unsorted>): HTMLElement {
  const where: Column<LineDelta> = {
    title: 'Line',
    words: true,
    text: row => (row.a ? place(view, row.a) : element('span', { title: row.b?.file ?? '' }, `B:${row.b?.line ?? ''}`)),
    value: row => row.a?.line ?? Number.POSITIVE_INFINITY,
  };
  const columns = [where, ...deltaColumns<LineDelta>('Source')];
  return table({ label: 'By line', columns, rows: lines, sorting, onPress: row => row.a && markLines(view, [row.a], false) });
}
