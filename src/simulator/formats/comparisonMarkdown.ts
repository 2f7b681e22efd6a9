/** A comparison of two runs as Markdown, for a pull request's comment, and its words, which the editor's report uses too. */
import type { Comparison, LineChange } from '../analyze/compare/compare';
import { percentText, timeText } from '../analyze/format';

export interface ComparisonNames {
  before: string;
  after: string;
}

export function comparisonMarkdown(comparison: Comparison, names: ComparisonNames, { all = false } = {}): string {
  const rows = shownChanges(comparison, all).map(markdownRow);
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

function markdownRow(change: LineChange): string {
  const { text } = (change.b ?? change.a)!;
  const [before, after] = [change.a, change.b].map(side => (side ? timeText(side.timeNs) : ''));
  return `| ${deltaText(change)} | ${before} | ${after} | ${change.verdict} | ${cell(placeOf(change))} | \`${cell(text)}\` |`;
}

/** Source text must not end its cell or its code span. */
const cell = (text: string) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('`', "'")
    .replace(/\p{Cc}/gu, ' ');
