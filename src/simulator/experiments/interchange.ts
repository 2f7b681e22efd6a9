/**
 * Whether the two loops of a nest may change places: the textbook's test of direction vectors. A dependence from iteration (i, j) to
 * iteration (i', j') with i < i' and j > j' would be turned around; any other is kept. Flow, anti and output dependences count, except
 * those of memory that is private to an iteration: what only holds values that the same iteration writes and reads can have as many
 * copies as there are iterations. It does not say what the new order gains.
 */

/** The iteration vector of each access; `instruction` numbers count in the order of the program. */
export interface IterationVectors {
  outer: ArrayLike<number>;
  inner: ArrayLike<number>;
}

/** What an instruction of the nest reads or writes on chip. */
export interface MemoryAccess {
  /** Row in the iteration vectors. */
  instruction: number;
  /** Accesses of different memories have nothing in common. */
  memory: number;
  /** Bytes of a partition. */
  startBytes: number;
  endBytes: number;
  writes: boolean;
  /** What it reads was written, or what it writes will be read, in another iteration or outside of the nest. */
  crosses: boolean;
}

/** A dependence that is known otherwise, such as by memory off the chip. */
export interface KnownDependence {
  from: number;
  to: number;
}

/** @param accesses in the order of the program */
export function mayInterchange(vectors: IterationVectors, accesses: readonly MemoryAccess[], known: readonly KnownDependence[]): boolean {
  const isTurned = (from: number, to: number) => vectors.outer[from] < vectors.outer[to] && vectors.inner[from] > vectors.inner[to];
  if (known.some(({ from, to }) => isTurned(from, to))) return false;
  return byPlace(accesses).every(own => !own.some(({ crosses }) => crosses) || keepsOrder(own, isTurned));
}

/**
 * Looks at neighbours only: where both of two steps keep their order in both loop nests, so does their sum.
 * @param own accesses of one place
 */
function keepsOrder(own: readonly MemoryAccess[], isTurned: (from: number, to: number) => boolean): boolean {
  let write = -1;
  let reads: number[] = [];
  for (const { instruction, writes } of own) {
    if (write >= 0 && isTurned(write, instruction)) return false;
    if (!writes) {
      reads.push(instruction);
      continue;
    }
    if (reads.some(read => isTurned(read, instruction))) return false;
    write = instruction;
    reads = [];
  }
  return true;
}

/** Accesses that overlap, directly or through others, in the order of the program. */
function byPlace(accesses: readonly MemoryAccess[]): MemoryAccess[][] {
  const order = [...accesses.keys()].sort(
    (a, b) => accesses[a].memory - accesses[b].memory || accesses[a].startBytes - accesses[b].startBytes,
  );
  const places: number[][] = [];
  let [memory, endBytes] = [-1, 0];
  for (const a of order) {
    const access = accesses[a];
    if (access.memory !== memory || access.startBytes >= endBytes) {
      places.push([]);
      [memory, endBytes] = [access.memory, 0];
    }
    endBytes = Math.max(endBytes, access.endBytes);
    places.at(-1)!.push(a);
  }
  return places.map(place => place.sort((a, b) => a - b).map(a => accesses[a]));
}
