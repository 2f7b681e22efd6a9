/**
 * SBUF and PSUM addresses. A tensor keeps its bytes from its first to its last use in program order, in every partition, but by the strategy
 * `byPartition`, where tensors of few partitions share bytes. Addresses that the kernel chose are kept. The first strategy lets buffers
 * alternate. If that does not fit in a memory, its large or long-lived tensors are packed, then all of them, and then the addresses of tensors
 * that the kernel placed are also used, before and after their uses.
 */
import { CapacityError, errorAt, type KernelError, kibText as kib } from '../../program/error';
import type { Allocation } from '../compiled';
import { PSUM, SBUF } from '../patterns';
import type { Placement, Strategy } from '../policy';
import { placedByPartition } from './byPartition';
import { demand } from './demand';
import { FreeSpace, type Packed } from './freeSpace';
import { greedyBySize } from './greedyBySize';
import { type AllocationJob, type TensorPlace, usedTensors } from './job';
import { lifetimes, peak } from './lifetimes';

/** @throws CapacityError at the line whose tensor does not fit; KernelError where the kernel's own address is beyond the memory. */
export function allocate(given: Omit<AllocationJob, 'lives' | 'sbufBytes'>, { strategies, sbufShare }: Placement): Allocation {
  const sbufBytes = Math.floor(sbufShare * given.machine.sbufBytesPerPartition.value);
  const job = { ...given, sbufBytes, lives: lifetimes(given.patterns, given.instructions, given.accesses) };
  const addressBytes = new Float64Array(given.patterns.tensors).fill(-1);
  const firstPartition = new Uint8Array(given.patterns.tensors);
  const reuse: number[][] = new Array(given.patterns.tensors);
  for (const memory of [SBUF, PSUM])
    for (const place of firstThatFits(job, memory, strategies)) {
      addressBytes[place.tensor] = place.addressBytes;
      firstPartition[place.tensor] = place.firstPartition;
      reuse[place.tensor] = place.before;
    }
  return { addressBytes, firstPartition, ...job.lives, ...columns(reuse) };
}

/** @throws CapacityError if no strategy fits: that of the last one */
function firstThatFits(job: AllocationJob, memory: number, strategies: readonly Strategy[]): TensorPlace[] {
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

function placedBy(job: AllocationJob, memory: number, strategy: Strategy): TensorPlace[] {
  const byPartition = strategy === 'byPartition' && memory === SBUF && !placesIn(job, SBUF) ? placedByPartition(job) : null;
  if (byPartition) return byPartition;
  const { patterns, instructions, accesses, lives } = job;
  const free = space(job, memory, strategy);
  const planned = strategy === 'bySize' && memory === SBUF ? largestFirst(job) : null;
  const places: TensorPlace[] = [];
  const isPlaced = new Uint8Array(patterns.tensors);
  const { accessStart, track } = instructions;
  for (let i = 0; i < track.length; i++) {
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      const tensor = patterns.tensor(accesses.pattern[a]);
      if (isPlaced[tensor] || patterns.space(tensor) !== memory) continue;
      const size = patterns.bytesPerPartition(tensor);
      const beside = strategy === 'share' ? placedBeside(job, tensor) : [];
      const own = chosen(job, tensor);
      const address = own ?? planned?.get(tensor) ?? free.place(tensor, size, beside);
      const endBytes = own === undefined ? free.capacityBytes : mostBytesByAddress(job, memory);
      if (address < 0 || address + size > endBytes) throw overflow(job, free, tensor, address);
      isPlaced[tensor] = 1;
      places.push({ tensor, addressBytes: address, firstPartition: 0, before: free.occupy(tensor, address, address + size) });
    }
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      const tensor = patterns.tensor(accesses.pattern[a]);
      if (lives.lastUse[tensor] === i && patterns.space(tensor) === memory) free.release(tensor);
    }
  }
  return places;
}

/** Addresses in SBUF; null where the kernel placed tensors there itself, or where they do not fit so. */
function largestFirst(job: AllocationJob): ReadonlyMap<number, number> | null {
  const { patterns, policy, lives, sbufBytes } = job;
  if (placesIn(job, SBUF)) return null;
  const sized = usedTensors(job, SBUF).map(tensor => ({ tensor, sizeBytes: patterns.bytesPerPartition(tensor) }));
  return greedyBySize(sized, lives, sbufBytes, policy.sbufAlignmentBytes.value);
}

/** Whether the kernel placed tensors in a memory itself. */
const placesIn = (job: AllocationJob, which: number) => placed(job, which, () => true).length > 0;

/** Ranges of the tensors in a memory that the kernel placed itself. */
function placed({ patterns, program }: AllocationJob, which: number, counts: (tensor: number) => boolean): [number, number][] {
  const ranges: [number, number][] = [];
  for (let tensor = 0; tensor < patterns.programTensors; tensor++) {
    const address = program.tensors.addressBytes[tensor];
    if (address >= 0 && patterns.space(tensor) === which && counts(tensor))
      ranges.push([address, address + patterns.bytesPerPartition(tensor)]);
  }
  return ranges;
}

/** The placed tensors that are in use at some time between the first and the last use of a tensor. */
function placedBeside(job: AllocationJob, tensor: number): [number, number][] {
  const { firstUse, lastUse } = job.lives;
  const beside = (other: number) => firstUse[other] >= 0 && firstUse[other] <= lastUse[tensor] && lastUse[other] >= firstUse[tensor];
  return placed(job, job.patterns.space(tensor), beside);
}

function space(job: AllocationJob, which: number, strategy: Strategy): FreeSpace {
  const { machine, policy, lives } = job;
  const reserved = strategy === 'share' ? [] : placed(job, which, tensor => lives.firstUse[tensor] >= 0);
  const packs = PACKED[strategy];
  return which === PSUM
    ? new FreeSpace(
        machine.psumBytesPerPartition.value,
        { bytes: machine.psumAlignmentBytes.value, bankBytes: machine.psumBankBytes.value },
        // Banks have no large tensors.
        packs ? 'oldest' : strategy,
        reserved,
      )
    : new FreeSpace(job.sbufBytes, { bytes: policy.sbufAlignmentBytes.value, bankBytes: 0 }, strategy, reserved, packs?.(job));
}

/** What the strategies pack that part SBUF. */
const PACKED: Partial<Record<Strategy, (job: AllocationJob) => Packed>> = {
  /** Large tensors have just the space that they need at once. */
  apart(job) {
    const fromBytes = job.policy.largeShare.value * job.machine.sbufBytesPerPartition.value;
    const has = (tensor: number) => job.patterns.bytesPerPartition(tensor) >= fromBytes;
    return { has, reservedBytes: mostBytes(job, has) };
  },
  /** Tensors that live long have half of what is left besides: packed, they leave gaps between sizes. */
  byLifetime(job) {
    const { firstUse, lastUse } = job.lives;
    const has = (tensor: number) => lastUse[tensor] - firstUse[tensor] > job.policy.farInstructions.value;
    const packedBytes = mostBytes(job, has);
    const leftBytes = job.sbufBytes - packedBytes - mostBytes(job, tensor => !has(tensor));
    return { has, reservedBytes: packedBytes + Math.max(0, leftBytes / 2) };
  },
};

/** The space that some tensors of SBUF need at once. */
function mostBytes({ patterns, instructions, lives }: AllocationJob, counts: (tensor: number) => boolean): number {
  const sizeOf = (tensor: number) => (patterns.space(tensor) === SBUF && counts(tensor) ? patterns.bytesPerPartition(tensor) : 0);
  return peak(lives, instructions.track.length, sizeOf).mostBytes;
}

function chosen({ patterns }: AllocationJob, tensor: number): number | undefined {
  const address = patterns.chosenAddress(tensor);
  return address >= 0 ? address : undefined;
}

/**
 * Where a tensor whose address the kernel chose may end. The part of SBUF that the compiler keeps is there, too: a kernel of andxalex/CS149 (a0a4d20)
 * has one on Trn1 that ends at byte 192,000.
 */
function mostBytesByAddress({ machine }: AllocationJob, memory: number): number {
  if (memory === PSUM) return machine.psumBytesPerPartition.value;
  return machine.sbufBytesPerPartition.value + machine.sbufReservedBytesPerPartition.value;
}

function overflow(job: AllocationJob, free: FreeSpace, tensor: number, address: number): KernelError {
  const { patterns, program, machine } = job;
  const memory = patterns.space(tensor) === PSUM ? 'PSUM' : 'SBUF';
  const size = patterns.bytesPerPartition(tensor);
  const name = `tensor ${patterns.name(tensor)} (${kib(size)} per partition)`;
  const core = `NeuronCore-${machine.generation}`;
  if (address >= 0) {
    const end = `${memory}: each partition of ${core} ends at ${kib(mostBytesByAddress(job, patterns.space(tensor)))}`;
    return errorAt(program, patterns.frame(tensor), `${name} at address ${address} ends beyond ${end}`);
  }
  const limit = `${memory} of ${core} has ${kib(free.capacityBytes)} of each partition for tensors`;
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
