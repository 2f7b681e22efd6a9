/** What an allocation is given, and what it finds for each tensor. */
import type { Machine } from '../../hardware/machine';
import type { Program } from '../../program/program';
import type { Accesses, MachineInstructions } from '../compiled';
import type { Patterns } from '../patterns';
import type { Policy } from '../policy';
import type { Lifetimes } from './lifetimes';

export interface AllocationJob {
  program: Program;
  machine: Machine;
  policy: Policy;
  patterns: Patterns;
  instructions: MachineInstructions;
  accesses: Accesses;
  lives: Lifetimes;
  /** Of each partition of SBUF, that tensors may have. */
  sbufBytes: number;
}

/** The place of a tensor. */
export interface TensorPlace {
  tensor: number;
  addressBytes: number;
  firstPartition: number;
  /** Tensors that had some of its bytes before, in some of its partitions. */
  before: number[];
}

/** Tensors of a memory that are used. */
export function usedTensors({ patterns, lives }: AllocationJob, memory: number): number[] {
  const tensors = Array.from({ length: patterns.tensors }, (_, tensor) => tensor);
  return tensors.filter(tensor => patterns.space(tensor) === memory && lives.firstUse[tensor] >= 0);
}
