/**
 * Tensors that may have the place of another one whose last use is their first: an instruction of VectorE, ScalarE or GpSimd that works
 * element by element may write each result where it read an input. As tensors that are in use together otherwise share no bytes, this is
 * so only if both are accessed in the same way, and only at the same place. It is so only where the earlier one has at most half of the
 * partitions, as in the kernel that shows it (`neuronPolicy.ts`, lastStrategies): nothing shows that others are not refused.
 */
import type { Machine } from '../../hardware/machine';
import { findRow } from '../../isa/table';
import type { Program } from '../../program/program';
import { type Accesses, type MachineInstructions, READ, TENSOR, TENSOR_MATRIX, WRITE } from '../compiled';
import { type Patterns, SBUF } from '../patterns';
import type { Lifetimes } from './lifetimes';
import { partitionsOf } from './startPartitions';

/** Lowerings to instructions that write an element as soon as they have read the same elements of their inputs. */
const ELEMENT_BY_ELEMENT = new Set(['tensorTensor', 'tensorScalar', 'scalarTensorTensor', 'reciprocal', 'activation', 'copy']);

/** By the later tensor: the earlier one, and how many partitions behind its start the later one must start. */
export type Takeovers = ReadonlyMap<number, ReadonlyMap<number, number>>;

interface Given {
  machine: Machine;
  program: Program;
  patterns: Patterns;
  instructions: Pick<MachineInstructions, 'track' | 'transfer' | 'origin' | 'accessStart'>;
  accesses: Accesses;
  lives: Lifetimes;
}

export function takeovers({ machine, program, patterns, instructions, accesses, lives }: Given): Takeovers {
  const { track, transfer, origin, accessStart } = instructions;
  const { operation, predicate } = program.instructions;
  const isElementwise = program.operations.map(name => ELEMENT_BY_ELEMENT.has(findRow(name)?.lower ?? ''));
  const found = new Map<number, Map<number, number>>();

  const mayTakeOver = (i: number) =>
    transfer[i] < 0 &&
    track[i] !== TENSOR &&
    track[i] !== TENSOR_MATRIX &&
    isElementwise[operation[origin[i]]] &&
    // A masked instruction leaves elements as they were.
    predicate[origin[i]] < 0;
  const isSmall = (tensor: number) => patterns.space(tensor) === SBUF && 2 * partitionsOf(patterns, tensor) <= machine.partitions.value;

  for (let i = 0; i < track.length; i++) {
    if (!mayTakeOver(i)) continue;
    const uses = Array.from(accesses.pattern.subarray(accessStart[i], accessStart[i + 1]), (pattern, k) => ({
      pattern,
      tensor: patterns.tensor(pattern),
      role: accesses.role[accessStart[i] + k],
    }));
    for (const { tensor: later, pattern, role } of uses) {
      if (role !== WRITE || lives.firstUse[later] !== i || patterns.space(later) !== SBUF) continue;
      if (uses.filter(use => use.tensor === later).length > 1) continue;
      for (const { tensor: earlier } of uses) {
        if (earlier === later || lives.lastUse[earlier] !== i || !isSmall(earlier)) continue;
        const reads = uses.filter(use => use.tensor === earlier);
        if (!reads.every(read => read.role === READ && isSameWalk(patterns, read.pattern, pattern))) continue;
        const behind = reads.map(read => patterns.firstPartition(read.pattern) - patterns.firstPartition(pattern));
        if (behind.every(one => one === behind[0])) found.set(later, (found.get(later) ?? new Map()).set(earlier, behind[0]));
      }
    }
  }
  return found;
}

/** The same bytes in the same order, if the tensors have one address: in as many partitions, from any on. */
function isSameWalk(p: Patterns, a: number, b: number): boolean {
  if (p.dims(a) !== p.dims(b) || p.bytesOf(a) !== p.bytesOf(b) || p.offsetInPartition(a) !== p.offsetInPartition(b)) return false;
  for (let dim = 0; dim < p.dims(a); dim++) {
    if (p.countOf(a, dim) !== p.countOf(b, dim)) return false;
    const isStepSame =
      dim === 0 ? p.strideOf(a, 0) / p.rowElements(a) === p.strideOf(b, 0) / p.rowElements(b) : p.strideOf(a, dim) === p.strideOf(b, dim);
    if (p.countOf(a, dim) > 1 && !isStepSame) return false;
  }
  return true;
}
