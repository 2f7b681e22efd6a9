/**
 * Which instruction makes the data that another one reads, and which make again what was made before (value numbering: equal operations
 * of one line on equal values give equal values). Read from the operands of machine code in the order of the program. Memory is
 * looked at in words of 4 bytes and quarters of the partitions; where that is too coarse, values count as different.
 */
import { Sequences } from '../columns/sequences';
import type { Schedulable } from '../compile/compiled';
import { countsOf, elementBytesOf, isDestination, isSource, NO_CHANNELS, operandsOf, type Profile, stepsOf } from '../profile/profile';
import { SPACES } from '../vocabulary/spaces';

const HBM = SPACES.indexOf('hbm');
const WORD_BYTES = 4;
const QUARTERS = 4;
const PARTITIONS = 128;
/** Their results differ each time: random numbers. */
const DRAWS = /RAND|RNG|DROPOUT/;

export interface DataFlow {
  /** Compiled instruction -> the first instruction that computed the same value, or itself. */
  first: Int32Array;
  /** Instructions whose results on chip instruction i reads: producer[producerStart[i]..producerStart[i + 1]]. */
  producerStart: Uint32Array;
  producer: Uint32Array;
  /** Instructions that read what instruction i wrote, before it was overwritten. */
  consumerStart: Uint32Array;
  consumer: Uint32Array;
}

/**
 * @param place of each instruction: equal ones come from the same source line
 * @param coreOf of each instruction, ascending: each core has memory of its own
 */
export function dataFlow(
  profile: Profile,
  { instructions, machine }: Schedulable,
  { place, coreOf }: { place: ArrayLike<number>; coreOf: ArrayLike<number> },
): DataFlow {
  const { addressPartitionBytes, addressPsumBytes } = machine;
  const count = instructions.track.length;
  const emptyMemory = () => new Memory(addressPartitionBytes.value, addressPsumBytes.value);
  let memory = emptyMemory();
  const lists = new Map<number, Access[]>();
  const first = new Int32Array(count);
  const firstOf: number[] = [];
  const known = new Sequences();
  const pairs: [reader: number, writer: number][] = [];
  const accessesOf = (list: number) => {
    const found = lists.get(list) ?? accesses(profile, list);
    lists.set(list, found);
    return found;
  };
  for (let i = 0; i < count; i++) {
    if (i > 0 && coreOf[i] !== coreOf[i - 1]) memory = emptyMemory();
    const list = profile.instructions.operands[profile.timing!.instructions.row[i]];
    const operation = profile.opcodes[instructions.opcode[i]];
    const key = [coreOf[i], place[i], instructions.opcode[i], profile.operandLists.template[list], profile.operandLists.channels[list]];
    const writers = new Set<number>();
    const all = accessesOf(list);
    let sources = 0;
    for (const access of all) {
      if (access.isSource) {
        sources++;
        key.push(access.shape, ...memory.read(access, writers));
      } else key.push(access.shape);
    }
    for (const writer of writers) pairs.push([i, writer]);
    const isRepeatable = sources > 0 && !DRAWS.test(operation) && !isMatrix(operation) && all.every(one => one.isSource || one.isDense);
    // A value of its own, where nothing is known of it.
    const value = known.intern(Int32Array.from(isRepeatable ? key : [-1, i]), isRepeatable ? key.length : 2);
    if (value === firstOf.length) firstOf.push(i);
    first[i] = firstOf[value];
    for (const access of all) if (!access.isSource) memory.write(access, i, value);
  }
  return { first, ...both(pairs, count) };
}

/** Sums in PSUM, and weights that others use: not values of one instruction. */
const isMatrix = (opcode: string) => opcode === 'MATMUL' || opcode === 'LDWEIGHTS';

/** An operand in memory. */
interface Access {
  isSource: boolean;
  space: number;
  /** The tensor in HBM; NO_TENSOR for other memories. */
  tensor: number;
  addressBytes: number;
  /** From the first to behind the last byte in a partition. */
  sizeBytes: number;
  /** Every byte between is written. */
  isDense: boolean;
  partitions: number;
  /** Pattern and dtype of the operand without its address; in HBM with its address. */
  shape: number;
}

function accesses(p: Profile, list: number): Access[] {
  const bytes = elementBytesOf(p, list);
  const channels = p.operandLists.channels[list];
  return Array.from(operandsOf(p, list), (operand, k): Access | null => {
    if (!isSource(p, operand) && !isDestination(p, operand)) return null;
    const [steps, counts] = [stepsOf(p, operand), countsOf(p, operand)];
    let [last, elements] = [0, 1];
    for (let d = 0; d < counts.length; d++) {
      last += Math.abs(steps[d]) * (counts[d] - 1);
      elements *= counts[d];
    }
    const space = p.operands.space[operand];
    return {
      isSource: isSource(p, operand),
      space,
      tensor: p.operands.tensor[operand],
      addressBytes: p.operands.addressBytes[operand],
      sizeBytes: (last + 1) * (bytes[k] || 1),
      isDense: last + 1 === elements,
      partitions: channels === NO_CHANNELS ? PARTITIONS : channels,
      shape: space === HBM ? operand : -1 - p.operands.pattern[operand] * 64 - (p.operands.dtype[operand] % 64),
    };
  }).filter(access => access !== null);
}

/** Which instruction wrote each part of memory last. */
class Memory {
  /** By space and quarter, for each word: the instruction that wrote it plus 1, and the value it is a part of with its place there. */
  private readonly written = new Map<number, { writer: Int32Array; value: Int32Array; word: Int32Array }>();
  /** Writes to each tensor of HBM so far. */
  private readonly versions = new Map<number, number>();

  constructor(
    private readonly partitionBytes: number,
    private readonly psumBytes: number,
  ) {}

  /** The versions of the data that an operand reads, as numbers; adds the instructions that wrote them. */
  read(access: Access, writers: Set<number>): number[] {
    if (access.space === HBM) return [access.tensor, this.versions.get(access.tensor) ?? 0];
    const parts: number[] = [];
    this.overWords(access, ({ writer, value, word }, from, to) => {
      for (let w = from; w < to; w++) {
        if (writer[w] > 0) writers.add(writer[w] - 1);
        if (w === from || value[w] !== value[w - 1] || word[w] - word[w - 1] !== 1) parts.push(w - from, value[w], word[w]);
      }
    });
    return parts;
  }

  write(access: Access, instruction: number, value: number) {
    if (access.space === HBM) {
      this.versions.set(access.tensor, (this.versions.get(access.tensor) ?? 0) + 1);
      return;
    }
    this.overWords(access, (words, from, to) => {
      words.writer.fill(instruction + 1, from, to);
      words.value.fill(value + 1, from, to);
      for (let w = from; w < to; w++) words.word[w] = w - from;
    });
  }

  private overWords(
    access: Access,
    visit: (words: { writer: Int32Array; value: Int32Array; word: Int32Array }, from: number, to: number) => void,
  ) {
    const inSpace = access.addressBytes % this.psumBytes;
    const offset = inSpace % this.partitionBytes;
    const from = Math.floor(offset / WORD_BYTES);
    const to = Math.max(from + 1, Math.ceil((offset + access.sizeBytes) / WORD_BYTES));
    const partition = Math.floor(inSpace / this.partitionBytes) % PARTITIONS;
    const perQuarter = PARTITIONS / QUARTERS;
    const last = Math.min(PARTITIONS, partition + Math.max(1, access.partitions)) - 1;
    for (let quarter = Math.floor(partition / perQuarter); quarter <= Math.floor(last / perQuarter); quarter++)
      visit(this.quarter(access.space * QUARTERS + quarter, to), from, to);
  }

  private quarter(key: number, words: number) {
    const known = this.written.get(key);
    if (known && known.writer.length >= words) return known;
    const longer = (column?: Int32Array) => {
      const result = new Int32Array(Math.max(words, 2 * (column?.length ?? 1024)));
      if (column) result.set(column);
      return result;
    };
    const grown = { writer: longer(known?.writer), value: longer(known?.value), word: longer(known?.word) };
    this.written.set(key, grown);
    return grown;
  }
}

/** The pairs by reader and by writer. */
function both(pairs: readonly [reader: number, writer: number][], count: number) {
  const by = (key: 0 | 1) => {
    const start = new Uint32Array(count + 1);
    for (const pair of pairs) start[pair[key] + 1]++;
    for (let i = 0; i < count; i++) start[i + 1] += start[i];
    const next = start.slice();
    const of = new Uint32Array(pairs.length);
    for (const pair of pairs) of[next[pair[key]]++] = pair[1 - key];
    return { start, of };
  };
  const [producers, consumers] = [by(0), by(1)];
  return { producerStart: producers.start, producer: producers.of, consumerStart: consumers.start, consumer: consumers.of };
}
