/**
 * SBUF and PSUM addresses. A tensor keeps its bytes in every partition from its first to its last use in program order. Addresses that
 * the kernel chose are kept. The first strategy lets buffers alternate. If that does not fit in a memory, its tensors are packed, and at last the
 * addresses of tensors that the kernel placed are also used, before and after their uses.
 */
import type { Machine } from '../../hardware/machine';
import { CapacityError, errorAt, type KernelError, kibText as kib } from '../../program/error';
import type { Program } from '../../program/program';
import type { Accesses, Allocation, MachineInstructions } from '../compiled';
import { type Patterns, PSUM, SBUF } from '../patterns';
import type { Placement, Policy, Strategy } from '../policy';
import { demand } from './demand';
import { FreeSpace, type Large } from './freeSpace';
import { greedyBySize } from './greedyBySize';
import { type Lifetimes, lifetimes, peak } from './lifetimes';

/** @throws CapacityError at the line whose tensor does not fit; KernelError where the kernel's own address is beyond the memory. */
export function allocate(given: Omit<Job, 'lives' | 'sbufBytes'>, { strategies, sbufShare }: Placement): Allocation {
  const sbufBytes = Math.floor(sbufShare * given.machine.sbufBytesPerPartition.value);
  const job = { ...given, sbufBytes, lives: lifetimes(given.patterns, given.instructions, given.accesses) };
  const addressBytes = new Float64Array(given.patterns.tensors).fill(-1);
  const reuse: number[][] = new Array(given.patterns.tensors);
  for (const memory of [SBUF, PSUM])
    for (const [tensor, address, before] of firstThatFits(job, memory, strategies)) {
      addressBytes[tensor] = address;
      reuse[tensor] = before;
    }
  return { addressBytes, ...job.lives, ...columns(reuse) };
}

/** The place of a tensor: its address in bytes, and the tensors that had some of its bytes before. */
type Place = [tensor: number, addressBytes: number, before: number[]];

/** @throws CapacityError if no strategy fits: that of the last one */
function firstThatFits(job: Job, memory: number, strategies: readonly Strategy[]): Place[] {
  let failed: unknown;
  for (const strategy of strategies)
    try {
      return placedBy(job, memory, strategy);
    } catch (error) {
      if (!(error instanceof CapacityError)) throw error;
      failed = error;
    }
  throw failed;
}

interface Job {
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

function placedBy(job: Job, memory: number, strategy: Strategy): Place[] {
  const { patterns, instructions, accesses, lives } = job;
  const free = space(job, memory, strategy);
  const planned = strategy === 'bySize' && memory === SBUF ? largestFirst(job) : null;
  const places: Place[] = [];
  const isPlaced = new Uint8Array(patterns.tensors);
  const { accessStart, track } = instructions;
  for (let i = 0; i < track.length; i++) {
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      const tensor = patterns.tensor(accesses.pattern[a]);
      if (isPlaced[tensor] || patterns.space(tensor) !== memory) continue;
      const size = patterns.bytesPerPartition(tensor);
      const beside = strategy === 'share' ? placedBeside(job, tensor) : [];
      const address = chosen(job, tensor) ?? planned?.get(tensor) ?? free.place(tensor, size, beside);
      if (address < 0 || address + size > free.capacityBytes) throw overflow(job, free, tensor, address);
      isPlaced[tensor] = 1;
      places.push([tensor, address, free.occupy(tensor, address, address + size)]);
    }
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      const tensor = patterns.tensor(accesses.pattern[a]);
      if (lives.lastUse[tensor] === i && patterns.space(tensor) === memory) free.release(tensor);
    }
  }
  return places;
}

/** Addresses in SBUF; null where the kernel placed tensors there itself, or where they do not fit so. */
function largestFirst(job: Job): ReadonlyMap<number, number> | null {
  const { patterns, policy, lives, sbufBytes } = job;
  if (placed(job, SBUF, () => true).length > 0) return null;
  const tensors = Array.from({ length: patterns.tensors }, (_, tensor) => tensor);
  const used = tensors.filter(tensor => patterns.space(tensor) === SBUF && lives.firstUse[tensor] >= 0);
  const sized = used.map(tensor => ({ tensor, sizeBytes: patterns.bytesPerPartition(tensor) }));
  return greedyBySize(sized, lives, sbufBytes, policy.sbufAlignmentBytes.value);
}

/** Ranges of the tensors in a memory that the kernel placed itself. */
function placed({ patterns, program }: Job, which: number, counts: (tensor: number) => boolean): [number, number][] {
  const ranges: [number, number][] = [];
  for (let tensor = 0; tensor < patterns.programTensors; tensor++) {
    const address = program.tensors.addressBytes[tensor];
    if (address >= 0 && patterns.space(tensor) === which && counts(tensor))
      ranges.push([address, address + patterns.bytesPerPartition(tensor)]);
  }
  return ranges;
}

/** The placed tensors that are in use at some time between the first and the last use of a tensor. */
function placedBeside(job: Job, tensor: number): [number, number][] {
  const { firstUse, lastUse } = job.lives;
  const beside = (other: number) => firstUse[other] >= 0 && firstUse[other] <= lastUse[tensor] && lastUse[other] >= firstUse[tensor];
  return placed(job, job.patterns.space(tensor), beside);
}

function space(job: Job, which: number, strategy: Strategy): FreeSpace {
  const { machine, policy, lives } = job;
  const reserved = strategy === 'share' ? [] : placed(job, which, tensor => lives.firstUse[tensor] >= 0);
  return which === PSUM
    ? new FreeSpace(
        machine.psumBytesPerPartition.value,
        { bytes: machine.psumAlignmentBytes.value, bankBytes: machine.psumBankBytes.value },
        // Banks have no large tensors.
        strategy === 'apart' ? 'oldest' : strategy,
        reserved,
      )
    : new FreeSpace(
        job.sbufBytes,
        { bytes: policy.sbufAlignmentBytes.value, bankBytes: 0 },
        strategy,
        reserved,
        strategy === 'apart' ? largeTensors(job) : undefined,
      );
}

/** The size in bytes from which tensors of SBUF are large, and the space that large tensors need at once. */
function largeTensors({ machine, policy, patterns, instructions, lives }: Job): Large {
  const fromBytes = policy.largeShare.value * machine.sbufBytesPerPartition.value;
  const { mostBytes: reservedBytes } = peak(lives, instructions.track.length, tensor => {
    const size = patterns.bytesPerPartition(tensor);
    return patterns.space(tensor) === SBUF && size >= fromBytes ? size : 0;
  });
  return { fromBytes, reservedBytes };
}

function chosen({ patterns }: Job, tensor: number): number | undefined {
  const address = patterns.chosenAddress(tensor);
  return address >= 0 ? address : undefined;
}

function overflow(job: Job, free: FreeSpace, tensor: number, address: number): KernelError {
  const { patterns, program, machine } = job;
  const memory = patterns.space(tensor) === PSUM ? 'PSUM' : 'SBUF';
  const size = patterns.bytesPerPartition(tensor);
  const limit = `${memory} of NeuronCore-${machine.generation} has ${kib(free.capacityBytes)} of each partition for tensors`;
  const name = `tensor ${patterns.name(tensor)} (${kib(size)} per partition)`;
  if (address >= 0) return errorAt(program, patterns.frame(tensor), `${name} at address ${address} ends beyond ${memory}: ${limit}`);
  const { neededBytes, holders } = demand(job, job.lives, job.instructions, patterns.space(tensor));
  const lackingBytes = neededBytes - free.capacityBytes;
  const missingBytes = lackingBytes > 0 ? lackingBytes : size - free.largestGapBytes();
  const missing = lackingBytes > 0 ? `${kib(missingBytes)} are missing` : `${kib(missingBytes)} more are needed in one piece`;
  const message = `${name} does not fit: ${limit}; ${kib(neededBytes)} are needed at once: ${holders}; ${missing}`;
  return new CapacityError(errorAt(program, patterns.frame(tensor), ''), message, missingBytes);
}

function columns(reuse: readonly (number[] | undefined)[]): Pick<Allocation, 'reuseStart' | 'reused'> {
  const reuseStart = new Uint32Array(reuse.length + 1);
  for (let t = 0; t < reuse.length; t++) reuseStart[t + 1] = reuseStart[t] + (reuse[t]?.length ?? 0);
  const reused = new Uint32Array(reuseStart[reuse.length]);
  for (let t = 0; t < reuse.length; t++) if (reuse[t]) reused.set(reuse[t]!, reuseStart[t]);
  return { reuseStart, reused };
}
