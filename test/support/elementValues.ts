/** What machine code leaves in each element of a kernel's outputs, as numbers that stand for terms: what was computed of what, where. */
import { ACCUMULATE, type Compiled, READ } from '../../src/simulator/compile/compiled';
import { HBM } from '../../src/simulator/compile/patterns';

/** By name of each HBM tensor of the program. Patterns must be of their tensor's own dtype; copies are as large as what they copy. */
export function elementValues(c: Compiled): Map<string, number[]> {
  const { patterns, accesses } = c;
  const { accessStart, origin, transfer, opcode } = c.instructions;
  const memory = Array.from({ length: patterns.tensors }, (_, tensor) =>
    Array.from({ length: patterns.size(tensor, 0) * patterns.elementsPerPartition(tensor) }, (_, k) =>
      patterns.space(tensor) === HBM ? term(tensor, k) : 0,
    ),
  );
  for (let i = 0; i < origin.length; i++) {
    const reads: number[][] = [];
    const read: number[] = [];
    const writes: number[] = [];
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      const pattern = accesses.pattern[a];
      const role = accesses.role[a];
      if (role === READ || role === ACCUMULATE) {
        reads.push(walk(c, pattern).map(at => memory[patterns.tensor(pattern)][at]));
        read.push(pattern);
      }
      if (role !== READ) writes.push(pattern);
    }
    const isCopy = transfer[i] >= 0 || c.opcodes[opcode[i]] === 'COPY';
    const made = reads.flat().reduce(term, origin[i]);
    const places = writes.map(pattern => walk(c, pattern).map(at => ({ values: memory[patterns.tensor(pattern)], at })));
    // one pattern on one side, its parts on the other
    const isSpread = isCopy && Math.min(reads.length, writes.length) === 1 && reads.flat().length === places.flat().length;
    const copied = isSpread ? byRow(c, read, reads) : reads[0];
    for (const list of isSpread ? [byRow(c, writes, places)] : places)
      for (const [k, { values, at }] of list.entries()) values[at] = isCopy ? copied[k] : term(made, k);
  }
  const named = [...memory.entries()].filter(([tensor]) => tensor < patterns.programTensors && patterns.space(tensor) === HBM);
  return new Map(named.map(([tensor, values]) => [patterns.name(tensor), values]));
}

/** A DMA of several parts of a tile moves a row of each part, then the next row. @param elements of each pattern, in order */
function byRow<T>({ patterns }: Compiled, used: readonly number[], elements: readonly T[][]): T[] {
  if (elements.length <= 1) return elements.flat();
  const rows = patterns.countOf(used[0], 0);
  return Array.from({ length: rows }, (_, row) =>
    elements.flatMap(all => all.slice((row * all.length) / rows, ((row + 1) * all.length) / rows)),
  ).flat();
}

/** Elements of its tensor that a pattern visits, in order. */
function walk({ patterns }: Compiled, pattern: number): number[] {
  let places = [patterns.offset(pattern)];
  for (let dim = 0; dim < patterns.dims(pattern); dim++)
    places = places.flatMap(at =>
      Array.from({ length: patterns.countOf(pattern, dim) }, (_, k) => at + k * patterns.strideOf(pattern, dim)),
    );
  return places;
}

const term = (a: number, b: number) => (Math.imul(a ^ (b + 0x9e37), 0x5bd1e995) ^ (a >>> 13)) | 0;
