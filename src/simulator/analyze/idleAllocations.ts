/**
 * How long allocations on chip were held while nothing read or wrote them: space that a shorter-lived tile, or a later load, would free.
 * An access belongs to the allocation that has its tensor's name and its address at that time.
 */
import { CORE_PARTITIONS, NO_TENSOR, type Profile, UNKNOWN_SPACE } from '../profile/profile';
import { SPACES } from '../vocabulary/spaces';
import { orderByStart } from './intervals';
import { machineOf } from './machineOf';

/** Allocations of one name that are looked through for an access: more are not held at once. */
const MOST_HELD = 512;

/** Whether operands have names: captures have none, and then nothing is known of it. */
export const knowsUses = ({ operands }: Profile): boolean => operands.tensor.some(tensor => tensor !== NO_TENSOR);

/** Idle time of each row of `allocations`, ns. */
export function idleNs(p: Profile): Float64Array {
  const { startNs, endNs } = p.allocations;
  const used = new UsedTime(p);
  const { instructions, transfers } = p;
  used.add(instructions, instructions.operands, instructions.track);
  used.add(transfers, listsOfTransfers(p), transfers.track);
  return Float64Array.from(startNs, (start, row) => Math.max(0, endNs[row] - start - used.ns[row]));
}

const PSUM = SPACES.indexOf('psum');

/** Of an event whose operands are not known. */
const NO_LIST = 0xffffffff;

/** What triggers a transfer names its operands; captures may not say what that was. */
function listsOfTransfers({ instructions, transfers }: Profile): Uint32Array {
  const { operands } = instructions;
  return Uint32Array.from(transfers.trigger, trigger => (trigger >= 0 && trigger < operands.length ? operands[trigger] : NO_LIST));
}

/** Rows of one name, core and memory, in order of start. */
interface HeldRows {
  all: number[];
  /** By their first address: nearly all accesses begin there. */
  byAddress: Map<number, number[]>;
}

/** A byte of a partition. */
interface Place {
  partition: number;
  address: number;
}

class UsedTime {
  readonly ns: Float64Array;
  /** Until when a row's uses are counted. */
  private readonly reachedNs: Float64Array;
  private readonly held = new Map<number, HeldRows>();
  /** In the core's memory map: the first address of PSUM, and the distance of two partitions. */
  private readonly psumBytes: number;
  private readonly partitionBytes: number;

  // groups of columns of the page are looked up at each reading
  private readonly operands: Profile['operands'];
  private readonly allocations: Profile['allocations'];

  constructor(private readonly p: Profile) {
    this.operands = p.operands;
    this.allocations = p.allocations;
    const { startNs, name, space, partitionStart, addressBytes } = p.allocations;
    this.ns = new Float64Array(startNs.length);
    const { addressPsumBytes, addressPartitionBytes } = machineOf(p);
    [this.psumBytes, this.partitionBytes] = [addressPsumBytes.value, addressPartitionBytes.value];
    this.reachedNs = new Float64Array(startNs.length).fill(Number.NEGATIVE_INFINITY);
    const order = orderByStart(startNs);
    for (let k = 0; k < startNs.length; k++) {
      const row = order ? order[k] : k;
      const key = keyOf(name[row], space[row], Math.floor(partitionStart[row] / CORE_PARTITIONS));
      const rows = this.held.get(key) ?? { all: [], byAddress: new Map<number, number[]>() };
      this.held.set(key, rows);
      rows.all.push(row);
      const there = rows.byAddress.get(addressBytes[row]) ?? [];
      rows.byAddress.set(addressBytes[row], there);
      there.push(row);
    }
  }

  /** @param lists operand list of each event */
  add({ startNs, endNs }: { startNs: Float64Array; endNs: Float64Array }, lists: Uint32Array, track: Uint16Array): void {
    const order = orderByStart(startNs);
    const cores = this.p.tracks.map(({ core }) => core ?? 0);
    // an array for each list would cost more than all else
    const { end } = this.p.operandLists;
    const { operand } = this.p.listedOperands;
    for (let k = 0; k < startNs.length; k++) {
      const row = order ? order[k] : k;
      const list = lists[row];
      if (list === NO_LIST) continue;
      for (let at = list > 0 ? end[list - 1] : 0; at < end[list]; at++) this.use(operand[at], cores[track[row]], startNs[row], endNs[row]);
    }
  }

  private use(operand: number, core: number, fromNs: number, toNs: number): void {
    const { operands, allocations } = this;
    if (operands.tensor[operand] === NO_TENSOR || operands.space[operand] === UNKNOWN_SPACE) return;
    const rows = this.held.get(keyOf(operands.tensor[operand], operands.space[operand], core));
    if (!rows) return;
    // operands have addresses of the core's memory map, allocations those from the start of a partition
    const inMemory = operands.addressBytes[operand] - (operands.space[operand] === PSUM ? this.psumBytes : 0);
    const place = { partition: Math.floor(inMemory / this.partitionBytes), address: inMemory % this.partitionBytes };
    const there = rows.byAddress.get(place.address);
    const row = (there && this.lastHeld(there, place, fromNs, toNs)) ?? this.lastHeld(rows.all, place, fromNs, toNs);
    if (row === null) return;
    const from = Math.max(fromNs, allocations.startNs[row], this.reachedNs[row]);
    const to = Math.min(toNs, allocations.endNs[row]);
    if (to > from) this.ns[row] += to - from;
    this.reachedNs[row] = Math.max(this.reachedNs[row], to);
  }

  /** The row that has the address in that partition of its core, at that time, and began last. */
  private lastHeld(rows: readonly number[], { partition, address }: Place, fromNs: number, toNs: number): number | null {
    const { startNs, endNs, addressBytes, sizeBytes, partitionStart, partitions } = this.allocations;
    const last = lastStarted(rows, startNs, toNs);
    for (let i = last; i >= Math.max(0, last - MOST_HELD); i--) {
      const row = rows[i];
      const first = partitionStart[row] % CORE_PARTITIONS;
      if (partition < first || partition >= first + partitions[row]) continue;
      if (endNs[row] >= fromNs && address >= addressBytes[row] && address < addressBytes[row] + sizeBytes[row]) return row;
    }
    return null;
  }
}

/** Place of the last of the rows, which are in order of start, that starts by then; -1: none. */
function lastStarted(rows: readonly number[], startNs: Float64Array, timeNs: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startNs[rows[middle]] <= timeNs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A whole number: spaces and cores are few. */
const keyOf = (name: number, space: number, core: number) => (name * 256 + space) * 256 + core;
