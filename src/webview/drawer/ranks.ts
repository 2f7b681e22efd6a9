/** A run on several ranks: its collectives with their skew, why a rank came last, and what each rank did. Of one rank alone: its own collectives. */
import { bytesText, timeText } from '../../simulator/analyze/format';
import { type RankedCollective, type RankRow, ranksOfRun } from '../../simulator/analyze/ranks';
import { rankLabel } from '../../simulator/analyze/runNames';
import { type StragglerLine, stragglerOf } from '../../simulator/analyze/straggler';
import type { Profile } from '../../simulator/profile/profile';
import { chooseCollective } from '../actions/collectives';
import { areRanks } from '../data/stack';
import { checkbox } from '../dom/components';
import { element } from '../dom/element';
import { instantText, plural } from '../math/units';
import { inOneFile, place } from '../panels/links';
import { differenceText } from '../stack/deltas';
import type { View } from '../view/view';
import { section } from './statistics';
import type { Tab } from './tab';
import { type TableColumn, table, unsorted } from './table';

export function ranksTab(): Tab {
  const sortings = { collectives: unsorted(), lines: unsorted(), ranks: unsorted() };
  return {
    id: 'ranks',
    title: 'Ranks',
    about: 'Collectives of the ranks of this run: how far apart the ranks came, which came last, and why',
    slow: true,
    isFor: view => view.model?.profile.rank !== undefined || areRanks(view.state.stack),
    content(view) {
      const profiles = ranksShown(view);
      const run = ranksOfRun(profiles);
      const { collective } = view.state;
      return [
        header(view, profiles, run.topology),
        table({
          label: 'Collectives',
          columns: collectiveColumns(view),
          rows: run.collectives,
          sorting: sortings.collectives,
          onPress: ({ number }) => chooseCollective(view, number),
          current: ({ number }) => number === collective,
        }),
        element(
          'div.blocks',
          {},
          collective === null ? null : straggler(view, profiles, collective, sortings.lines),
          section('Ranks', table({ label: 'Ranks', columns: RANK_COLUMNS, rows: run.ranks, sorting: sortings.ranks })),
        ),
      ];
    },
  };
}

/** Those of the page; the page's own alone, when others are no ranks of its run. */
function ranksShown(view: View): Profile[] {
  const { stack } = view.state;
  if (areRanks(stack)) return stack.map(({ model }) => model.profile);
  const { profile } = view.model!;
  return profile.rank ? [profile] : [];
}

function header(view: View, profiles: readonly Profile[], topology: string): HTMLElement {
  const of = profiles[0].rank!;
  const shown =
    profiles.length === 1 ? `${rankLabel(of.rank, of.process)} of ${of.ranks}` : `${profiles.length} of ${plural(of.ranks, 'rank')}`;
  const rows = checkbox('Only rows of collectives', view.state.collectiveRows, on => view.store.update({ collectiveRows: on }));
  return element('header', {}, rows, element('span.hint', {}, `${shown}, ${topology}`));
}

function collectiveColumns(view: View): TableColumn<RankedCollective>[] {
  const short = inOneFile(view);
  return [
    { title: 'Collective', text: row => row.name, words: true, code: true },
    { title: 'Line', text: row => place(view, row.position, short), words: true },
    // before what is out of sight in a narrow page
    {
      title: 'Skew',
      about: 'From the arrival of the first rank to that of the last',
      text: row => timeText(row.skewNs),
      value: row => row.skewNs,
    },
    { title: 'Last', text: row => (row.skewNs > 0 ? `rank ${row.last.rank}` : ''), words: true },
    { title: 'Held up at', text: row => (row.last.line > 0 ? place(view, row.last, short) : ''), words: true },
    { title: 'Start', text: row => instantText(row.startNs), value: row => row.startNs },
    { title: 'Time', about: 'From the arrival of its last rank on', text: row => timeText(row.durationNs), value: row => row.durationNs },
    { title: 'Size', about: 'Of the largest buffer of a rank', text: row => bytesText(row.bytes), value: row => row.bytes },
    { title: 'Algorithm', text: row => row.algorithm, words: true },
    { title: 'Ranks', text: row => String(row.ranks.length), value: row => row.ranks.length, spare: true },
  ];
}

function straggler(view: View, profiles: readonly Profile[], number: number, sorting: ReturnType<typeof unsorted>): HTMLElement | null {
  const found = stragglerOf(profiles, number);
  if (!found) return null;
  const { last, first, skewNs, lines } = found;
  const columns: TableColumn<StragglerLine>[] = [
    { title: 'Line', text: row => (row.line > 0 ? place(view, row, inOneFile(view)) : 'nothing recorded'), words: true },
    { title: `Rank ${last}`, text: row => timeText(row.lastNs), value: row => row.lastNs },
    { title: `Rank ${first}`, text: row => timeText(row.firstNs), value: row => row.firstNs },
    { title: 'Difference', text: row => differenceText(row.firstNs, row.lastNs), value: row => row.lastNs - row.firstNs },
  ];
  return section(
    `Rank ${last} came ${timeText(skewNs)} after rank ${first}`,
    element('p.hint', {}, 'Critical paths of both ranks since their previous collective, by line:'),
    table({ label: 'Why the last rank came last', columns, rows: lines, sorting }),
  );
}

const RANK_COLUMNS: readonly TableColumn<RankRow>[] = [
  { title: 'Rank', text: row => (row.process ? `${row.rank} (${row.process})` : String(row.rank)), value: row => row.rank },
  { title: 'Total', text: row => timeText(row.totalNs), value: row => row.totalNs },
  { title: 'Body', text: row => timeText(row.bodyNs), value: row => row.bodyNs },
  { title: 'Collectives', text: row => String(row.count), value: row => row.count },
  { title: 'Active', about: 'At least one collective ran', text: row => timeText(row.activeNs), value: row => row.activeNs },
  { title: 'Waiting', about: 'For ranks that came later, added up', text: row => timeText(row.waitNs), value: row => row.waitNs },
];
