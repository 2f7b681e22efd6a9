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
  const toA = new Int32Array(b.length).fill(-1);
  const toB = new Int32Array(a.length).fill(-1);
  const pair = (i: number, j: number) => {
    toB[i] = j;
    toA[j] = i;
  };
  const [keysA, keysB] = [a.map(keyOf), b.map(keyOf)];
  if (a.length * b.length <= MAX_PAIRS) commonRun(keysA, keysB, pair);
  moved(keysA, keysB, toA, toB, pair);
  changed(a, b, toA, toB, pair);
  const matches = Array.from(toA, (i, j) => ({ a: i, b: j }));
  for (const [i, j] of toB.entries()) if (j < 0) matches.push({ a: i, b: -1 });
  return matches;
}

const keyOf = ({ function: name, text }: CodeLine) => `${name}\n${text}`;

/** Longest common subsequence by dynamic programming from the end. */
function commonRun(a: string[], b: string[], pair: (i: number, j: number) => void): void {
  const width = b.length + 1;
  const length = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const skip = Math.max(length[(i + 1) * width + j], length[i * width + j + 1]);
      length[i * width + j] = a[i] === b[j] ? length[(i + 1) * width + j + 1] + 1 : skip;
    }
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pair(i++, j++);
    else if (length[(i + 1) * width + j] >= length[i * width + j + 1]) i++;
    else j++;
  }
}

/** Equal lines that are still free, in their order. */
function moved(a: string[], b: string[], toA: Int32Array, toB: Int32Array, pair: (i: number, j: number) => void): void {
  const free = new Map<string, number[]>();
  a.forEach((key, i) => {
    if (toB[i] < 0) free.set(key, [...(free.get(key) ?? []), i]);
  });
  b.forEach((key, j) => {
    const i = toA[j] < 0 ? free.get(key)?.shift() : undefined;
    if (i !== undefined) pair(i, j);
  });
}

/** What stands free after the same matched line of the same function, one by one. */
function changed(
  a: readonly CodeLine[],
  b: readonly CodeLine[],
  toA: Int32Array,
  toB: Int32Array,
  pair: (i: number, j: number) => void,
): void {
  const gaps = new Map<string, number[]>();
  walkGaps(a, toB, (i, anchor) => gaps.set(anchor, [...(gaps.get(anchor) ?? []), i]));
  const taken: [number, number][] = [];
  walkGaps(
    b,
    toA,
    (j, anchor) => {
      const i = gaps.get(anchor)?.shift();
      if (i !== undefined) taken.push([i, j]);
    },
    j => toA[j],
  );
  for (const [i, j] of taken) pair(i, j);
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
