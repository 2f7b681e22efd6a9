/** What a search found: summary of the matches in view, the matches themselves, and the query language in place. */
import { eventValue } from '../../simulator/analyze/eventAccess';
import { timeText } from '../../simulator/analyze/format';
import { rangeStatistics } from '../../simulator/analyze/rangeStatistics';
import { search } from '../actions/searching';
import { goTo } from '../actions/selection';
import { eventLabel, eventPosition } from '../data/model';
import { element } from '../dom/element';
import { countText, instantText, plural } from '../math/units';
import { link, place } from '../panels/links';
import { FIELDS } from '../search/fieldNames';
import type { View } from '../view/view';
import { opcodeTable, section, statisticsFigures, statisticsSortings, trackTable } from './statistics';
import type { Tab } from './tab';
import { table, unsorted } from './table';

export function searchTab(): Tab {
  const sortings = { ...statisticsSortings(), matches: unsorted() };
  return {
    id: 'search',
    title: 'Search',
    about: 'What was found, and the query syntax',
    count: view => view.state.found?.ids.length ?? null,
    slow: true,
    content(view) {
      const { found, searchError, span, searchText } = view.state;
      const problem = searchError === '' ? null : element('p.problem', { role: 'alert' }, searchError);
      if (!found) return [...(problem ? [problem] : []), queryHelp(view)];
      const inSet = new Set(found.ids);
      const { profile, tracks } = view.model!;
      const statistics = rangeStatistics(profile, tracks, { ...span, tracks: null, accepts: id => inSet.has(id) });
      return [
        element(
          'header',
          {},
          element('h2', {}, searchText),
          element('span.where', {}, `${plural(found.ids.length, 'result')}, ${countText(statistics.events)} in view`),
        ),
        statisticsFigures(statistics),
        element(
          'div.blocks',
          {},
          trackTable(statistics, sortings.tracks),
          opcodeTable(statistics, sortings.opcodes),
          matches(view, found.ids, sortings.matches),
        ),
        queryHelp(view),
      ];
    },
  };
}

function matches(view: View, ids: Uint32Array, sorting: ReturnType<typeof unsorted>): HTMLElement {
  const { foundAt } = view.state;
  const model = view.model!;
  const { profile } = model;
  const made = table<number>({
    label: 'Matches',
    sorting,
    rows: [...ids.subarray(Math.max(0, foundAt - 20), Math.max(0, foundAt - 20) + 200)],
    columns: [
      { title: 'Event', text: id => eventLabel(model, id), words: true, code: true },
      { title: 'Track', text: id => profile.tracks[eventValue(profile, id, 'track')].name, words: true },
      { title: 'Start', text: id => instantText(eventValue(profile, id, 'startNs')), value: id => eventValue(profile, id, 'startNs') },
      {
        title: 'Duration',
        text: id => timeText(eventValue(profile, id, 'endNs') - eventValue(profile, id, 'startNs')),
        value: id => eventValue(profile, id, 'endNs') - eventValue(profile, id, 'startNs'),
      },
      { title: 'Line', text: id => place(view, eventPosition(model, id)), words: true },
    ],
    onPress(id) {
      view.store.update({ foundAt: ids.indexOf(id) });
      goTo(view, id);
    },
    current: id => ids[foundAt] === id,
  });
  return section('Matches', made);
}

function queryHelp(view: View): HTMLElement {
  const rows = FIELDS.map(({ names, about, example }) =>
    element(
      'div.helpRow',
      {},
      element('code', {}, names.join(', ')),
      element('span', {}, about),
      link(example, 'Searches for this', () => search(view, example)),
    ),
  );
  const rule =
    'A text finds whatever contains it; /text/ is a regular expression. field:text looks in one field, field>number compares (ns, us, ms, KiB, MiB). Join terms with AND, turn one around with NOT.';
  return element('section.block.queryHelp', {}, element('h3', {}, 'Query syntax'), element('p.hint', {}, rule), ...rows);
}
