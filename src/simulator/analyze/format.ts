/** Numbers as people read them, the same in the editor, the timeline and the terminal. */

/** `312 ns`, `23.4 µs`, `1.21 ms`: three digits that count. */
export function timeText(ns: number): string {
  const size = Math.abs(ns);
  if (size < 999.5) return `${digits(ns)} ns`;
  if (size < 999.5e3) return `${digits(ns / 1e3)} µs`;
  if (size < 999.5e6) return `${digits(ns / 1e6)} ms`;
  return `${digits(ns / 1e9)} s`;
}

/** `512 B`, `64 KiB`, `7.5 MiB`: powers of 1024. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let value = bytes;
  while (Math.abs(value) >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${digits(value)} ${units[unit]}`;
}

/** `1 element`, `2 elements`. */
export const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** A fraction as `45 %`, `4.5 %`. */
export function percentText(fraction: number): string {
  const percent = fraction * 100;
  return `${percent !== 0 && Math.abs(percent) < 9.95 ? percent.toFixed(1) : Math.round(percent)} %`;
}

/** A change by a fraction: `+4.5 %`, `−45 %`; `0 %` where the rest would not show. */
export function signedPercentText(fraction: number): string {
  const text = percentText(Math.abs(fraction));
  return Number.parseFloat(text) === 0 ? '0 %' : `${fraction > 0 ? '+' : '−'}${text}`;
}

/** FLOP/s as `79 TFLOP/s`. */
export function teraText(flopsPerSecond: number): string {
  return `${digits(flopsPerSecond / 1e12)} TFLOP/s`;
}

function digits(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 99.95) return String(Math.round(value));
  return value.toFixed(size >= 9.995 ? 1 : 2);
}
