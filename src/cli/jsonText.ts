/** JSON on standard output: indented, and numbers with the digits that mean something. */

/** Times are in steps of 2^-10 ns: nine digits hold a second's worth of nanoseconds. */
const DIGITS = 9;

export function jsonText(value: unknown): string {
  const short = (_: string, v: unknown) => (typeof v === 'number' && !Number.isInteger(v) ? Number(v.toPrecision(DIGITS)) : v);
  return `${JSON.stringify(value, short, 2)}\n`;
}
