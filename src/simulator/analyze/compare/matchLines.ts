/**
 * Which line of an edited source is which line of the one before: by function and text, so that a match survives lines that
 * were added, moved or changed around it. Knows nothing of times.
 */

/** A line of code: what it says, and in which function. Files do not count: a kernel is often copied to be changed. */
export interface CodeLine {
  function: string;
  /** Trimmed. */
  text: string;
}

export interface Match {
  /** Index in the first list; -1 for a line that is new. */
  a: number;
  /** Index in the second list; -1 for a line that is gone. */
  b: number;
}

/** Above this many pairs, lines are matched by text alone. */
const MAX_PAIRS = 4_000_000;

/**
 * Both lists in source order. First the longest common run of equal lines, then equal lines that moved, then what is left
 * between two matched lines in the order in which it stands there: those lines were changed.
 * @returns every index of both lists once; in the order of `b`, lines that are gone last
 */
export function matchLines(a: readonly CodeLine[], b: readonly CodeLine[]): Match[] {
  const pairs = equalLines(a, b);
  changed(a, b, pairs);
  return pairs.matches();
}

/** The longest common run of equal lines, then equal lines that moved. */
export function equalLines(a: readonly CodeLine[], b: readonly CodeLine[]): Pairs {
  const pairs = new Pairs(a.length, b.length);
  const [keysA, keysB] = [a.map(keyOf), b.map(keyOf)];
  if (a.length * b.length <= MAX_PAIRS) commonRun(keysA, keysB, pairs);
  moved(keysA, keysB, pairs);
  return pairs;
}

/** Which indices of two lists belong together so far. */
export class Pairs {
  /** Index in the other list; -1: free. */
  readonly toA: Int32Array;
  readonly toB: Int32Array;

  constructor(lengthA: number, lengthB: number) {
    this.toA = new Int32Array(lengthB).fill(-1);
    this.toB = new Int32Array(lengthA).fill(-1);
  }

  add(i: number, j: number): void {
    this.toB[i] = j;
    this.toA[j] = i;
  }

  /** Every index of both lists once; in the order of `b`, what only `a` has last. */
  matches(): Match[] {
    const matches = Array.from(this.toA, (i, j) => ({ a: i, b: j }));
    for (const [i, j] of this.toB.entries()) if (j < 0) matches.push({ a: i, b: -1 });
    return matches;
  }
}

const keyOf = ({ function: name, text }: CodeLine) => `${name}\n${text}`;

/** Longest common subsequence by dynamic programming from the end. */
function commonRun(a: string[], b: string[], pairs: Pairs): void {
  const width = b.length + 1;
  const length = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const skip = Math.max(length[(i + 1) * width + j], length[i * width + j + 1]);
      length[i * width + j] = a[i] === b[j] ? length[(i + 1) * width + j + 1] + 1 : skip;
    }
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.add(i++, j++);
    else if (length[(i + 1) * width + j] >= length[i * width + j + 1]) i++;
    else j++;
  }
}

/** Equal lines that are still free, in their order. */
function moved(a: string[], b: string[], pairs: Pairs): void {
  const free = new Map<string, number[]>();
  a.forEach((key, i) => {
    if (pairs.toB[i] < 0) free.set(key, [...(free.get(key) ?? []), i]);
  });
  b.forEach((key, j) => {
    const i = pairs.toA[j] < 0 ? free.get(key)?.shift() : undefined;
    if (i !== undefined) pairs.add(i, j);
  });
}

/** Pairs unmatched lines after the same matched line of the same function, one by one. */
function changed(a: readonly CodeLine[], b: readonly CodeLine[], pairs: Pairs): void {
  const gaps = new Map<string, number[]>();
  walkGaps(a, pairs.toB, (i, anchor) => gaps.set(anchor, [...(gaps.get(anchor) ?? []), i]));
  const taken: [number, number][] = [];
  walkGaps(
    b,
    pairs.toA,
    (j, anchor) => {
      const i = gaps.get(anchor)?.shift();
      if (i !== undefined) taken.push([i, j]);
    },
    j => pairs.toA[j],
  );
  for (const [i, j] of taken) pairs.add(i, j);
}

/** Calls `free` for each line without a partner, with a name for the place it stands in: its function and the match above. */
function walkGaps(
  lines: readonly CodeLine[],
  partner: Int32Array,
  free: (index: number, anchor: string) => void,
  number = (index: number) => index,
): void {
  let above = -1;
  lines.forEach(({ function: name }, index) => {
    if (partner[index] >= 0) above = number(index);
    else free(index, `${name}\n${above}`);
  });
}
