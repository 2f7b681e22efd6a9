/**
 * The buffers of a loop's iterations, and places for them in another order of the loop. A buffer is what one iteration keeps at one place
 * of SBUF or PSUM, from its first write to its last use. In the new order each buffer needs a place of its own for that time, and its
 * first writer waits for the instructions that used its place before. Partitions are not looked at: a buffer takes its bytes in all.
 */
import { bytesText } from '../analyze/format';
import { FreeSpace } from '../compile/allocation/freeSpace';
import type { Schedulable } from '../compile/compiled';
import { neuronPolicy } from '../compile/neuronPolicy';
import type { Strategy } from '../compile/policy';
import type { Machine } from '../hardware/machine';
import { elementBytesOf, freeElements, isDestination, operandsOf, type Profile } from '../profile/profile';
import { EventHeap } from '../schedule/heap';
import { SPACES } from '../vocabulary/spaces';
import type { DataFlow } from './dataFlow';
import { NoExperiment } from './noExperiment';

export interface LoopBuffers {
  /** Of each buffer: index in SPACES. */
  space: Uint8Array;
  /** In each partition. */
  sizeBytes: Float64Array;
  /** Instructions that write or read buffer b, ascending: use[useStart[b]..useStart[b + 1]]. */
  useStart: Uint32Array;
  use: Uint32Array;
}

/** The buffers that an order needs at one time have no room. */
export class NoRoom extends NoExperiment {
  override name = 'NoRoom';
}

const [SBUF, PSUM] = [SPACES.indexOf('sbuf'), SPACES.indexOf('psum')];

/**
 * What an instruction changes in place stays the same buffer, also from one iteration to the next.
 * @param iteration instruction -> number of its iteration
 */
export function loopBuffers(profile: Profile, { producerStart, producer, consumerStart }: DataFlow, iteration: Uint32Array): LoopBuffers {
  const { row } = profile.timing!.instructions;
  const uses: number[][] = [];
  const space: number[] = [];
  const sizeBytes: number[] = [];
  /** Instruction -> the buffers that it writes, by their operands. */
  const written = new Map<number, Map<number, number>>();
  /** By place and iteration: the buffer there, and who wrote it last. */
  const there = new Map<string, { buffer: number; writer: number }>();
  const isRead = (writer: number) => consumerStart[writer + 1] > consumerStart[writer];
  const add = (buffer: number, i: number) => {
    if (uses[buffer].at(-1) !== i) uses[buffer].push(i);
  };
  for (let i = 0; i < iteration.length; i++) {
    const producers = producer.subarray(producerStart[i], producerStart[i + 1]);
    for (const from of producers) for (const buffer of written.get(from)?.values() ?? []) add(buffer, i);
    const list = profile.instructions.operands[row[i]];
    const bytes = elementBytesOf(profile, list);
    const own = new Map<number, number>();
    for (const [k, operand] of operandsOf(profile, list).entries()) {
      const where = profile.operands.space[operand];
      if (!isDestination(profile, operand) || (where !== SBUF && where !== PSUM)) continue;
      const key = `${operand} ${iteration[i]}`;
      const inPlace = [...producers].map(from => written.get(from)?.get(operand)).find(buffer => buffer !== undefined);
      const last = there.get(key);
      // What somebody has read is over when the place is written anew; else it is added to.
      let buffer = inPlace ?? (last && !isRead(last.writer) ? last.buffer : undefined);
      if (buffer === undefined) {
        buffer = uses.push([]) - 1;
        space.push(where);
        sizeBytes.push(freeElements(profile, operand) * bytes[k]);
      }
      add(buffer, i);
      there.set(key, { buffer, writer: i });
      own.set(operand, buffer);
    }
    if (own.size > 0) written.set(i, own);
  }
  const useStart = new Uint32Array(uses.length + 1);
  for (const [b, those] of uses.entries()) useStart[b + 1] = useStart[b] + those.length;
  return { space: Uint8Array.from(space), sizeBytes: Float64Array.from(sizeBytes), useStart, use: Uint32Array.from(uses.flat()) };
}

/** Places for buffers while instructions are put into an order. */
export class Places {
  /** Instruction -> the events that it waits for: they use the place of its buffer before. */
  readonly waits = new Map<number, number[]>();
  private readonly memories: Map<number, FreeSpace>;
  /** Instruction -> buffers. */
  private readonly of: number[][];
  private readonly left: Uint32Array;
  /** When the last of its uses so far ends. */
  private readonly usedUntilNs: Float64Array;
  private readonly isPlaced: Uint8Array;
  /** Buffers that nobody will use any more, by the end of their last use. */
  private readonly leaving = new EventHeap();
  private missing = '';

  constructor(
    private readonly code: Schedulable,
    private readonly buffers: LoopBuffers,
    isThere: Uint8Array,
    strategy: Strategy,
  ) {
    this.memories = new Map([SBUF, PSUM].map(space => [space, memoryOf(code.machine, space, strategy)]));
    this.of = Array.from(isThere, () => []);
    const count = buffers.space.length;
    this.left = new Uint32Array(count);
    this.usedUntilNs = new Float64Array(count);
    this.isPlaced = new Uint8Array(count);
    for (let b = 0; b < count; b++)
      for (let u = buffers.useStart[b]; u < buffers.useStart[b + 1]; u++) {
        if (!isThere[buffers.use[u]]) continue;
        this.of[buffers.use[u]].push(b);
        this.left[b]++;
      }
  }

  /** Gives a place to all that these instructions begin to use. False: one has none yet; those before it keep theirs. */
  take(instructions: readonly number[]): boolean {
    const { space, sizeBytes } = this.buffers;
    for (const i of instructions)
      for (const buffer of this.of[i]) {
        if (this.isPlaced[buffer]) continue;
        const memory = this.memories.get(space[buffer])!;
        const address = memory.place(buffer, sizeBytes[buffer]);
        if (address < 0) {
          const needed = bytesText(memory.takenBytes() + sizeBytes[buffer]);
          const name = SPACES[space[buffer]].toUpperCase();
          this.missing = `its buffers need ${needed} of each partition of ${name}, which has ${bytesText(memory.capacityBytes)}`;
          return false;
        }
        this.isPlaced[buffer] = 1;
        const before = memory.occupy(buffer, address, address + sizeBytes[buffer]);
        const waits = before.flatMap(owner => this.usesOf(owner));
        if (waits.length > 0) this.waits.set(i, [...(this.waits.get(i) ?? []), ...waits]);
      }
    return true;
  }

  /** Its last use of its buffers ends then. */
  used(instruction: number, endNs: number) {
    for (const buffer of this.of[instruction]) {
      this.usedUntilNs[buffer] = Math.max(this.usedUntilNs[buffer], endNs);
      if (--this.left[buffer] === 0) this.leaving.push(this.usedUntilNs[buffer], buffer);
    }
  }

  /** When the next place becomes free; Infinity: no use of a buffer is left that ends one. */
  get nextFreeNs(): number {
    return this.leaving.nextNs;
  }

  /** Frees that place. */
  free() {
    const buffer = this.leaving.pop();
    this.memories.get(this.buffers.space[buffer])!.release(buffer);
  }

  /** @throws NoRoom */
  fail(): never {
    throw new NoRoom(this.missing);
  }

  /** Events that end when the buffer is not used any more. */
  private usesOf(buffer: number): number[] {
    const { transfer, track } = this.code.instructions;
    const uses = [...this.buffers.use.subarray(this.buffers.useStart[buffer], this.buffers.useStart[buffer + 1])];
    return uses.filter(i => this.of[i].length > 0).map(i => (transfer[i] < 0 ? i : track.length + transfer[i]));
  }
}

function memoryOf(machine: Machine, space: number, strategy: Strategy): FreeSpace {
  if (space === PSUM)
    return new FreeSpace(
      machine.psumBytesPerPartition.value,
      { bytes: machine.psumAlignmentBytes.value, bankBytes: machine.psumBankBytes.value },
      strategy,
    );
  return new FreeSpace(machine.sbufBytesPerPartition.value, { bytes: neuronPolicy.sbufAlignmentBytes.value, bankBytes: 0 }, strategy);
}
