/** Times as people type them: `12.5us`, `12us - 14us`, `1 200 ns`; nanoseconds without a unit. */

const UNITS: Readonly<Record<string, number>> = { '': 1, ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9 };
const TIME = '(\\d[\\d\\s]*(?:\\.\\d+)?)\\s*(ns|us|µs|ms|s)?';
const FORM = new RegExp(`^\\s*${TIME}(?:\\s*(?:-|–|\\.\\.|to)\\s*${TIME})?\\s*$`, 'i');

/** Nanoseconds; null for anything else. */
export function parseTimes(text: string): { startNs: number; endNs: number | null } | null {
  const found = FORM.exec(text);
  if (!found) return null;
  const [, first, firstUnit, second, secondUnit] = found;
  const value = (digits: string, unit: string | undefined) => Number(digits.replace(/\s/g, '')) * UNITS[(unit ?? '').toLowerCase()];
  const startNs = value(first, second === undefined ? firstUnit : (firstUnit ?? secondUnit));
  const endNs = second === undefined ? null : value(second, secondUnit);
  if (!Number.isFinite(startNs) || (endNs !== null && !(endNs > startNs))) return null;
  return { startNs, endNs };
}
