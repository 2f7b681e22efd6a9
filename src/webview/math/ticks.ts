/** Axis ticks: round times (1, 2, 5 x 10^n) about every `spacingPx` pixels, labelled in one unit for the whole axis. */
import type { TimeSpan } from './timeSpan';
import { spanNs } from './timeSpan';
import { fixedText, TIME_UNITS, type TimeUnit } from './units';

export interface Ticks {
  timesNs: number[];
  labels: string[];
  stepNs: number;
}

export function ticks(span: TimeSpan, widthPx: number, spacingPx = 96): Ticks {
  const stepNs = roundStep((spanNs(span) * spacingPx) / Math.max(widthPx, 1));
  const { unit, digits } = labelUnit(span.endNs, stepNs);
  const timesNs: number[] = [];
  for (let k = Math.ceil(span.startNs / stepNs - 1e-9); k * stepNs <= span.endNs; k++) timesNs.push(k * stepNs);
  return { timesNs, labels: timesNs.map(t => fixedText(t, unit, digits)), stepNs };
}

/** The largest unit that the axis reaches and in which neighbouring labels differ within three decimals. */
function labelUnit(endNs: number, stepNs: number): { unit: TimeUnit; digits: number } {
  const digitsIn = (unit: TimeUnit) => Math.max(0, -Math.floor(Math.log10(stepNs / unit.ns) + 1e-9));
  const unit = TIME_UNITS.find(u => Math.max(endNs, stepNs) >= u.ns && digitsIn(u) <= 3) ?? TIME_UNITS[TIME_UNITS.length - 1];
  return { unit, digits: digitsIn(unit) };
}

/** The smallest of 1, 2, 5 x 10^n that is not below `value`. */
export function roundStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  for (const factor of [1, 2, 5]) if (factor * power >= value * (1 - 1e-9)) return factor * power;
  return 10 * power;
}
