/**
 * Runs beside one another as a page: a row per line, worst and best first, each with a link to its source, and a column per run. The
 * first run is what the others are compared with. No script. Pure.
 */
import {
  besideOneAnother,
  bytesText,
  type Comparison,
  changeOf,
  compare,
  comparisonTotal,
  deltaText,
  type Line,
  type LineChange,
  type LineTimes,
  numbered,
  type Profile,
  placeOf,
  shownLine,
  textBefore,
  timeText,
  unpairedText,
} from '../../simulator/index';
import { escapeHtml, htmlHead, policyText } from '../../webview/protocol/html';

export interface ComparisonParts {
  kernel: string;
  /** Two or more. */
  profiles: readonly { title: string; profile: Profile }[];
  /** Address that opens a line. */
  link: (file: string, line: number) => string;
  /** For the page's only style. */
  nonce: string;
}

export function reportHtml({ kernel, profiles: given, link, nonce }: ComparisonParts): string {
  const titles = numbered(given.map(({ title }) => title));
  const profiles = given.map(({ profile }, i) => ({ title: titles[i], profile }));
  const [base, ...others] = profiles;
  const comparisons = others.map(({ profile }) => compare(base.profile, profile));
  const rows = besideOneAnother(comparisons);
  const changed = rows.filter(isOtherwise);
  const same = rows.length - changed.length;
  const title = `${kernel}: compared`;
  const policy = policyText([`style-src 'nonce-${nonce}'`]);
  return `${htmlHead({ title, policy, elements: [`<style nonce="${nonce}">${STYLE}</style>`] })}
<body>
<h1>${escapeHtml(title)}</h1>
<p>Before: ${named(base)}.</p>
${[...others.map((other, i) => total(other, comparisons[i])), ...alone(profiles, comparisons)].join('\n')}
${changed.length === 0 ? '<p>No line takes another time.</p>' : table(changed, profiles, link)}
${changed.length === 0 ? '' : elsewhere(others, comparisons)}
${same > 0 ? `<p>${same} ${same === 1 ? 'line is' : 'lines are'} as before.</p>` : ''}
</body>
</html>`;
}

type Named = ComparisonParts['profiles'][number];

const named = ({ title, profile }: Named) => `<b>${escapeHtml(title)}</b> (${profile.simulated ? 'modelled' : 'measured'})`;
const total = (other: Named, comparison: Comparison) => `<p class="total">${named(other)}: ${escapeHtml(comparisonTotal(comparison))}</p>`;

/** The start of the kernel and its end belong to no line. */
function elsewhere(others: readonly Named[], comparisons: readonly Comparison[]): string {
  const rests = comparisons.map(({ aTotalNs, bTotalNs, lines }, i) => {
    const restNs = bTotalNs - aTotalNs - lines.reduce((sum, { deltaNs }) => sum + deltaNs, 0);
    if (Math.abs(restNs) < 0.1) return '';
    return `${escapeHtml(others[i].title)}, outside of the lines: ${restNs > 0 ? '+' : '−'}${timeText(Math.abs(restNs))}. `;
  });
  return `<p>${rests.join('')}Waits are summed over a line’s instructions and DMAs, which overlap.</p>`;
}

/** Of each with the first. */
function alone([base, ...others]: readonly Named[], comparisons: readonly Comparison[]): string[] {
  const said = comparisons.flatMap((comparison, i) => unpairedText(comparison, { before: base.title, after: others[i].title }));
  return said.map(sentence => `<p>${escapeHtml(sentence)}</p>`);
}

const headCell = (text: string) => `<th scope="col">${escapeHtml(text)}</th>`;

const table = (
  rows: LineTimes[],
  [base, ...others]: ComparisonParts['profiles'],
  link: ComparisonParts['link'],
) => `<div class="wide"><table>
<thead><tr>${['Line', base.title, ...others.map(({ title }) => title)].map(headCell).join('')}</tr></thead>
${rows.map(row => lineRows(row, link)).join('\n')}
</table></div>`;

/** Its times, and under them its text and what it did: a page beside the code is narrow. */
function lineRows(row: LineTimes, link: ComparisonParts['link']): string {
  const [base, ...others] = row.lines;
  const { file, line, text } = others.findLast(other => other !== undefined) ?? shownLine(row);
  const changes = others.map(other => (base || other ? changeOf(base, other) : null));
  const place = changes.findLast(change => change?.b) ?? changes[0]!;
  const work = [`waits ${all(row, waitsOf)}`, `DMA ${all(row, bytesOf)}`, `instructions ${all(row, countOf)}`];
  return `<tbody>
<tr><th scope="row"><a href="${escapeHtml(link(file, line))}">${escapeHtml(placeOf(place))}</a></th>
<td>${base ? timeOf(base) : '–'}</td>${changes.map(changeCell).join('')}</tr>
<tr class="work"><td colspan="${row.lines.length + 1}">${was(changes)}<code>${escapeHtml(text)}</code><br>${work.join(' · ')}</td></tr>
</tbody>`;
}

/** What the line said in the first run, where another says something else. */
function was(changes: readonly (LineChange | null)[]): string {
  const old = changes.map(change => change && textBefore(change)).find(text => typeof text === 'string');
  return old ? `<code>${escapeHtml(old)}</code> →<br>` : '';
}

function changeCell(change: LineChange | null): string {
  if (!change) return '<td>–</td>';
  const { b, verdict } = change;
  const told = verdict === 'same' ? '' : `<br><small>${SIGNS[verdict]}${escapeHtml(deltaText(change))} <span>${verdict}</span></small>`;
  return `<td class="${verdict}">${b ? timeOf(b) : '–'}${told}</td>`;
}

/** So that no one needs the colour. */
const SIGNS = { better: '▼ ', worse: '▲ ', same: '', new: '', gone: '' } as const;

const timeOf = (line: Line) => timeText(line.timeNs);
const waitsOf = (line: Line) => timeText(Object.values(line.stalls).reduce((sum, ns) => sum + ns, 0));
const bytesOf = (line: Line) => bytesText(line.dmaBytes);
const countOf = (line: Line) => String(line.instructions);

/** `300 ns → 100 ns → 120 ns`; once where nothing changed. */
function all({ lines }: LineTimes, text: (line: Line) => string): string {
  const texts = lines.map(line => escapeHtml(line ? text(line) : '–'));
  return texts.every(other => other === texts[0]) ? texts[0] : texts.join(' → ');
}

/** In another time, or in the same time with other work. */
function isOtherwise({ lines: [base, ...others] }: LineTimes): boolean {
  return others.some(other => {
    if (!base || !other) return base !== other;
    return changeOf(base, other).verdict !== 'same' || base.instructions !== other.instructions || base.dmaBytes !== other.dmaBytes;
  });
}

const STYLE = `
body { padding: 0 20px 20px; font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); color: var(--vscode-foreground); }
h1 { font-size: 1.5em; font-weight: 600; margin: 0.8em 0 0.4em; }
.total { font-size: 1.1em; margin: 0.3em 0; }
.wide { overflow-x: auto; }
thead th { max-width: 16em; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; max-width: 60em; font-variant-numeric: tabular-nums; }
th, td { text-align: right; font-weight: normal; padding: 5px 0 0 14px; vertical-align: baseline; }
th:first-child, .work td { text-align: left; padding-left: 0; }
thead th { color: var(--vscode-descriptionForeground); padding-bottom: 3px; }
.work td { padding: 2px 0 7px; color: var(--vscode-descriptionForeground); }
thead th, .work td { border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent)); }
code { padding: 0; background: none; font-family: var(--vscode-editor-font-family); color: var(--vscode-foreground); overflow-wrap: anywhere; }
@media (max-width: 360px) {
  th, td { padding-left: 8px; }
}
a { color: var(--vscode-textLink-foreground); }
small span { color: var(--vscode-descriptionForeground); }
.better small { color: var(--vscode-textLink-foreground); }
.worse small { color: var(--vscode-nkiScope-hotLineRuler); }
`;
