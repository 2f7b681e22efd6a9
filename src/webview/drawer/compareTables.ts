/** What changed against the base, by track and by line: a column with each stacked profile's time, and one with its difference. */
import { compareLines, type LineTimes, shownLine } from '../../simulator/analyze/compare/lines';
import { compareTracks } from '../../simulator/analyze/compare/tracks';
import { timeText } from '../../simulator/analyze/format';
import type { Profile } from '../../simulator/profile/profile';
import { markLines } from '../actions/searching';
import { baseOf, letterOf, OWN, type StackedProfile } from '../data/stack';
import { place } from '../panels/links';
import { differenceText, shareText } from '../stack/deltas';
import type { View } from '../view/view';
import { section } from './statistics';
import { type Sorting, type TableColumn, table } from './table';

export function deltaTables(view: View, sortings: { tracks: Sorting; lines: Sorting }): HTMLElement[] {
  const first = baseOf(view.state.stack);
  const stack = [first, ...view.state.stack.filter(p => p !== first)];
  const [base, ...others] = stack.map(({ model }) => model.profile);
  // each is asked for once, however often the stack changes
  const analysisOf = (p: Profile) => stack.find(({ model }) => model.profile === p)!.model.analysis;
  const tracks = table({
    label: 'By track',
    columns: [
      { title: 'Track', text: row => row.name, words: true, code: true },
      ...timeColumns<{ name: string; timesNs: number[] }>(stack),
    ],
    rows: compareTracks([base, ...others], p => analysisOf(p).trackActiveNs()),
    sorting: sortings.tracks,
  });
  const lines = compareLines(base, others, p => analysisOf(p).lines()).map(row => ({
    ...row,
    timesNs: row.lines.map(line => line?.timeNs ?? 0),
  }));
  return [section('By track, active time', tracks), section('By line, critical path', lineTable(view, lines, sortings.lines))];
}

type Times = { timesNs: number[] };

/** @param isIn whether a profile has the row at all */
function timeColumns<R extends Times>(
  stack: readonly StackedProfile[],
  isIn: (row: R, profile: number) => boolean = () => true,
): TableColumn<R>[] {
  const base = letterOf(stack[0].number);
  return stack.flatMap(({ number, title }, i) => {
    const letter = letterOf(number);
    const time: TableColumn<R> = {
      title: letter,
      about: title,
      text: row => (isIn(row, i) ? timeText(row.timesNs[i]) : '–'),
      value: row => row.timesNs[i],
    };
    const change: TableColumn<R> = {
      title: `${letter} − ${base}`,
      about: `How ${letter} differs from ${base}`,
      text: ({ timesNs }) => changeText(timesNs[0], timesNs[i]),
      value: ({ timesNs }) => timesNs[i] - timesNs[0],
    };
    return i === 0 ? [time] : [time, change];
  });
}

function changeText(baseNs: number, ns: number): string {
  const share = shareText(baseNs, ns);
  return share === '' ? '' : `${differenceText(baseNs, ns)} (${share})`;
}

function lineTable(view: View, rows: readonly (LineTimes & Times)[], sorting: Sorting): HTMLElement {
  const own = view.state.stack.findIndex(({ number }) => number === OWN);
  const where: TableColumn<LineTimes & Times> = {
    title: 'Line',
    about: 'Where the page’s own profile has it, else the first that has',
    words: true,
    text: row => lettered(view, row, place(view, row.lines[own] ?? shownLine(row))),
    value: row => (row.lines[own] ?? shownLine(row)).line,
  };
  const source: TableColumn<LineTimes & Times> = {
    title: 'Source',
    text: row => shownLine(row).text,
    words: true,
    code: true,
    wholePx: 180,
  };
  const times = timeColumns<LineTimes & Times>(view.state.stack, ({ lines }, profile) => lines[profile] !== undefined);
  const columns = [where, source, ...times];
  const mark = ({ lines }: LineTimes) => lines[own] && markLines(view, [lines[own]], false);
  return table({ label: 'By line', columns, rows, sorting, onPress: mark });
}

/** A line that the page's own does not have is told by whose it is. */
function lettered({ state: { stack } }: View, { lines }: LineTimes, where: HTMLElement): HTMLElement {
  const at = lines.findIndex(line => line !== undefined);
  const own = stack.findIndex(({ number }) => number === OWN);
  if (!lines[own]) where.prepend(`${letterOf(stack[at].number)}: `);
  return where;
}
