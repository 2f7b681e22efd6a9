/** The numbers around the cursor: a page of a matrix as a table, walked with the arrow keys. */
import { element } from '../dom/element';
import type { Cursor } from './heatMap';
import { indexText, type ValueMatrix, valueAt, valueText } from './matrix';

export const PAGE_ROWS = 8;
const LEAST_COLUMNS = 4;
const MOST_COLUMNS = 16;
const COLUMN_PX = 84;

/** As many columns as there is room for. */
export const pageColumns = (widthPx: number) => Math.max(LEAST_COLUMNS, Math.min(MOST_COLUMNS, Math.floor(widthPx / COLUMN_PX)));

/** Where a key moves the cursor; null: nowhere. */
export function moved({ row, column }: Cursor, key: string, { rows, columns }: ValueMatrix, across: number): Cursor | null {
  const steps: Record<string, [rows: number, columns: number]> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    PageUp: [-PAGE_ROWS, 0],
    PageDown: [PAGE_ROWS, 0],
    Home: [0, -column],
    End: [0, columns - 1 - column],
    '[': [0, -across],
    ']': [0, across],
  };
  const step = steps[key];
  if (!step) return null;
  const within = (index: number, count: number) => Math.max(0, Math.min(count - 1, index));
  return { row: within(row + step[0], rows), column: within(column + step[1], columns) };
}

/** The page that the cursor is on. */
export function gridPage(
  matrix: ValueMatrix,
  dtype: string,
  cursor: Cursor,
  across: number,
  onPick: (cursor: Cursor) => void,
): HTMLElement {
  const top = Math.floor(cursor.row / PAGE_ROWS) * PAGE_ROWS;
  const left = Math.floor(cursor.column / across) * across;
  const rows = range(top, Math.min(matrix.rows, top + PAGE_ROWS));
  const columns = range(left, Math.min(matrix.columns, left + across));
  const head = element(
    'tr',
    {},
    element('th', {}, ''),
    ...columns.map(column => element('th.number', { scope: 'col' }, columnText(matrix, column))),
  );
  const body = rows.map(row => {
    const cells = columns.map(column => {
      const cell = element('td.number', {}, valueText(valueAt(matrix, row, column), dtype));
      if (row === cursor.row && column === cursor.column) cell.setAttribute('aria-current', 'true');
      cell.addEventListener('click', () => onPick({ row, column }));
      return cell;
    });
    return element('tr', {}, element('th.number', { scope: 'row' }, String(row)), ...cells);
  });
  return element('table.valueGrid', {}, element('thead', {}, head), element('tbody', {}, ...body));
}

/** Exact, with its index: `[3, 0, 17] = 0.3333333432674408`. */
export function cursorText(matrix: ValueMatrix, { row, column }: Cursor): string {
  const value = valueAt(matrix, row, column);
  return `${indexText(matrix, row, column)} = ${value === undefined ? 'not sent: beyond the first 8 388 608 elements' : value}`;
}

/** Of more than two dimensions, the index along all but the first. */
function columnText(matrix: ValueMatrix, column: number): string {
  if (matrix.shape.length <= 2) return String(column);
  return indexText(matrix, 0, column).replace(/^\[0, |\]$/g, '');
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
