/** Statistics of the selected box, or of what is visible when there is none. */
import { rangeStatistics } from '../../simulator/analyze/rangeStatistics';
import { showSpan } from '../actions/navigation';
import { OWN } from '../data/stack';
import { element } from '../dom/element';
import type { TimeSpan } from '../math/timeSpan';
import { plural } from '../math/units';
import { link } from '../panels/links';
import type { View } from '../view/view';
import { rangeCsv } from './csv';
import { lineTable, opcodeTable, sizeTable, statisticsFigures, statisticsSortings, trackTable } from './statistics';
import type { Tab } from './tab';

export function selectionTab(): Tab {
  const sortings = statisticsSortings();
  return {
    id: 'selection',
    title: 'Selection',
    about: 'Statistics of the selected box, or of the visible range',
    slow: true,
    content(view) {
      const range: TimeSpan = view.state.box ?? view.state.span;
      const choice = { ...range, tracks: tracksOf(view), accepts: null };
      const { profile, tracks } = view.model!;
      const statistics = rangeStatistics(profile, tracks, choice);
      return [
        heading(view, range),
        statisticsFigures(statistics),
        element(
          'div.blocks',
          {},
          trackTable(statistics, sortings.tracks),
          opcodeTable(statistics, sortings.opcodes),
          sizeTable(statistics, sortings.sizes),
          lineTable(view, statistics, sortings.lines),
        ),
      ];
    },
  };
}

function heading(view: View, range: TimeSpan): HTMLElement {
  const { box } = view.state;
  const title = box ? `Box over ${plural(box.rows.length, 'row')}` : 'Visible range';
  const csv = link('Export CSV', 'Every event of the range, one line each', () =>
    view.saveText('events.csv', rangeCsv(view, range, tracksOf(view))),
  );
  const parts = [element('h2', {}, title), csv];
  if (box)
    parts.push(
      link('Zoom to it', 'Shows the box', () => showSpan(view, box)),
      link('Clear', 'Back to the visible range (Esc)', () => view.store.update({ box: null })),
    );
  else parts.push(element('span.hint', {}, 'Alt+drag selects a box.'));
  return element('header', {}, ...parts);
}

/** Tracks of the box's rows; DMA engines stand for all queues. null: all. */
function tracksOf(view: View): ReadonlySet<number> | null {
  const { box } = view.state;
  if (!box) return null;
  const rows = view.layout.rows.filter(row => row.profile === OWN && box.rows.includes(row.name));
  const queues = view.model!.profile.tracks.flatMap((track, i) => (track.kind === 'queue' ? [i] : []));
  return new Set(rows.flatMap(row => (row.kind === 'dma' ? queues : [row.track])));
}
