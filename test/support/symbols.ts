/**
 * What compiled code leaves in its outputs, as symbols: every element of partition 0 is a number that stands for the operations
 * it came from. Two pipelines that mean the same leave the same symbols. Knows what the tests that use it record: copies and
 * DMA, elementwise functions with columns beside their tile, reductions of the innermost elements, products.
 */
import { ACCUMULATE, type Compiled, READ } from '../../src/simulator/compile/compiled';
import { HBM } from '../../src/simulator/compile/patterns';

const MOVES = ['COPY', 'CAST', 'DMA_DIRECT2D', 'PSEUDO_DMA_TRIGGER'];

export function symbols(c: Compiled): Map<string, number[]> {
  const { accessStart, opcode, track } = c.instructions;
  const memory = new Map<number, number[]>();
  let weights: number[] = [];
  for (let i = 0; i < track.length; i++) {
    const name = c.opcodes[opcode[i]];
    const inputs: number[][] = [];
    const writes: number[] = [];
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      const pattern = c.accesses.pattern[a];
      if (c.accesses.role[a] !== READ) writes.push(pattern);
      if (c.accesses.role[a] === READ || c.accesses.role[a] === ACCUMULATE)
        inputs.push(places(c, pattern).map(at => read(c, memory, pattern, at)));
    }
    if (name === 'LDWEIGHTS') weights = inputs[0];
    const counts = writes.map(pattern => places(c, pattern).length);
    const moved = MOVES.includes(name) && Math.min(inputs.length, writes.length) === 1 ? inputs.flat() : [];
    // a DMA of several parts of a tile on one side
    const isSpread = moved.length === counts.reduce((sum, count) => sum + count, 0);
    let at = 0;
    for (const [k, pattern] of writes.entries()) {
      const operands = name === 'MATMUL' ? [...inputs, weights] : inputs;
      write(c, memory, pattern, isSpread ? moved.slice(at, at + counts[k]) : result(c, i, { inputs: operands, count: counts[k] }));
      at += counts[k];
    }
  }
  const outputs = [...Array(c.patterns.programTensors).keys()].filter(tensor => c.patterns.space(tensor) === HBM);
  return new Map(outputs.map(tensor => [c.patterns.name(tensor), memory.get(tensor) ?? []]));
}

interface Operation {
  inputs: number[][];
  /** Elements of the result. */
  count: number;
}

function result(c: Compiled, i: number, { inputs, count }: Operation): number[] {
  const name = c.opcodes[c.instructions.opcode[i]];
  if (MOVES.includes(name) && inputs[0]?.length === count) return inputs[0];
  const { before, after } = c.details[c.instructions.detail[i]] ?? { before: '', after: '' };
  const what = symbol(`${name} ${before} ${after}`, []);
  return Array.from({ length: count }, (_, k) =>
    symbol(
      `${what}`,
      inputs.flatMap(input => part(name, input, k, count)),
    ),
  );
}

/** What element k of the result comes from: its own elements of what is as long or longer, all of what is short. */
function part(name: string, input: number[], k: number, count: number): number[] {
  if (name === 'MATMUL' || input.length < count) return input.length === count ? [input[k]] : input;
  const each = input.length / count;
  return input.slice(k * each, (k + 1) * each);
}

/** Elements of the tensor that the pattern walks in partition 0; in HBM those of its first row. */
function places({ patterns }: Compiled, pattern: number): number[] {
  let result = [patterns.offset(pattern)];
  for (let dim = 1; dim < patterns.dims(pattern); dim++) {
    const steps = Array.from({ length: patterns.countOf(pattern, dim) }, (_, k) => k * patterns.strideOf(pattern, dim));
    result = result.flatMap(at => steps.map(step => at + step));
  }
  return result;
}

function read({ patterns }: Compiled, memory: ReadonlyMap<number, number[]>, pattern: number, at: number): number {
  const tensor = patterns.tensor(pattern);
  const nothing = patterns.space(tensor) === HBM ? `${patterns.name(tensor)} ${at}` : 'nothing';
  return memory.get(tensor)?.[at] ?? symbol(nothing, []);
}

function write(c: Compiled, memory: Map<number, number[]>, pattern: number, values: readonly number[]) {
  const tensor = c.patterns.tensor(pattern);
  const row = memory.get(tensor) ?? [];
  memory.set(tensor, row);
  for (const [k, at] of places(c, pattern).entries()) row[at] = values[k];
}

function symbol(text: string, from: readonly number[]): number {
  let h = 17;
  for (let k = 0; k < text.length; k++) h = (Math.imul(h, 31) + text.charCodeAt(k)) | 0;
  for (const value of from) h = (Math.imul(h, 31) + value + 1) | 0;
  return h;
}
