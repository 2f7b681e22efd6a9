/** Changes to bytes, to values of JSON, and to columns, as a seeded sequence of numbers decides. They know no format. */
import type { Column } from '../../../src/simulator/columns/container';
import { below, pick, type Random } from './target';

/** Numbers that arithmetic and formats trip over. */
const ODD_NUMBERS = [
  0,
  -0,
  -1,
  1,
  0.5,
  255,
  256,
  65535,
  65536,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53),
  1e21,
  1e300,
  -1e300,
  5e-324,
] as const;
/** What only columns hold: JSON has no words for them. */
const NO_NUMBERS = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const;
const ODD_TEXTS = [
  '',
  '__proto__',
  'constructor',
  'toString',
  'a'.repeat(5000),
  '=1+1',
  '\u0000',
  '\ud800',
  '\n',
  ')>=',
  'S[1] (x)>=9',
  ',',
] as const;

export const oddNumber = (next: Random): number => pick(next, ODD_NUMBERS);

/** One value of JSON, of any type. */
function oddValue(next: Random): unknown {
  return pick(next, [
    () => oddNumber(next),
    () => pick(next, ODD_TEXTS),
    () => null,
    () => true,
    () => [],
    () => ({}),
    () => [oddNumber(next), pick(next, ODD_TEXTS)],
    () => JSON.parse(`{"__proto__": ${below(next, 9)}, "toString": 1, "valueOf": 2}`),
    () => JSON.parse(`${'['.repeat(50)}${']'.repeat(50)}`),
  ])();
}

type Container = unknown[] | Record<string, unknown>;
const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** Changes up to `most` entries of a tree of JSON values, in place: a value replaced, taken away, repeated, renamed. */
export function mutateJson(root: Container, next: Random, most = 4): void {
  for (let n = 1 + below(next, most); n > 0; n--) mutateEntry(someContainer(root, next), next);
}

/** Goes down a few steps, at random. */
function someContainer(root: Container, next: Random): Container {
  let at = root;
  for (let depth = below(next, 5); depth > 0; depth--) {
    const inside = Object.values(at).filter(isContainer);
    if (inside.length === 0) break;
    at = pick(next, inside);
  }
  return at;
}

function mutateEntry(container: Container, next: Random) {
  const keys = Object.keys(container);
  if (keys.length === 0) return;
  const key = pick(next, keys);
  const values = container as Record<string, unknown>;
  const kind = next();
  if (kind < 0.6) values[key] = similarValue(values[key], next);
  else if (kind < 0.75) values[key] = oddValue(next);
  else if (kind < 0.85) {
    if (Array.isArray(container)) container.splice(Number(key), 1);
    else delete container[key];
  } else if (Array.isArray(container)) container.push(...Array.from({ length: pick(next, [1, 300]) }, () => container[Number(key)]));
  else
    Object.defineProperty(container, pick(next, ODD_TEXTS), { value: values[key], enumerable: true, configurable: true, writable: true });
}

/** Of the same type, so that it passes the first checks. */
function similarValue(value: unknown, next: Random): unknown {
  if (typeof value === 'number') return next() < 0.5 ? oddNumber(next) : value * pick(next, [-1, 2, 1000, 1e12, 0.3]);
  if (typeof value === 'string')
    return next() < 0.5 ? pick(next, ODD_TEXTS) : value.slice(below(next, value.length + 1)).repeat(1 + below(next, 3));
  if (typeof value === 'boolean') return !value;
  return oddValue(next);
}

/** Changes a few rows of a column, in place. */
export function mutateColumn(column: Column, next: Random): void {
  if (column.length === 0) return;
  for (let n = 1 + below(next, 4); n > 0; n--) {
    const at = below(next, column.length);
    const kind = next();
    if (kind < 0.4) column[at] = pick(next, [...ODD_NUMBERS, ...NO_NUMBERS]);
    else if (kind < 0.7) column[at] = column[below(next, column.length)];
    else if (kind < 0.9) column[at] += pick(next, [-1, 1]);
    else column.fill(column[at], at);
  }
}

/** Cut short, single bytes changed, pieces taken out, repeated, or filled with one byte. */
export function mutateBytes(original: Uint8Array, next: Random): Uint8Array {
  const kind = next();
  const [a, b] = [below(next, original.length + 1), below(next, original.length + 1)].sort((x, y) => x - y);
  if (kind < 0.1) return original.slice(0, b);
  if (kind < 0.2) return joined([original.subarray(0, a), original.subarray(b)]);
  if (kind < 0.3) return joined([original.subarray(0, b), original.subarray(a)]);
  const copy = original.slice();
  if (kind < 0.4) copy.fill(pick(next, [0, 1, 127, 128, 255]), a, Math.min(b, a + 16));
  else for (let n = 1 + below(next, 4); n > 0 && copy.length > 0; n--) copy[below(next, copy.length)] = below(next, 256);
  return copy;
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
