/** A table that sorts itself: columns as data, a share bar where a column has one, a row that can be pressed. */

import { element } from '../dom/element';
import { countText } from '../math/units';

export interface TableColumn<R> {
  title: string;
  about?: string;
  /** Shown; a node for links. */
  text(row: R): string | Node;
  /** Sorted by; a column without is sorted by its text. */
  value?(row: R): number;
  /** 0..1: a bar behind the text. */
  share?(row: R): number;
  /** Words, not numbers: aligned to the left, sorted upwards first. */
  words?: boolean;
  code?: boolean;
  /** Wrapped where it is long, never cut: statements, messages. The width in pixels that it keeps at least. */
  wholePx?: number;
  /** The first to be left out where the page is narrow. */
  spare?: boolean;
}

/** Which column a table is sorted by; kept by the tab between fillings. null: as given. */
export interface Sorting {
  column: number | null;
  descending: boolean;
}

export const unsorted = (): Sorting => ({ column: null, descending: true });

export interface TableOptions<R> {
  label: string;
  columns: readonly TableColumn<R>[];
  rows: readonly R[];
  sorting: Sorting;
  /** Rows beyond these are counted, not shown. */
  most?: number;
  onPress?(row: R): void;
  /** Marks a row as the current one. */
  current?(row: R): boolean;
}

const MOST = 200;

export function table<R>(options: TableOptions<R>): HTMLElement {
  const { label, columns, rows, sorting, most = MOST } = options;
  const head = element('tr');
  const body = element('tbody');
  const fill = () => {
    head.replaceChildren(...columns.map((column, index) => headCell(column, index, sorting, fill)));
    body.replaceChildren(
      ...sorted(rows, columns, sorting)
        .slice(0, most)
        .map(row => rowElement(row, options)),
    );
  };
  fill();
  const made = element('table.table', { 'aria-label': label }, element('thead', {}, head), body);
  const hidden = rows.length - most;
  return hidden > 0 ? element('div', {}, made, element('p.hint', {}, `and ${countText(hidden)} more`)) : made;
}

function headCell<R>(column: TableColumn<R>, index: number, sorting: Sorting, fill: () => void): HTMLElement {
  const on = sorting.column === index;
  const sort = element('button.sort', { type: 'button', title: column.about ?? `Sort by ${column.title}` }, column.title);
  const direction = sorting.descending ? 'descending' : 'ascending';
  sort.addEventListener('click', () => {
    sorting.descending = on ? !sorting.descending : !column.words;
    sorting.column = index;
    fill();
  });
  const made = element(column.words ? 'th' : 'th.number', { scope: 'col', 'aria-sort': on ? direction : 'none' }, sort);
  made.classList.toggle('spare', column.spare === true);
  return made;
}

function sorted<R>(rows: readonly R[], columns: readonly TableColumn<R>[], { column, descending }: Sorting): readonly R[] {
  const by = column === null ? undefined : columns[column];
  if (!by) return rows;
  const text = (row: R) => {
    const shown = by.text(row);
    return typeof shown === 'string' ? shown : (shown.textContent ?? '');
  };
  const compare = by.value ? (a: R, b: R) => by.value!(a) - by.value!(b) : (a: R, b: R) => text(a).localeCompare(text(b));
  return [...rows].sort(descending ? (a, b) => compare(b, a) : compare);
}

const CONTROLS = 'button, input';

function rowElement<R>(row: R, { columns, onPress, current }: TableOptions<R>): HTMLElement {
  const made = element('tr', onPress ? { tabindex: 0, 'aria-current': current?.(row) ? 'true' : null } : {});
  made.append(...columns.map(column => cell(row, column)));
  if (!onPress) return made;
  // one stop of Tab for each row
  for (const control of made.querySelectorAll<HTMLElement>(CONTROLS)) control.tabIndex = -1;
  made.classList.add('pressable');
  made.addEventListener('click', event => {
    if (!(event.target as HTMLElement).closest(CONTROLS)) onPress(row);
  });
  made.addEventListener('keydown', event => {
    if (event.target === made && /^(Enter| )$/.test(event.key)) {
      event.preventDefault();
      event.stopPropagation();
      onPress(row);
    } else moveFocus(event, made);
  });
  return made;
}

function cell<R>(row: R, column: TableColumn<R>): HTMLElement {
  const text = column.text(row);
  const shown =
    column.wholePx !== undefined && typeof text === 'string' ? breakable(text, column.code ? CODE_BREAKS : NAME_BREAKS) : [text];
  const made = element(column.words ? (column.code ? 'td.code' : 'td') : 'td.number', {}, ...shown);
  made.classList.toggle('spare', column.spare === true);
  if (column.wholePx !== undefined) {
    made.classList.add('whole');
    made.style.minWidth = `${column.wholePx}px`;
  }
  if (column.share) {
    made.classList.add('bar');
    made.style.setProperty('--share', String(Math.max(0, Math.min(1, column.share(row)))));
  }
  return made;
}

/** Code goes on in a new line behind what ends a name, words within a long name, and not only behind a blank. */
const CODE_BREAKS = /(?<=[.,([{=])(?=\S)/;
const NAME_BREAKS = /(?<=_)(?=\S)/;

const breakable = (text: string, breaks: RegExp): (string | Node)[] =>
  text.split(breaks).flatMap((part, at) => (at === 0 ? [part] : [element('wbr'), part]));

/** Up and down between rows, right to what can be pressed in one and left again: a list is walked with the arrow keys. */
function moveFocus(event: KeyboardEvent, row: HTMLElement) {
  const stops = [row, ...row.querySelectorAll<HTMLElement>(CONTROLS)];
  const at = stops.indexOf(event.target as HTMLElement);
  const isText = event.target instanceof HTMLInputElement && event.target.type === 'text';
  const beside = isText ? {} : { ArrowRight: stops[at + 1], ArrowLeft: stops[at - 1] };
  const places: Record<string, Element | null | undefined> = {
    ArrowDown: row.nextElementSibling,
    ArrowUp: row.previousElementSibling,
    ...beside,
  };
  const next = places[event.key];
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}
