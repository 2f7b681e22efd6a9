/**
 * Who reads and writes each tensor, in the order of recording, and from it what must be carried out before an instruction may be: the
 * writers of what it reads, and for what it writes everybody who wrote or read it before. Carried out in that order, the rest of the
 * program stays as good as untouched.
 */

/** Stands for what is in no tensor (registers of an engine). */
export const HIDDEN = -1;

interface Accesses {
  /** Instructions, ascending. */
  writers: number[];
  readers: number[];
}

export class AccessLog {
  private readonly byTensor = new Map<number, Accesses>();

  add(tensor: number, instruction: number, writes: boolean, reads: boolean): void {
    let accesses = this.byTensor.get(tensor);
    if (!accesses) {
      accesses = { writers: [], readers: [] };
      this.byTensor.set(tensor, accesses);
    }
    if (writes) accesses.writers.push(instruction);
    if (reads) accesses.readers.push(instruction);
  }

  /** The last writer before an instruction; -1: none. */
  writer(tensor: number, before: number): number {
    const writers = this.byTensor.get(tensor)?.writers ?? [];
    return writers[lowerBound(writers, before) - 1] ?? -1;
  }

  /** Calls `visit` for the last writer before an instruction and everybody who has read since. */
  sinceWritten(tensor: number, before: number, visit: (instruction: number) => void): void {
    const writer = this.writer(tensor, before);
    if (writer >= 0) visit(writer);
    const readers = this.byTensor.get(tensor)?.readers ?? [];
    for (let k = lowerBound(readers, before) - 1; k >= 0 && readers[k] > writer; k--) visit(readers[k]);
  }
}

/** Number of entries that are smaller. */
function lowerBound(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
