/** Merges lists of events, each in order of start, into one: pairwise, so n events in k lists cost n log k and no comparator sort. */

export function mergeByStart(lists: Uint32Array[], start: (id: number) => number): Uint32Array {
  let rest = lists.filter(list => list.length > 0);
  while (rest.length > 1) {
    const merged: Uint32Array[] = [];
    for (let i = 0; i < rest.length; i += 2) merged.push(i + 1 < rest.length ? mergeTwo(rest[i], rest[i + 1], start) : rest[i]);
    rest = merged;
  }
  return rest[0] ?? new Uint32Array(0);
}

function mergeTwo(a: Uint32Array, b: Uint32Array, start: (id: number) => number): Uint32Array {
  const result = new Uint32Array(a.length + b.length);
  let i = 0;
  let j = 0;
  for (let k = 0; k < result.length; k++) {
    const first = j >= b.length || (i < a.length && before(a[i], b[j], start));
    result[k] = first ? a[i++] : b[j++];
  }
  return result;
}

function before(a: number, b: number, start: (id: number) => number): boolean {
  const difference = start(a) - start(b);
  return difference < 0 || (difference === 0 && a < b);
}
