/** The words beside a line: the end-of-line hint, and the hover as Markdown. Pure; where they are shown is decorations.ts. */
import { bytesText, type Line, type LineChange, percentText, type StallReason, stallShort, timeText } from '../../simulator/index';

/** `12.3 µs · 45 % · DMA`; with `▼ 3.1 µs` after the time when it took that much longer in the run before: an editor may be narrow. */
export function hintText(line: Line, change?: LineChange): string {
  const main = mainEngine(line);
  const changed = changeText(change);
  const time = changed ? `${timeText(line.timeNs)} ${changed}` : timeText(line.timeNs);
  return [time, percentText(line.share), ...(main ? [main] : [])].join(' · ');
}

/** Arrow and amount, so that no one needs the colour; empty when nothing changed. */
export function changeText(change: LineChange | undefined): string {
  if (!change || change.verdict === 'same') return '';
  if (change.verdict === 'new') return 'new';
  return `${change.deltaNs < 0 ? '▼' : '▲'} ${timeText(Math.abs(change.deltaNs))}`;
}

/** Where most of the line's busy time is. Its DMA queues are one: `DMA`. */
export function mainEngine(line: Line): string | undefined {
  return byTime(engineRows(line))[0]?.[0];
}

/** The hover of a line. @param stale the line was edited since the run */
export function hoverText(
  line: Line,
  context: { kernel: string; target: string; stale: boolean; timelineLink: string; change?: LineChange; advice?: string[] },
): string {
  const busy = byTime(engineRows(line)).map(([name, ns]) => `| ${name} | ${timeText(ns)} |`);
  const waits = byTime(Object.entries(line.stalls)).map(
    ([reason, ns]) => `| ${stallShort(reason as StallReason) || reason} | ${timeText(ns)} |`,
  );
  const counts = [
    count(line.instructions, 'instruction'),
    count(line.transfers, 'DMA transfer'),
    count(line.iterations, 'loop iteration'),
  ].filter(Boolean);
  return [
    `**${timeText(line.timeNs)} · ${percentText(line.share)}** of ${code(context.kernel)} on ${context.target} (simulated)`,
    counts.join(', ') + (line.dmaBytes > 0 ? `, ${bytesText(line.dmaBytes)} moved` : ''),
    ...table('Busy', busy),
    // Waits of instructions and DMAs overlap: together they can be longer than the kernel.
    ...table('Waited for', waits, 'summed'),
    ...changeParagraph(context.change),
    ...(context.advice ?? []).map(text => `$(lightbulb) ${text}`),
    ...(context.stale ? ['*The file was edited after this run.*'] : []),
    `[Show in timeline](${context.timelineLink})`,
  ].join('\n\n');
}

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

function table(title: string, rows: string[], how = ''): string[] {
  return rows.length === 0 ? [] : [[`| ${title} | ${how} |`, '| :-- | --: |', ...rows].join('\n')];
}

function count(n: number, noun: string): string {
  return n === 0 ? '' : `${n} ${noun}${n === 1 ? '' : 's'}`;
}

const code = (text: string) => `\`${text.replaceAll('`', "'")}\``;
