/**
 * The space of a sweep: parameters with their values, and the points that are run. A point is a value for each parameter.
 *
 * A space is a full grid, a seeded random sample of it, or a list of points; constraints leave points out. The order of the points is that
 * of the grid, the last parameter changing fastest, and a point occurs once.
 */
import { parseExpression } from './expression';
import { type ParameterValue, SpaceError } from './values';

/** What a parameter changes: a size or a value in the kernel's arguments, a constant of its module, an environment variable, or a choice of the run. */
export type ParameterKind = 'size' | 'argument' | 'constant' | 'environment' | 'target' | 'dge';

export interface SweptParameter {
  /** Its column: `a[1]` for a size, else the name of what it changes. */
  name: string;
  kind: ParameterKind;
  values: readonly ParameterValue[];
}

export interface SweepSpace {
  parameters: readonly SweptParameter[];
  /** Each keeps the points for which it is true. */
  where: readonly string[];
  /** Points by themselves, in place of the grid. */
  list?: readonly SweepPoint[];
  /** That many points of the grid, drawn at random, the same for the same seed. */
  sample?: { count: number; seed: number };
}

/** The value of each parameter, by its name. */
export type SweepPoint = Readonly<Record<string, ParameterValue>>;

/** A larger grid needs a sample. */
export const MOST_POINTS = 100_000;
/** Draws for each point that is wanted, before a constraint counts as one that leaves too little. */
const MOST_DRAWS_PER_POINT = 200;

/** @throws SpaceError */
export function pointsOf(space: SweepSpace): SweepPoint[] {
  const isKept = constraint(space);
  if (space.list) return distinct(space.list.map(point => complete(space, point)).filter(isKept));
  const size = gridSize(space);
  if (space.sample) return sampled(space, size, space.sample, isKept);
  if (size > MOST_POINTS)
    throw new SpaceError(`the grid has ${size.toLocaleString('en-US')} points: take a sample of at most ${MOST_POINTS}`);
  return Array.from({ length: size }, (_, index) => pointAt(space, index)).filter(isKept);
}

/** Points of the full grid, before constraints. */
export const gridSize = ({ parameters }: SweepSpace): number => parameters.reduce((product, { values }) => product * values.length, 1);

/** The point with this number in the grid. */
export function pointAt({ parameters }: SweepSpace, index: number): SweepPoint {
  const point: Record<string, ParameterValue> = {};
  let rest = index;
  for (const { name, values } of [...parameters].reverse()) {
    point[name] = values[rest % values.length];
    rest = Math.floor(rest / values.length);
  }
  return Object.fromEntries(parameters.map(({ name }) => [name, point[name]]));
}

/** Whether the space has a point of the grid. */
export function constraint(space: SweepSpace): (point: SweepPoint) => boolean {
  const rules = space.where.map(parseExpression);
  const listed = space.list && new Set(space.list.map(point => pointText(complete(space, point))));
  return point => (listed?.has(pointText(point)) ?? true) && rules.every(rule => rule(point) === true);
}

function sampled(
  space: SweepSpace,
  size: number,
  { count, seed }: { count: number; seed: number },
  isKept: (point: SweepPoint) => boolean,
) {
  if (size > Number.MAX_SAFE_INTEGER) throw new SpaceError('the grid has more points than can be numbered');
  const random = randomNumbers(seed);
  const seen = new Set<number>();
  const kept: number[] = [];
  const mostDraws = Math.min(count, size) * MOST_DRAWS_PER_POINT;
  for (let draw = 0; draw < mostDraws && kept.length < count && seen.size < size; draw++) {
    const index = Math.floor(random() * size);
    if (seen.has(index)) continue;
    seen.add(index);
    if (isKept(pointAt(space, index))) kept.push(index);
  }
  return kept.sort((a, b) => a - b).map(index => pointAt(space, index));
}

/** From 0 up to 1, with 48 random bits, so that large grids are reached everywhere: two steps of a linear congruential generator. */
export function randomNumbers(seed: number): () => number {
  let state = (seed ^ 0x5deece66) >>> 0;
  const bits24 = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
    return (mixed ^ (mixed >>> 16)) >>> 8;
  };
  return () => (bits24() * 2 ** 24 + bits24()) / 2 ** 48;
}

/** A point of a list names every parameter, and nothing else. */
function complete({ parameters }: SweepSpace, point: SweepPoint): SweepPoint {
  const names = parameters.map(({ name }) => name);
  const missing = names.find(name => !Object.hasOwn(point, name));
  if (missing !== undefined) throw new SpaceError(`a point of the list has no ${missing}: ${JSON.stringify(point)}`);
  const unknown = Object.keys(point).find(name => !names.includes(name));
  if (unknown !== undefined) throw new SpaceError(`a point of the list has ${unknown}, and the parameters are ${names.join(', ')}`);
  return Object.fromEntries(names.map(name => [name, point[name]]));
}

function distinct(points: readonly SweepPoint[]): SweepPoint[] {
  const seen = new Map(points.map(point => [pointText(point), point]));
  return [...seen.values()];
}

/** One text for one point. */
export const pointText = (point: SweepPoint): string => JSON.stringify(Object.entries(point));
