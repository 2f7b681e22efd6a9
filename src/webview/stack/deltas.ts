/** The difference of a stacked profile's time from the base, as text that is clear without colour. */
import { percentText, timeText } from '../../simulator/analyze/format';

/** Below this a difference is rounding. */
const ROUNDING_NS = 0.05;

/** `+12 %`, `−4.5 %`; `new` or `gone` where one of them is nothing; empty where both are. */
export function shareText(baseNs: number, ns: number): string {
  if (baseNs <= 0) return ns <= 0 ? '' : 'new';
  if (ns <= 0) return 'gone';
  if (Math.abs(ns - baseNs) < ROUNDING_NS) return '±0 %';
  return `${sign(ns - baseNs)}${percentText(Math.abs(ns / baseNs - 1))}`;
}

/** `+1.20 µs`, `−312 ns`, `0`. */
export const differenceText = (baseNs: number, ns: number) =>
  Math.abs(ns - baseNs) < ROUNDING_NS ? '0' : `${sign(ns - baseNs)}${timeText(Math.abs(ns - baseNs))}`;

const sign = (difference: number) => (difference > 0 ? '+' : '−');
