/** Exact statistics of a stretch of time as figures and tables; the box selection, the visible range and search results share them. */
import { bytesText, percentText, timeText } from '../../simulator/analyze/format';
import type { LineShare, RangeShare, RangeStatistics, SizeClass } from '../../simulator/analyze/rangeStatistics';
import { markLines } from '../actions/searching';
import { element } from '../dom/element';
import { countText, instantText, rateText } from '../math/units';
import { place } from '../panels/links';
import type { View } from '../view/view';
import { type Sorting, type TableColumn, table, unsorted } from './table';

export interface Sortings {
  tracks: Sorting;
  opcodes: Sorting;
  sizes: Sorting;
  lines: Sorting;
}

export const statisticsSortings = (): Sortings => ({ tracks: unsorted(), opcodes: unsorted(), sizes: unsorted(), lines: unsorted() });

export function figures(entries: readonly [name: string, value: string, about: string][]): HTMLElement {
  const figure = ([name, value, about]: (typeof entries)[number]) =>
    element('div.figure', { title: about }, element('span.name', {}, name), element('b', {}, value));
  return element('div.figures', {}, ...entries.map(figure));
}

export function statisticsFigures(s: RangeStatistics): HTMLElement {
  const widthNs = Math.max(1e-9, s.endNs - s.startNs);
  return figures([
    ['Duration', timeText(s.endNs - s.startNs), 'Of the range.'],
    ['Start', instantText(s.startNs), 'Of the range.'],
    ['End', instantText(s.endNs), 'Of the range.'],
    ['Event Count', countText(s.events), 'Events that touch the range.'],
    ['Event Duration Sum', timeText(s.sumNs), 'Their durations inside the range, added up; overlaps count twice.'],
    ['Event Duration Active', `${timeText(s.activeNs)} (${percentText(s.activeNs / widthNs)})`, 'Time in which at least one of them ran.'],
    ['Waiting', timeText(s.waitNs), 'start − ready inside the range, added up.'],
    ['DMA', `${countText(s.transfers)} · ${bytesText(s.bytes)}`, 'Transfers that touch the range; bytes of those that begin in it.'],
    ['HBM read', `${bytesText(s.hbmReadBytes)} (${rateText((s.hbmReadBytes / widthNs) * 1e9)})`, 'By transfers that begin in the range.'],
    [
      'HBM write',
      `${bytesText(s.hbmWriteBytes)} (${rateText((s.hbmWriteBytes / widthNs) * 1e9)})`,
      'By transfers that begin in the range.',
    ],
    [
      'FLOPs',
      s.flops > 0 ? `${countText(s.flops)} (${(s.flops / widthNs / 1000).toFixed(2)} TFLOP/s)` : '0',
      'Of matmuls that begin in the range.',
    ],
  ]);
}

const shareColumns = (first: string, widthNs: number): TableColumn<RangeShare>[] => [
  { title: first, text: row => row.name, words: true, code: true },
  { title: 'Count', text: row => countText(row.events), value: row => row.events },
  { title: 'Time', about: 'Durations added up', text: row => timeText(row.sumNs), value: row => row.sumNs },
  { title: 'Active', about: 'Union of the durations', text: row => timeText(row.activeNs), value: row => row.activeNs },
  {
    title: 'Active %',
    about: 'Active time as a share of the range',
    text: row => percentText(row.activeNs / widthNs),
    value: row => row.activeNs,
    share: row => row.activeNs / widthNs,
  },
];

export function trackTable(s: RangeStatistics, sorting: Sorting): HTMLElement {
  return section('By track', table({ label: 'By track', columns: shareColumns('Track', s.endNs - s.startNs), rows: s.tracks, sorting }));
}

export function opcodeTable(s: RangeStatistics, sorting: Sorting): HTMLElement {
  return section(
    'By opcode',
    table({ label: 'By opcode', columns: shareColumns('Opcode', s.endNs - s.startNs), rows: s.opcodes, sorting }),
  );
}

export function sizeTable(s: RangeStatistics, sorting: Sorting): HTMLElement | null {
  if (s.sizes.length === 0) return null;
  const most = Math.max(...s.sizes.map(size => size.transfers));
  const columns: TableColumn<SizeClass>[] = [
    {
      title: 'Transfer size',
      text: row => (row.fromBytes === 0 ? '0 B' : `≥ ${bytesText(row.fromBytes)}`),
      value: row => row.fromBytes,
      words: true,
    },
    { title: 'Count', text: row => countText(row.transfers), value: row => row.transfers, share: row => row.transfers / most },
    { title: 'Bytes', text: row => bytesText(row.bytes), value: row => row.bytes },
    { title: 'Time', text: row => timeText(row.sumNs), value: row => row.sumNs },
  ];
  return section('By transfer size', table({ label: 'By transfer size', columns, rows: s.sizes, sorting }));
}

export function lineTable(view: View, s: RangeStatistics, sorting: Sorting): HTMLElement {
  const columns: TableColumn<LineShare>[] = [
    { title: 'Line', text: row => place(view, row), value: row => row.line, words: true },
    { title: 'Source', text: row => row.text, words: true, code: true, wholePx: 180 },
    { title: 'Count', text: row => countText(row.events), value: row => row.events },
    { title: 'Time', text: row => timeText(row.sumNs), value: row => row.sumNs, share: row => row.sumNs / Math.max(1e-9, s.sumNs) },
    { title: 'Bytes', text: row => (row.bytes > 0 ? bytesText(row.bytes) : ''), value: row => row.bytes },
  ];
  return section('By line', table({ label: 'By line', columns, rows: s.lines, sorting, onPress: row => markLines(view, [row], false) }));
}

export const section = (title: string, ...content: (Node | null)[]) => element('section.block', {}, element('h3', {}, title), ...content);
