/** Number texts for the timeline only; `analyze/format.ts` has durations, bytes and percents. */

export interface TimeUnit {
  name: string;
  ns: number;
}

/** Largest first. */
export const TIME_UNITS: readonly TimeUnit[] = [
  { name: 's', ns: 1e9 },
  { name: 'ms', ns: 1e6 },
  { name: 'µs', ns: 1e3 },
  { name: 'ns', ns: 1 },
];

/** A time in this unit with so many decimals, in thin groups: `12 345.60 ns`. */
export function fixedText(ns: number, unit: TimeUnit, digits: number): string {
  const [whole, rest] = (ns / unit.ns).toFixed(digits).split('.');
  return `${groupDigits(whole)}${rest === undefined ? '' : `.${rest}`} ${unit.name}`;
}

/** A point in time, to the tenth of a nanosecond: `12 345.6 ns`. */
export function instantText(ns: number): string {
  return fixedText(ns, { name: 'ns', ns: 1 }, Number.isInteger(Math.round(ns * 10) / 10) ? 0 : 1);
}

export function rateText(bytesPerSecond: number): string {
  const unit = [
    { name: 'GB/s', size: 1e9 },
    { name: 'MB/s', size: 1e6 },
    { name: 'kB/s', size: 1e3 },
  ].find(({ size }) => bytesPerSecond >= size) ?? { name: 'B/s', size: 1 };
  const value = bytesPerSecond / unit.size;
  return `${value.toFixed(value >= 100 || value === 0 ? 0 : 1)} ${unit.name}`;
}

export const countText = (n: number) => groupDigits(String(Math.round(n)));

export const plural = (n: number, noun: string) => `${countText(n)} ${noun}${n === 1 ? '' : 's'}`;

function groupDigits(whole: string): string {
  return whole.replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
}
