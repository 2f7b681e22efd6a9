/** A comparison of two runs as Markdown, for a pull request's comment, and its words, which the editor's report uses too. */
import { type Comparison, type LineChange, unpaired } from '../analyze/compare/compare';
import { percentText, timeText } from '../analyze/format';
import type { Line } from '../analyze/lines';
import { baseName, nameText } from '../analyze/runNames';
import { TOO_SMALL } from '../analyze/tellsApart';

/** Headings of the two columns. */
export interface ComparisonNames {
  before: string;
  after: string;
}

export function comparisonMarkdown(comparison: Comparison, names: ComparisonNames, { all = false } = {}): string {
  const rows = shownChanges(comparison, all).map(markdownRow);
  const headings = `| change | ${cell(names.before)} | ${cell(names.after)} | | line | source |`;
  const table = [headings, '| --: | --: | --: | :-- | :-- | :-- |', ...rows];
  return [
    `**${comparisonTotal(comparison)}**`,
    '',
    ...unpairedText(comparison, names).flatMap(said => [cell(said), '']),
    ...(rows.length > 0 ? table : [NO_CHANGE]),
    '',
    ...whatIsCompared(comparison, names).map(said => `- ${cell(said)}`),
  ].join('\n');
}

/** What stands under each heading. */
export const whatIsCompared = ({ names: { a, b } }: Comparison, { before, after }: ComparisonNames) => [
  `${before}: ${nameText(a)}`,
  `${after}: ${nameText(b)}`,
];

/** A sentence for lines that stand alone; none where each has its counterpart. */
export function unpairedText(comparison: Comparison, { before, after }: ComparisonNames): string[] {
  const { a, b } = unpaired(comparison);
  const of = (count: number, own: string, other: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? 'line' : 'lines'} of ${own} ${count === 1 ? 'has' : 'have'} no counterpart in ${other}.`];
  const said = [...of(a, before, after), ...of(b, after, before)];
  return said.length === 0 ? [] : [said.join(' ')];
}

export const NO_CHANGE = 'No line takes another time.';

export const shownChanges = ({ lines }: Comparison, all: boolean) => (all ? lines : lines.filter(change => change.verdict !== 'same'));

/** `48.3 µs before, 45.2 µs after: 6.4 % faster` */
export function comparisonTotal({ aTotalNs, bTotalNs, deltaShare, isTooSmall }: Comparison): string {
  const times = `${timeText(aTotalNs)} before, ${timeText(bTotalNs)} after`;
  if (Math.abs(deltaShare) < 5e-5) return `${times}: the same`;
  const change = `${percentText(Math.abs(deltaShare))} ${deltaShare < 0 ? 'faster' : 'slower'}`;
  return `${times}: ${change}${isTooSmall ? `, ${TOO_SMALL}` : ''}`;
}

export function deltaText({ deltaNs, verdict }: LineChange): string {
  // a line may come or go without having taken time
  if (verdict === 'same' || Math.abs(deltaNs) < 0.1) return '0';
  return `${deltaNs > 0 ? '+' : '−'}${timeText(Math.abs(deltaNs))}`;
}

/** `kernel.py:12`, `kernel.py:12→14` for a line that moved, `old.py:12→new.py:14` for one of another file. */
export function placeOf({ a, b }: LineChange): string {
  if (!a || !b) return lineName((b ?? a)!);
  if (baseName(a.file) !== baseName(b.file)) return `${lineName(a)}→${lineName(b)}`;
  return a.line === b.line ? lineName(b) : `${lineName(a)}→${b.line}`;
}

const lineName = ({ file, line }: Line) => `${baseName(file)}:${line}`;

/** What the line said before, where it says something else now. */
export const textBefore = ({ a, b }: LineChange): string | undefined => (a && b && a.text !== b.text ? a.text : undefined);

function markdownRow(change: LineChange): string {
  const { text } = (change.b ?? change.a)!;
  const old = textBefore(change);
  const [before, after] = [change.a, change.b].map(side => (side ? timeText(side.timeNs) : ''));
  return `| ${deltaText(change)} | ${before} | ${after} | ${change.verdict} | ${cell(placeOf(change))} | ${old === undefined ? '' : `\`${cell(old)}\` → `}\`${cell(text)}\` |`;
}

/** Source text must not end its cell or its code span. */
const cell = (text: string) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('`', "'")
    .replace(/\p{Cc}/gu, ' ');
