/**
 * Two loops, one directly inside the other, as the program ran them: whose iterations they are, and which instructions. Only nests that a
 * swap of their two lines makes anew: nothing stands in the outer loop beside the inner one, and every iteration of the outer loop has
 * the same iterations of the inner one.
 */
import type { Profile } from '../profile/profile';

export interface LoopNest {
  /** Iterations of the outer and of the inner loop. */
  outerCount: number;
  innerCount: number;
  /** Its instructions as compiled: from `from` up to `to`, without others between them. */
  from: number;
  to: number;
  /** Of instruction `from + k`: how many iterations of the outer and of the inner loop came before its own. */
  outer: Uint32Array;
  inner: Uint32Array;
}

/** All runs of one pair of loops. */
export interface LoopPair {
  outerName: string;
  outerLine: number;
  innerName: string;
  innerLine: number;
  /** An instruction of the pair. */
  example: number;
  nests: LoopNest[];
}

const NONE = -1;

/**
 * The pairs of which every run is such a nest.
 * @param ordinal row of `iterations` -> number of earlier iterations of its loop
 */
export function loopPairs(profile: Profile, ordinal: Uint32Array): LoopPair[] {
  const { iterations, instructions, timing, strings } = profile;
  const { parent, line, name } = iterations;
  const of = Int32Array.from(timing!.instructions.row, row => instructions.iteration[row]);
  const pairs = new Map<string, { inner: number; outer: number }>();
  for (let row = 0; row < parent.length; row++)
    if (parent[row] !== NONE) pairs.set(`${line[parent[row]]} ${line[row]}`, { inner: row, outer: parent[row] });
  return [...pairs.values()].flatMap(({ inner, outer }): LoopPair[] => {
    const nests = nestsOf({ of, parent, line, ordinal }, line[outer], line[inner]);
    if (!nests || nests.length === 0) return [];
    const names = { outerName: strings[name[outer]], outerLine: line[outer], innerName: strings[name[inner]], innerLine: line[inner] };
    return [{ ...names, example: nests[0].from, nests }];
  });
}

interface Rows {
  /** Instruction -> row of its innermost iteration. */
  of: Int32Array;
  parent: Int32Array;
  line: ArrayLike<number>;
  ordinal: Uint32Array;
}

/** Null: a run of the loops is no such nest. */
function nestsOf({ of, parent, line, ordinal }: Rows, outerLine: number, innerLine: number): LoopNest[] | null {
  const runs = new Map<string, { from: number; to: number; outer: number[]; inner: number[] }>();
  for (let i = 0; i < of.length; i++) {
    let [inner, outer] = [NONE, of[i]];
    while (outer !== NONE && line[outer] !== outerLine) [inner, outer] = [outer, parent[outer]];
    if (outer === NONE) continue;
    if (inner === NONE || line[inner] !== innerLine) return null;
    // An outer loop that runs again in the same iteration around it counts its iterations on: it is one run, or is not contiguous.
    const key = `${parent[outer]}`;
    const run = runs.get(key) ?? { from: i, to: i, outer: [], inner: [] };
    runs.set(key, run);
    if (run.to !== i) return null;
    run.to = i + 1;
    run.outer.push(ordinal[outer]);
    run.inner.push(ordinal[inner]);
  }
  const nests = [...runs.values()].map(
    ({ from, to, outer, inner }): LoopNest => ({
      from,
      to,
      outer: Uint32Array.from(outer),
      inner: Uint32Array.from(inner),
      outerCount: 1 + outer.reduce((a, b) => Math.max(a, b)),
      innerCount: 1 + inner.reduce((a, b) => Math.max(a, b)),
    }),
  );
  return nests.every(isRectangular) ? nests : null;
}

/** Every iteration of one loop meets every iteration of the other, with as many instructions. */
function isRectangular({ outer, inner, outerCount, innerCount }: LoopNest): boolean {
  if (outerCount < 2 || innerCount < 2) return false;
  const counts = new Uint32Array(outerCount * innerCount);
  for (let k = 0; k < outer.length; k++) counts[outer[k] * innerCount + inner[k]]++;
  return counts.every(count => count === counts[0]);
}

/** Instructions of the nest in the order of swapped loops, those of one iteration as they were. */
export function swappedOrder({ from, to, outer, inner }: LoopNest): Uint32Array {
  const order = Uint32Array.from({ length: to - from }, (_, k) => k);
  order.sort((a, b) => inner[a] - inner[b] || outer[a] - outer[b] || a - b);
  return order.map(k => from + k);
}
