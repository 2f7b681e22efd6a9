/** The comparison of two runs as a page: a row per line, worst and best first, each with a link to its source. No script. Pure. */
import {
  bytesText,
  type Comparison,
  comparisonTotal,
  deltaText,
  type Line,
  type LineChange,
  placeOf,
  timeText,
} from '../../simulator/index';

export interface ReportParts {
  comparison: Comparison;
  kernel: string;
  names: { before: string; after: string };
  /** Address that opens a line of the run after (of a line that is gone: of the run before). */
  link: (file: string, line: number) => string;
  /** For the page's only style. */
  nonce: string;
}

export function reportHtml({ comparison, kernel, names, link, nonce }: ReportParts): string {
  const changed = comparison.lines.filter(change => change.verdict !== 'same' || worksOtherwise(change));
  const same = comparison.lines.length - changed.length;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'">
<title>${escaped(kernel)}: before and after</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<h1>${escaped(kernel)}: before and after</h1>
<p class="total">${escaped(comparisonTotal(comparison))}</p>
<p>Before: ${escaped(names.before)}. After: ${escaped(names.after)}. Both are simulated.</p>
${changed.length === 0 ? '<p>No line takes another time.</p>' : table(changed, link)}
${changed.length === 0 ? '' : elsewhere(comparison)}
${same > 0 ? `<p>${same} ${same === 1 ? 'line is' : 'lines are'} as before.</p>` : ''}
</body>
</html>`;
}

/** The start of the kernel and its end belong to no line. */
function elsewhere({ aTotalNs, bTotalNs, lines }: Comparison): string {
  const restNs = bTotalNs - aTotalNs - lines.reduce((sum, { deltaNs }) => sum + deltaNs, 0);
  const rest = Math.abs(restNs) < 0.1 ? '' : `Outside of the lines: ${restNs > 0 ? '+' : '−'}${timeText(Math.abs(restNs))}. `;
  return `<p>${rest}Waits are summed over a line’s instructions and DMAs, which overlap.</p>`;
}

const COLUMNS = ['Line', 'Change', 'Time'];

const table = (changes: LineChange[], link: ReportParts['link']) => `<table>
<thead><tr>${COLUMNS.map(name => `<th scope="col">${name}</th>`).join('')}</tr></thead>
${changes.map(change => rows(change, link)).join('\n')}
</table>`;

/** Its times, and under them its text and what it did: a page beside the code is narrow. */
function rows(change: LineChange, link: ReportParts['link']): string {
  const { a, b, verdict } = change;
  const { file, line, text } = (b ?? a)!;
  const work = [`waits ${both(a, b, waitsOf)}`, `DMA ${both(a, b, bytesOf)}`, `instructions ${both(a, b, countOf)}`];
  return `<tbody class="${verdict}">
<tr><th scope="row"><a href="${escaped(link(file, line))}">${escaped(placeOf(change))}</a></th>
<td class="change">${SIGNS[verdict]}${escaped(deltaText(change))} <span>${verdict}</span></td><td>${both(a, b, timeOf)}</td></tr>
<tr class="work"><td colspan="${COLUMNS.length}"><code>${escaped(text)}</code><br>${work.join(' · ')}</td></tr>
</tbody>`;
}

/** So that no one needs the colour. */
const SIGNS = { better: '▼ ', worse: '▲ ', same: '', new: '', gone: '' } as const;

const timeOf = (line: Line) => timeText(line.timeNs);
const waitsOf = (line: Line) => timeText(Object.values(line.stalls).reduce((sum, ns) => sum + ns, 0));
const bytesOf = (line: Line) => bytesText(line.dmaBytes);
const countOf = (line: Line) => String(line.instructions);

/** `2.74 µs → 1.77 µs`; once where nothing changed. */
function both(a: Line | undefined, b: Line | undefined, text: (line: Line) => string): string {
  const [before, after] = [a ? text(a) : '–', b ? text(b) : '–'].map(escaped);
  return before === after ? before : `${before} → ${after}`;
}

/** In the same time. */
const worksOtherwise = ({ a, b }: LineChange) =>
  a !== undefined && b !== undefined && (a.instructions !== b.instructions || a.dmaBytes !== b.dmaBytes);

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, character => ENTITIES[character]);

const STYLE = `
body { padding: 0 20px 20px; font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); color: var(--vscode-foreground); }
h1 { font-size: 1.5em; font-weight: 600; margin: 0.8em 0 0.4em; }
.total { font-size: 1.15em; font-weight: 600; }
table { border-collapse: collapse; width: 100%; max-width: 60em; font-variant-numeric: tabular-nums; }
th, td { text-align: right; font-weight: normal; padding: 5px 0 0 14px; vertical-align: baseline; }
th:first-child, .work td { text-align: left; padding-left: 0; }
thead th { color: var(--vscode-descriptionForeground); padding-bottom: 3px; }
.work td { padding: 2px 0 7px; color: var(--vscode-descriptionForeground); }
thead th, .work td { border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent)); }
code { padding: 0; background: none; font-family: var(--vscode-editor-font-family); color: var(--vscode-foreground); overflow-wrap: anywhere; }
@media (max-width: 360px) {
  thead { display: none; }
  tr, th, td { display: block; text-align: left; padding-left: 0; }
}
a { color: var(--vscode-textLink-foreground); }
.change span { color: var(--vscode-descriptionForeground); }
.better .change { color: var(--vscode-textLink-foreground); }
.worse .change { color: var(--vscode-nkiScope-hotLineRuler); }
.gone code { text-decoration: line-through; }
`;
