/** Time per source line: the whole run's hot lines, or a core's. */
import { bytesText, percentText, timeText } from '../../simulator/analyze/format';
import { busyNs, type Line } from '../../simulator/analyze/lines';
import { stallShort } from '../../simulator/analyze/stallText';
import type { StallReason } from '../../simulator/profile/profile';
import { markLines } from '../actions/searching';
import { countText } from '../math/units';
import { inOneFile, place } from '../panels/links';
import { byCore, type ChosenCore } from './byCore';
import type { Tab } from './tab';
import { type TableColumn, table, unsorted } from './table';

export function linesTab(): Tab {
  const sorting = unsorted();
  const chosen: ChosenCore = { core: null };
  return {
    id: 'lines',
    title: 'Lines',
    about: 'Time per source line (2)',
    content(view) {
      const short = inOneFile(view);
      const columns: TableColumn<Line>[] = [
        { title: 'Line', text: line => place(view, line, short), value: line => line.line, words: true },
        { title: 'Source', text: line => line.text, words: true, code: true, wholePx: 130 },
        {
          title: 'Share',
          about: 'Of the kernel body: time on the critical path',
          text: line => percentText(line.share),
          value: line => line.share,
          share: line => line.share,
        },
        { title: 'Time', about: 'On the critical path', text: line => timeText(line.timeNs), value: line => line.timeNs },
        { title: 'Busy', about: 'Of the row that the line kept busy longest', text: line => timeText(busyNs(line)), value: busyNs },
        { title: 'Waits for', text: waitsFor, words: true, wholePx: 80 },
        { title: 'Count', about: 'Instructions and transfers', text: line => countText(events(line)), value: events },
        { title: 'Bytes', text: line => (line.dmaBytes > 0 ? bytesText(line.dmaBytes) : ''), value: line => line.dmaBytes },
      ];
      const onPress = (line: Line) => markLines(view, [line], false);
      return byCore(view, chosen, (_, analysis) => [table({ label: 'Lines', columns, rows: analysis.lines(), sorting, onPress })]);
    },
  };
}

const events = (line: Line) => line.instructions + line.transfers;

function waitsFor({ stalls }: Line): string {
  const [longest] = Object.entries(stalls).sort(([, a], [, b]) => b - a);
  return longest ? `${stallShort(longest[0] as StallReason)} ${timeText(longest[1]).replace(' ', '\u00a0')}` : '';
}
