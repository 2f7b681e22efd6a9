/** The words beside a line: the end-of-line hint, and the hover as Markdown. Pure; where they are shown is decorations.ts. */
import {
  bytesText,
  type Line,
  type LineChange,
  modelledChangeText,
  numbersIn,
  percentText,
  type StallReason,
  stallShort,
  TOO_SMALL,
  timeText,
  type Warning,
} from '../../simulator/index';
import type { LinePart } from '../../webview/protocol/linePart';
import { markdownText } from '../plainText';
import type { LineGain } from './lineGain';

/** `45 % · 12.3 µs · DMA`, the shortest first: an editor may be narrow. With `▼ 3.1 µs` after the time when it took that much longer in the run before. */
export function hintText(line: Line, change?: LineChange): string {
  const main = mainEngine(line);
  const changed = changeText(change);
  const time = changed ? `${timeText(line.timeNs)} ${changed}` : timeText(line.timeNs);
  return [percentText(line.share), time, ...(main ? [main] : [])].join(' · ');
}

/** Arrow and amount, so that no one needs the colour; empty when nothing changed, or by less than the model can tell apart. */
export function changeText(change: LineChange | undefined): string {
  if (!change || change.verdict === 'same') return '';
  if (change.verdict === 'new') return 'new';
  return change.isTooSmall ? '' : arrowText(change.deltaNs);
}

/** `▼ 3.10 µs`: that much less than before. */
export const arrowText = (deltaNs: number) => `${deltaNs < 0 ? '▼' : '▲'} ${timeText(Math.abs(deltaNs))}`;

/** Where most of the line's busy time is. Its DMA queues are one: `DMA`, and so is what triggers the transfers of a line that moves data. */
export function mainEngine(line: Line): string | undefined {
  if (line.transfers > 0 && line.engines['DMA']) return 'DMA';
  return byTime(engineRows(line))[0]?.[0];
}

/** What links of a hover lead to: addresses of commands. */
export interface HoverLinks {
  /** The line in the timeline. */
  timeline: string;
  /** What a number came from. */
  part(of: LinePart): string;
  /** The comparison with the run before. */
  compare: string;
}

/**
 * The hover of a line, as Markdown; names are text in it, and each number is a link to what it came from. It says what there is to do before what there is to know, for a hover is cut off where it is long.
 * @param stale the line was edited since the run
 */
export function hoverText(
  line: Line,
  context: {
    kernel: string;
    target: string;
    stale: boolean;
    links: HoverLinks;
    /** Of a line whose statement goes over several. */
    statement?: string;
    change?: LineChange;
    warnings?: readonly Pick<Warning, 'rule' | 'title' | 'advice'>[];
    whatIf?: LineGain;
  },
): string {
  const { links } = context;
  const to = (text: string, of: LinePart) => link(text, links.part(of));
  const counts = [
    count(line.instructions, 'instruction', text => to(text, { part: 'instructions' })),
    count(line.transfers, 'DMA transfer', text => to(text, { part: 'transfers' })),
    count(line.iterations, 'loop iteration', text => link(text, links.timeline)),
    line.dmaBytes > 0 ? `${to(bytesText(line.dmaBytes), { part: 'transfers' })} moved` : '',
  ].filter(Boolean);
  const time = to(`${timeText(line.timeNs)} · ${percentText(line.share)}`, { part: 'path' });
  return [
    `**${time}** of ${kernelName(context.kernel)} on ${markdownText(context.target)} (simulated) · [Show in timeline](${links.timeline})`,
    ...(context.statement === undefined ? [] : [markdownText(context.statement)]),
    ...changeParagraph(context.change, links),
    ...(context.warnings ?? []).map(warning => warningParagraph(warning, links)),
    ...whatIfParagraph(context.whatIf, links),
    counts.join(', '),
    ...times(
      'Busy',
      engineRows(line).map(([name, ns]) => [name, ns, links.part({ part: 'engine', name })]),
    ),
    // Waits of instructions and DMAs overlap: together they can be longer than the kernel.
    ...times(
      'Waits, summed',
      Object.entries(line.stalls).map(([reason, ns]) => [
        stallShort(reason as StallReason) || reason,
        ns,
        links.part({ part: 'waits', reason }),
      ]),
    ),
    ...(context.stale ? ['*The file was edited after this run.*'] : []),
  ].join('\n\n');
}

/** @param text Markdown: a number of ours, or escaped */
const link = (text: string, address: string) => `[${text}](${address})`;

/** Its title leads to the warning, and so does each number of its advice. */
function warningParagraph({ rule, title, advice }: Pick<Warning, 'rule' | 'title' | 'advice'>, links: HoverLinks): string {
  const address = links.part({ part: 'warning', rule, title });
  let at = 0;
  let said = '';
  for (const { from, to } of numbersIn(advice)) {
    said += markdownText(advice.slice(at, from)) + link(advice.slice(from, to), address);
    at = to;
  }
  return `$(lightbulb) ${link(markdownText(title), address)}${markdownText(': ')}${said}${markdownText(advice.slice(at))}`;
}

function whatIfParagraph(whatIf: LineGain | undefined, links: HoverLinks): string[] {
  if (!whatIf) return [];
  const gain = (share: number, savedShare: number) => link(modelledChangeText(share), links.part({ part: 'whatIf', savedShare }));
  return [`**What if** free: ${gain(whatIf.freeShare, 1)} · twice as fast: ${gain(whatIf.twiceShare, 0.5)}`];
}

function changeParagraph(change: LineChange | undefined, { compare }: HoverLinks): string[] {
  if (!change?.a || !change.b || change.verdict === 'same') return [];
  const before = `${link(timeText(change.a.timeNs), compare)} before the last change`;
  return [`${before}: ${link(arrowText(change.deltaNs), compare)}${change.isTooSmall ? `, ${TOO_SMALL}` : ''}`];
}

/** Tracks with time, queues left out where their sum under `DMA` is there. */
function engineRows(line: Line): [string, number][] {
  return Object.entries(line.engines).filter(([name]) => name === 'DMA' || !isQueue(name));
}

/** Queues print as `qSyncIO0`; no engine begins like that. */
const isQueue = (track: string) => /^q[A-Z]/.test(track);

const byTime = <T extends readonly [string, number, ...unknown[]]>(rows: readonly T[]) =>
  rows.filter(([, ns]) => ns > 0).sort((a, b) => b[1] - a[1]);

/** `**Busy** Scalar 2.67 µs · Vector 963 ns`; each time a link. */
function times(title: string, rows: [name: string, ns: number, address: string][]): string[] {
  const sorted = byTime(rows).map(([name, ns, address]) => `${markdownText(name)} ${link(timeText(ns), address)}`);
  return sorted.length === 0 ? [] : [`**${title}** ${sorted.join(' · ')}`];
}

function count(n: number, noun: string, linked: (text: string) => string): string {
  return n === 0 ? '' : `${linked(String(n))} ${noun}${n === 1 ? '' : 's'}`;
}

/** In the code font, unless something in it could leave it. */
const kernelName = (name: string) => (/^\w+$/.test(name) ? `\`${name}\`` : markdownText(name));
