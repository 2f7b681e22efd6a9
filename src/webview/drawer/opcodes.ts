/** Opcodes of the whole run by track: count, time, active time. */
import { percentText, timeText } from '../../simulator/analyze/format';
import { type RangeShare, rangeStatistics } from '../../simulator/analyze/rangeStatistics';
import { search } from '../actions/searching';
import type { Model } from '../data/model';
import { countText } from '../math/units';
import type { Tab } from './tab';
import { type TableColumn, table, unsorted } from './table';

interface OpcodeRow extends RangeShare {
  engine: string;
}

export function opcodesTab(): Tab {
  const sorting = unsorted();
  return {
    id: 'opcodes',
    title: 'Opcodes',
    about: 'Instructions by engine and opcode, DMA by queue',
    content(view) {
      const model = view.model!;
      const totalNs = model.profile.totalTimeNs;
      const columns: TableColumn<OpcodeRow>[] = [
        { title: 'Track', text: row => row.engine, words: true },
        { title: 'Opcode', text: row => row.name, words: true, code: true },
        { title: 'Count', text: row => countText(row.events), value: row => row.events },
        { title: 'Time', about: 'Durations added up', text: row => timeText(row.sumNs), value: row => row.sumNs },
        { title: 'Mean', text: row => timeText(row.sumNs / row.events), value: row => row.sumNs / row.events },
        { title: 'Active', about: 'Union of the durations', text: row => timeText(row.activeNs), value: row => row.activeNs },
        {
          title: 'Active %',
          about: 'Of the whole profile',
          text: row => percentText(row.activeNs / totalNs),
          value: row => row.activeNs,
          share: row => row.activeNs / totalNs,
        },
      ];
      const find = (row: OpcodeRow) =>
        search(view, row.name === 'DMA' ? `queue:${row.engine}` : `opcode:/^${row.name}$/ AND track:/^${row.engine}$/`);
      return [table({ label: 'Opcodes', columns, rows: opcodeRows(model), sorting, onPress: find })];
    },
  };
}

function opcodeRows({ profile, tracks, limits }: Model): OpcodeRow[] {
  const rows = tracks.flatMap(track => {
    const { opcodes } = rangeStatistics(profile, [track], { ...limits, tracks: null, accepts: null });
    return opcodes.map(share => ({ ...share, engine: profile.tracks[track.track].name }));
  });
  return rows.sort((a, b) => b.activeNs - a.activeNs);
}
