/** What a capture says of the compiled program: its tables, as the profiler wrote them. */
import type { RecordedTable } from '../../simulator/profile/profile';
import { element } from '../dom/element';
import { countText } from '../math/units';
import type { View } from '../view/view';
import type { Tab } from './tab';
import { type Sorting, type TableColumn, table, unsorted } from './table';

export function programTab(): Tab {
  const sorting = new Map<string, Sorting>();
  const tablesOf = (view: View) => view.model?.profile.recorded?.tables ?? [];
  const sortingOf = (name: string) => {
    const known = sorting.get(name) ?? unsorted();
    sorting.set(name, known);
    return known;
  };
  return {
    id: 'program',
    title: 'NEFF',
    about: 'The compiled program, as the profiler recorded it',
    isFor: view => tablesOf(view).length > 0,
    content: view =>
      tablesOf(view).flatMap(({ name, fields, rows, more }) => [
        element('h3', {}, name),
        table({ label: name, columns: columns(fields, rows), rows, sorting: sortingOf(name) }),
        ...(more > 0 ? [element('p.hint', {}, `${countText(more)} more rows are not kept.`)] : []),
      ]),
  };
}

/** Numbers sort as such. */
const columns = (fields: RecordedTable['fields'], rows: RecordedTable['rows']): TableColumn<string[]>[] =>
  fields.map((title, k) => {
    const isNumber = rows.every(row => row[k] === '' || Number.isFinite(Number(row[k])));
    return { title, text: row => row[k], ...(isNumber ? { value: row => Number(row[k]) } : { words: true, code: true }) };
  });
