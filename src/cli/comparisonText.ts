/** A comparison as a table for the terminal, as Markdown, and as the contract's JSON. */
import path from 'node:path';
import { type Comparison, type LineChange, percentText, timeText } from '../simulator/index';
import { lineJson } from './lines';
import { fit } from './linesTable';

const SOURCE_COLUMNS = 52;

export interface Names {
  a: string;
  b: string;
}

export function comparisonText(comparison: Comparison, names: Names, all: boolean): string {
  const rows = shown(comparison, all).map(change => {
    const [before, after] = [change.a, change.b].map(line => (line ? timeText(line.timeNs) : '-'));
    const source = `${placeOf(change)}  ${(change.b ?? change.a)!.text}`;
    return `${deltaText(change).padStart(10)} ${before.padStart(9)} ${after.padStart(9)}  ${change.verdict.padEnd(6)} ${fit(source, SOURCE_COLUMNS)}`.trimEnd();
  });
  const head = `${'change'.padStart(10)} ${'before'.padStart(9)} ${'after'.padStart(9)}  ${''.padEnd(6)} line`;
  return [totalText(comparison), '', ...(rows.length > 0 ? [head, ...rows] : ['No line takes another time.']), legend(names)].join('\n');
}

export function comparisonMarkdown(comparison: Comparison, names: Names, all: boolean): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('`', "'");
  const rows = shown(comparison, all).map(change => {
    const [before, after] = [change.a, change.b].map(line => (line ? timeText(line.timeNs) : ''));
    return `| ${deltaText(change)} | ${before} | ${after} | ${change.verdict} | ${cell(placeOf(change))} | \`${cell((change.b ?? change.a)!.text)}\` |`;
  });
  const table = ['| change | before | after | | line | source |', '| --: | --: | --: | :-- | :-- | :-- |', ...rows];
  return [`**${totalText(comparison)}**`, '', ...(rows.length > 0 ? table : ['No line takes another time.']), '', legend(names)].join('\n');
}

/** Keys as the contract has them. */
export function comparisonJson({ aTotalNs, bTotalNs, deltaShare, lines }: Comparison): Record<string, unknown> {
  return {
    total: { a_ns: aTotalNs, b_ns: bTotalNs, delta_percent: deltaShare * 100 },
    lines: lines.map(({ a, b, deltaNs, verdict }) => ({
      verdict,
      delta_ns: deltaNs,
      a: a ? lineJson(a) : null,
      b: b ? lineJson(b) : null,
    })),
  };
}

const shown = ({ lines }: Comparison, all: boolean) => (all ? lines : lines.filter(change => change.verdict !== 'same'));

function totalText({ aTotalNs, bTotalNs, deltaShare }: Comparison): string {
  const times = `${timeText(aTotalNs)} before, ${timeText(bTotalNs)} after`;
  if (Math.abs(deltaShare) < 5e-5) return `${times}: the same`;
  return `${times}: ${percentText(Math.abs(deltaShare))} ${deltaShare < 0 ? 'faster' : 'slower'}`;
}

function deltaText({ deltaNs }: LineChange): string {
  if (Math.abs(deltaNs) < 0.1) return '0';
  return `${deltaNs > 0 ? '+' : '−'}${timeText(Math.abs(deltaNs))}`;
}

/** `kernel.py:12`, or `kernel.py:12→14` for a line that moved. */
function placeOf({ a, b }: LineChange): string {
  const line = a && b && a.line !== b.line ? `${a.line}→${b.line}` : `${(b ?? a)!.line}`;
  return `${path.basename((b ?? a)!.file)}:${line}`;
}

const legend = ({ a, b }: Names) => `before: ${path.basename(a)}, after: ${path.basename(b)}`;
