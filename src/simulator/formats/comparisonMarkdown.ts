/** A comparison of two runs as Markdown: for a pull request's comment, and for the editor's report. */
import type { Comparison, LineChange } from '../analyze/compare/compare';
import { percentText, timeText } from '../analyze/format';

export interface ComparisonNames {
  before: string;
  after: string;
}

/** @param link target of a line's place; without one it is plain text */
export function comparisonMarkdown(
  comparison: Comparison,
  names: ComparisonNames,
  { all = false, link }: { all?: boolean; link?: (file: string, line: number) => string } = {},
): string {
  const rows = shownChanges(comparison, all).map(change => markdownRow(change, link));
  const table = ['| change | before | after | | line | source |', '| --: | --: | --: | :-- | :-- | :-- |', ...rows];
  return [
    `**${comparisonTotal(comparison)}**`,
    '',
    ...(rows.length > 0 ? table : [NO_CHANGE]),
    '',
    `before: ${cell(names.before)}, after: ${cell(names.after)}`,
  ].join('\n');
}

export const NO_CHANGE = 'No line takes another time.';

export const shownChanges = ({ lines }: Comparison, all: boolean) => (all ? lines : lines.filter(change => change.verdict !== 'same'));

/** `48.3 µs before, 45.2 µs after: 6.4 % faster` */
export function comparisonTotal({ aTotalNs, bTotalNs, deltaShare }: Comparison): string {
  const times = `${timeText(aTotalNs)} before, ${timeText(bTotalNs)} after`;
  if (Math.abs(deltaShare) < 5e-5) return `${times}: the same`;
  return `${times}: ${percentText(Math.abs(deltaShare))} ${deltaShare < 0 ? 'faster' : 'slower'}`;
}

export function deltaText({ deltaNs, verdict }: LineChange): string {
  if (verdict === 'same') return '0';
  return `${deltaNs > 0 ? '+' : '−'}${timeText(Math.abs(deltaNs))}`;
}

/** `kernel.py:12`, or `kernel.py:12→14` for a line that moved. */
export function placeOf({ a, b }: LineChange): string {
  const { file, line } = (b ?? a)!;
  const moved = a && b && a.line !== b.line;
  return `${file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)}:${moved ? `${a.line}→${line}` : line}`;
}

function markdownRow(change: LineChange, link?: (file: string, line: number) => string): string {
  const { file, line, text } = (change.b ?? change.a)!;
  const [before, after] = [change.a, change.b].map(side => (side ? timeText(side.timeNs) : ''));
  const place = cell(placeOf(change));
  const source = cell(text);
  return `| ${deltaText(change)} | ${before} | ${after} | ${change.verdict} | ${link ? `[${place}](${link(file, line)})` : place} | \`${source}\` |`;
}

/** Source text must not end its cell or its code span. */
const cell = (text: string) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('`', "'")
    .replace(/\p{Cc}/gu, ' ');
