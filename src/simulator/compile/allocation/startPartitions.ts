/**
 * The partitions that tensors of SBUF may start at, other than 0. Engines reach partitions from 0, 32, 64 or 96 on
 * (`program/checks/startPartition.ts`). What one instruction of VectorE, ScalarE or GpSimd reads together keeps its distance: its inputs must
 * start at the same partition, so these tensors move by the same number of partitions or not at all. What TensorE reads stays at 0: its rows
 * are rows of the PE array. DMA engines reach every partition.
 */
import { type Machine, startPartitionGrain } from '../../hardware/machine';
import { type Accesses, type MachineInstructions, READ, TENSOR, TENSOR_MATRIX } from '../compiled';
import { type Patterns, SBUF } from '../patterns';

export interface StartPartitions {
  /** Tensors that move together have the same number, by tensor. */
  group: Int32Array;
  /** Where tensors of a group may start, ascending; by group. The first is 0. */
  starts: ReadonlyMap<number, readonly number[]>;
}

type Code = { instructions: Pick<MachineInstructions, 'track' | 'transfer' | 'accessStart'>; accesses: Accesses };

export function startPartitions(patterns: Patterns, code: Code, machine: Machine): StartPartitions {
  const groups = readTogether(patterns, code);
  const reach = new Reach(patterns, machine);
  const starts = new Map<number, readonly number[]>();
  const keep = (tensor: number, may: (start: number) => boolean) => {
    const group = groups.of(tensor);
    starts.set(group, (starts.get(group) ?? reach.all).filter(may));
  };
  for (let tensor = 0; tensor < patterns.tensors; tensor++)
    if (patterns.space(tensor) === SBUF) keep(tensor, start => reach.fits(start, partitionsOf(patterns, tensor)));
  eachEngineAccess(patterns, code, (pattern, _, track) => {
    const isProduct = track === TENSOR || track === TENSOR_MATRIX;
    keep(patterns.tensor(pattern), start => start === 0 || (!isProduct && reach.has(start, pattern)));
  });
  return { group: Int32Array.from({ length: patterns.tensors }, (_, tensor) => groups.of(tensor)), starts };
}

export const partitionsOf = (patterns: Patterns, tensor: number) => (patterns.rank(tensor) === 0 ? 1 : patterns.size(tensor, 0));

/** Accesses of SBUF by engines, DMAs not included. */
function eachEngineAccess(
  patterns: Patterns,
  { instructions, accesses }: Code,
  visit: (pattern: number, instruction: number, track: number, role: number) => void,
) {
  const { track, transfer, accessStart } = instructions;
  for (let i = 0; i < track.length; i++)
    for (let a = accessStart[i]; transfer[i] < 0 && a < accessStart[i + 1]; a++) {
      const pattern = accesses.pattern[a];
      if (patterns.spaceOf(pattern) === SBUF) visit(pattern, i, track[i], accesses.role[a]);
    }
}

function readTogether(patterns: Patterns, code: Code): Groups {
  const groups = new Groups(patterns.tensors);
  let [reader, first] = [-1, -1];
  eachEngineAccess(patterns, code, (pattern, instruction, _, role) => {
    if (role !== READ) return;
    const tensor = patterns.tensor(pattern);
    if (reader === instruction) groups.join(first, tensor);
    else [reader, first] = [instruction, tensor];
  });
  return groups;
}

/** Which partitions so many can start at. */
class Reach {
  /** In ascending order: every start that is possible for few partitions. */
  readonly all: readonly number[];

  constructor(
    private readonly patterns: Patterns,
    private readonly machine: Machine,
  ) {
    const quadrant = machine.quadrantPartitions.value;
    this.all = Array.from({ length: machine.partitions.value / quadrant }, (_, k) => k * quadrant);
  }

  fits(start: number, partitions: number): boolean {
    return start % startPartitionGrain(this.machine, partitions) === 0 && start + partitions <= this.machine.partitions.value;
  }

  /** Whether an engine can access the pattern in a tensor that starts there. Of patterns that skip partitions this is not known. */
  has(start: number, pattern: number): boolean {
    const { patterns } = this;
    const count = patterns.partitions(pattern);
    const isDense =
      count === 1 || patterns.strideOf(pattern, 0) * patterns.bytesOf(pattern) === patterns.bytesPerPartition(patterns.tensor(pattern));
    return isDense && this.fits(start + patterns.firstPartition(pattern), count);
  }
}

/** Union-find. */
class Groups {
  private readonly parent: Int32Array;

  constructor(count: number) {
    this.parent = Int32Array.from({ length: count }, (_, k) => k);
  }

  of(member: number): number {
    let root = member;
    while (this.parent[root] !== root) root = this.parent[root];
    // A shorter path, so that long chains are walked once.
    this.parent[member] = root;
    return root;
  }

  join(a: number, b: number) {
    this.parent[this.of(b)] = this.of(a);
  }
}
