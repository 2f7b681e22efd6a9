/** The timeline as a table, for eyes and ears that the canvas does not serve: every event of the visible time, in order of start. */

import { eventValue } from '../../simulator/analyze/eventAccess';
import { describeEvent } from '../../simulator/analyze/events';
import { timeText } from '../../simulator/analyze/format';
import { visibleRows } from '../../simulator/profile/windowMarks';
import { panLeft, panRight } from '../actions/navigation';
import { select } from '../actions/selection';
import { describeShort, title } from '../data/describe';
import type { Model } from '../data/model';
import { OWN } from '../data/stack';
import { element } from '../dom/element';
import type { TimeSpan } from '../math/timeSpan';
import { instantText, plural } from '../math/units';
import { inOneFile, link, place } from '../panels/links';
import { mergeByStart } from '../search/merge';
import type { View } from '../view/view';
import type { Tab } from './tab';
import { table, unsorted } from './table';

const MOST = 100;

export function eventsTab(): Tab {
  const sorting = unsorted();
  return {
    id: 'events',
    title: 'Events',
    about: 'The visible events as a table',
    slow: true,
    content(view) {
      const model = view.model!;
      const { span, eventPage } = view.state;
      const ids = eventsIn(model, span, rowTracks(view));
      const pages = Math.max(1, Math.ceil(ids.length / MOST));
      // another time begins with its first page
      const page = span === eventPage.of ? Math.min(eventPage.page, pages - 1) : 0;
      const turn = (by: number) => () => {
        const next = Math.max(0, Math.min(pages - 1, page + by));
        view.store.update({ eventPage: { of: span, page: next } });
        view.announce(`Page ${next + 1} of ${pages}`);
      };
      const range = `${instantText(span.startNs)} to ${instantText(span.endNs)}: ${plural(ids.length, 'event')}${pages > 1 ? `, page ${page + 1} of ${pages}` : ''}`;
      const head = element(
        'header',
        {},
        element('span', { role: 'status' }, range),
        link('Earlier', 'Moves the visible time (A)', () => panLeft(view)),
        link('Later', 'Moves the visible time (D)', () => panRight(view)),
        ...(pages > 1 ? [link('Previous page', 'Of this table', turn(-1)), link('Next page', 'Of this table', turn(1))] : []),
      );
      return [head, rows(view, ids.subarray(page * MOST, (page + 1) * MOST), sorting)];
    },
  };
}

const rowTracks = (view: View) => new Set(view.layout.rows.filter(row => row.profile === OWN && row.track >= 0).map(row => row.track));

function eventsIn({ tracks, profile }: Model, { startNs, endNs }: TimeSpan, wanted: ReadonlySet<number>): Uint32Array {
  const lists = tracks
    .filter(({ track }) => wanted.has(track))
    .flatMap(({ lanes }) => lanes.map(lane => lane.ids(...visibleRows(lane, startNs, endNs))));
  return mergeByStart(lists, id => eventValue(profile, id, 'startNs'));
}

function rows(view: View, ids: Uint32Array, sorting: ReturnType<typeof unsorted>): HTMLElement {
  const model = view.model!;
  const short = inOneFile(view);
  return table({
    label: 'Events in the visible time',
    sorting,
    rows: Array.from(ids, id => describeEvent(model.profile, id)),
    most: MOST,
    current: d => d.event === view.state.selected,
    onPress(d) {
      select(view, d.event);
      view.announce(describeShort(model, d.event));
    },
    columns: [
      { title: 'Track', text: d => d.track, words: true, wholePx: 60 },
      { title: 'Event', text: title, words: true, code: true, wholePx: 80 },
      { title: 'Line', text: d => place(view, d.position, short), value: d => d.position.line, words: true },
      { title: 'Start', text: d => instantText(d.startNs), value: d => d.startNs },
      { title: 'Duration', text: d => timeText(d.durationNs), value: d => d.durationNs },
      { title: 'Waited', text: d => (d.waitNs > 0 ? timeText(d.waitNs) : ''), value: d => d.waitNs },
      { title: 'For', text: d => d.stallText.replace(/^waited \S+ \S+ /, ''), words: true, wholePx: 80 },
      { title: 'Iteration', text: d => d.iteration, words: true, code: true, wholePx: 84, spare: true },
    ],
  });
}
