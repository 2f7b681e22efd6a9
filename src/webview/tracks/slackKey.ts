/** Events by their slack, in a few classes of shares of the kernel's body: one byte an event. */
import { hasNoSlack } from '../../simulator/analyze/pathReport';
import { slackNs } from '../../simulator/analyze/slack';
import type { Profile } from '../../simulator/profile/profile';

/** Upper ends, of the body; behind them all the rest. */
const CLASSES: readonly { label: string; most: number; series: number }[] = [
  { label: 'no slack', most: 0, series: 6 },
  { label: 'slack up to 1 % of the body', most: 0.01, series: 1 },
  { label: 'up to 10 %', most: 0.1, series: 4 },
  { label: 'more', most: Number.POSITIVE_INFINITY, series: 2 },
];

/** Of what has no slack, first, to what has most; each class has its colour for good. */
export function slackKey(p: Profile): { of(event: number): number; labels: string[]; series: number[] } {
  const bodyNs = Math.max(1, p.bodyEndNs - p.bodyStartNs);
  const classOf = Uint8Array.from(slackNs(p), ns => (hasNoSlack(ns) ? 0 : CLASSES.findIndex(({ most }) => ns / bodyNs <= most)));
  return { of: event => classOf[event], labels: CLASSES.map(({ label }) => label), series: CLASSES.map(({ series }) => series) };
}
