/**
 * Source lines as a table of at most 100 columns: share bar, time on the critical path, busy time (of the row that the line kept
 * busy longest: a line hidden behind something longer has no other), line, source text, and what it waited for most. A long statement goes on
 * in the rows below.
 */
import path from 'node:path';
import { busyNs, type Line, percentText, type StallReason, stallShort, timeText } from '../simulator/index';

const BAR_CELLS = 10;
/** Place and text together; how they share it depends on whether the file must be named on each row. */
const SOURCE_COLUMNS = 50;
const PLACE_COLUMNS = 14;
const STALL_COLUMNS = 13;
/** Of a statement: what a person writes has fewer. */
const MOST_ROWS = 40;
/** Eighths of a cell. */
const BLOCKS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

export function linesTable(lines: readonly Line[], heading = false): string {
  if (lines.length === 0) return '(no line has any time)';
  const oneFile = new Set(lines.map(line => line.file)).size === 1;
  const places = lines.map(line => (hasSource(line) ? (oneFile ? String(line.line) : place(line)) : '(no source)'));
  const placeColumns = Math.max('line'.length, ...places.map(text => text.length));
  const row = (shareBar: string, share: string, time: string, busy: string, where: string, text: string, stall: string) => {
    const cells = [shareBar.padEnd(BAR_CELLS), share.padStart(6), time.padStart(8), busy.padStart(8), where.padStart(placeColumns)];
    const left = cells.join(' ');
    const textColumns = SOURCE_COLUMNS - 1 - placeColumns;
    const [first, ...rest] = wrapped(printable(text), textColumns);
    const below = rest.map(part => `${' '.repeat(left.length)} ${part}`);
    return [`${left} ${first.padEnd(textColumns)} ${fit(stall, STALL_COLUMNS)}`, ...below].map(part => part.trimEnd()).join('\n');
  };
  const rows = lines.map((line, i) =>
    row(bar(line.share), percentText(line.share), timeText(line.timeNs), timeText(busyNs(line)), places[i], line.text, mainStall(line)),
  );
  const head = [...(oneFile && heading ? [lines[0].file] : []), row('', 'share', 'time', 'busy', 'line', 'source', 'waits for')];
  return [...(heading ? head : []), ...rows].join('\n');
}

export function bar(share: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * BAR_CELLS * 8);
  return '█'.repeat(eighths >> 3) + BLOCKS[eighths & 7];
}

/** A capture does not say the line of all of its events. */
const hasSource = ({ line }: Line) => line > 0;

/** `kernel.py:12`; a long file name is cut, the line never. */
function place({ file, line }: Line): string {
  const number = `:${line}`;
  return fit(path.basename(file), Math.min(path.basename(file).length, PLACE_COLUMNS - number.length)) + number;
}

function mainStall({ stalls }: Line): string {
  const [reason] = Object.entries(stalls).reduce((a, b) => (b[1] > a[1] ? b : a), ['none', 0]);
  return stallShort(reason as StallReason);
}

/** Rows of at most so many columns, broken at spaces where a row has one in its second half. At least one row. */
function wrapped(text: string, columns: number): string[] {
  const rows: string[] = [];
  let rest = text;
  while (rest.length > columns && rows.length < MOST_ROWS - 1) {
    const space = rest.lastIndexOf(' ', columns);
    const end = space > columns / 2 ? space : columns;
    rows.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...rows, rest.length > columns ? fit(rest, columns) : rest];
}

/** Control characters of a source must not reach the terminal. */
const printable = (raw: string) => raw.replace(/\p{Cc}/gu, ' ');

/** Cut (with …) or padded to exactly this many columns. */
export function fit(raw: string, columns: number): string {
  const text = printable(raw);
  return text.length > columns ? `${text.slice(0, columns - 1)}…` : text.padEnd(columns);
}
