/** A profile as compact text for a language model: the totals, a row per hot line, then the advice. Pure. */
import { bytesText, percentText, timeText } from '../analyze/format';
import { type Line, lines } from '../analyze/lines';
import { stallShort } from '../analyze/stallText';
import { type Warning, warnings } from '../analyze/warnings';
import type { Profile, StallReason } from '../profile/profile';

export const DEFAULT_ROWS = 12;
/** The most telling ones; the timeline has them all. */
const MOST_ADVICE = 6;

export function profileText(profile: Profile, rows = DEFAULT_ROWS): string {
  const hot = lines(profile).filter(line => line.timeNs > 0);
  const files = new Set(hot.map(line => line.file));
  const { kernel, target, totalTimeNs, bodyStartNs, bodyEndNs } = profile;
  return [
    `${kernel} on ${target}, simulated: ${timeText(totalTimeNs)} in all, ${timeText(bodyEndNs - bodyStartNs)} kernel body.`,
    'Each moment of the body counts for the one line it waited for. line | share | time | busy | waits | instructions, DMA | source',
    ...hot.slice(0, rows).map(line => row(line, files.size > 1)),
    ...(hot.length > rows ? [`(${hot.length - rows} more lines)`] : []),
    ...warnings(profile)
      .slice(0, MOST_ADVICE)
      .map(warning => adviceRow(warning, files.size > 1)),
  ].join('\n');
}

function row(line: Line, withFile: boolean): string {
  const place = withFile ? `${line.file}:${line.line}` : String(line.line);
  const busy = pairs(Object.entries(line.engines).filter(([name]) => !/^q[A-Z]/.test(name)));
  const waits = pairs(Object.entries(line.stalls).map(([reason, ns]) => [stallShort(reason as StallReason), ns] as [string, number]));
  const work = [`${line.instructions}`, ...(line.transfers > 0 ? [`${line.transfers} DMAs of ${bytesText(line.dmaBytes)} in all`] : [])];
  return [place, percentText(line.share), timeText(line.timeNs), busy || '-', waits || '-', work.join(', '), line.text].join(' | ');
}

function adviceRow({ position, title, message, advice }: Warning, withFile: boolean): string {
  const place = position ? `${withFile ? `${position.file}:` : 'line '}${position.line}: ` : '';
  return `advice: ${place}${title}: ${message} ${advice}`;
}

const pairs = (entries: [string, number][]) =>
  entries
    .filter(([name, ns]) => name !== '' && ns > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([name, ns]) => `${name} ${timeText(ns)}`)
    .join(', ');
