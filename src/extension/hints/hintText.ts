/** The words beside a line: the end-of-line hint, and the hover as Markdown. Pure; where they are shown is decorations.ts. */
import {
  bytesText,
  type Line,
  type LineChange,
  percentText,
  type StallReason,
  signedPercentText,
  stallShort,
  timeText,
} from '../../simulator/index';
import { markdownText } from '../plainText';

/** `45 % · 12.3 µs · DMA`, the shortest first: an editor may be narrow. With `▼ 3.1 µs` after the time when it took that much longer in the run before. */
export function hintText(line: Line, change?: LineChange): string {
  const main = mainEngine(line);
  const changed = changeText(change);
  const time = changed ? `${timeText(line.timeNs)} ${changed}` : timeText(line.timeNs);
  return [percentText(line.share), time, ...(main ? [main] : [])].join(' · ');
}

/** Arrow and amount, so that no one needs the colour; empty when nothing changed. */
export function changeText(change: LineChange | undefined): string {
  if (!change || change.verdict === 'same') return '';
  if (change.verdict === 'new') return 'new';
  return `${change.deltaNs < 0 ? '▼' : '▲'} ${timeText(Math.abs(change.deltaNs))}`;
}

/** Where most of the line's busy time is. Its DMA queues are one: `DMA`, and so is what triggers the transfers of a line that moves data. */
export function mainEngine(line: Line): string | undefined {
  if (line.transfers > 0 && line.engines['DMA']) return 'DMA';
  return byTime(engineRows(line))[0]?.[0];
}

/**
 * The hover of a line, as Markdown; names are text in it. It says what there is to do before what there is to know, for a hover is cut off where it is long.
 * @param stale the line was edited since the run
 */
export function hoverText(
  line: Line,
  context: {
    kernel: string;
    target: string;
    stale: boolean;
    timelineLink: string;
    /** Of a line whose statement goes over several. */
    statement?: string;
    change?: LineChange;
    advice?: string[];
    whatIf?: WhatIf;
  },
): string {
  const counts = [
    count(line.instructions, 'instruction'),
    count(line.transfers, 'DMA transfer'),
    count(line.iterations, 'loop iteration'),
  ].filter(Boolean);
  return [
    `**${timeText(line.timeNs)} · ${percentText(line.share)}** of ${kernelName(context.kernel)} on ${markdownText(context.target)} (simulated) · [Show in timeline](${context.timelineLink})`,
    ...(context.statement === undefined ? [] : [markdownText(context.statement)]),
    ...changeParagraph(context.change),
    ...(context.advice ?? []).map(text => `$(lightbulb) ${markdownText(text)}`),
    ...whatIfParagraph(context.whatIf),
    counts.join(', ') + (line.dmaBytes > 0 ? `, ${bytesText(line.dmaBytes)} moved` : ''),
    ...times('Busy', engineRows(line)),
    // Waits of instructions and DMAs overlap: together they can be longer than the kernel.
    ...times('Waits, summed', Object.entries(line.stalls).map(stallRow)),
    ...(context.stale ? ['*The file was edited after this run.*'] : []),
  ].join('\n\n');
}

const stallRow = ([reason, ns]: [string, number]): [string, number] => [stallShort(reason as StallReason) || reason, ns];

/** What the whole kernel would take less or more, as shares of it, negative: less. */
export interface WhatIf {
  /** The line takes no time. */
  freeShare: number;
  /** The line takes half of its time. */
  twiceShare: number;
}

const whatIfParagraph = (whatIf: WhatIf | undefined) =>
  whatIf ? [`**What if** free: ${signedPercentText(whatIf.freeShare)} · twice as fast: ${signedPercentText(whatIf.twiceShare)}`] : [];

function changeParagraph(change: LineChange | undefined): string[] {
  if (!change?.a || !change.b || change.verdict === 'same') return [];
  return [`${timeText(change.a.timeNs)} before the last change: ${changeText(change)}`];
}

/** Tracks with time, queues left out where their sum under `DMA` is there. */
function engineRows(line: Line): [string, number][] {
  return Object.entries(line.engines).filter(([name]) => name === 'DMA' || !isQueue(name));
}

/** Queues print as `qSyncIO0`; no engine begins like that. */
const isQueue = (track: string) => /^q[A-Z]/.test(track);

const byTime = <T extends [string, number | undefined]>(rows: T[]) =>
  rows.filter((row): row is T & [string, number] => !!row[1]).sort((a, b) => b[1] - a[1]);

/** `**Busy** Scalar 2.67 µs · Vector 963 ns` */
function times(title: string, rows: [string, number | undefined][]): string[] {
  const sorted = byTime(rows).map(([name, ns]) => `${markdownText(name)} ${timeText(ns)}`);
  return sorted.length === 0 ? [] : [`**${title}** ${sorted.join(' · ')}`];
}

function count(n: number, noun: string): string {
  return n === 0 ? '' : `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** In the code font, unless something in it could leave it. */
const kernelName = (name: string) => (/^\w+$/.test(name) ? `\`${name}\`` : markdownText(name));
