/**
 * How long allocations on chip were held while nothing read or wrote them: space that a shorter-lived tile, or a later load, would free.
 * An access belongs to the allocation that has its tensor's name and its address at that time.
 */
import { upperBoundIn } from '../columns/search';
import { rowValue } from '../profile/onDemand';
import { CORE_PARTITIONS, NO_TENSOR, operandsOf, type Profile, UNKNOWN_SPACE } from '../profile/profile';
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
  used.add(instructions, row => ({ list: rowValue(instructions, 'operands', row), track: rowValue(instructions, 'track', row) }));
  used.add(transfers, row => {
    const trigger = rowValue(transfers, 'trigger', row);
    // what triggers a transfer names its operands; captures may not say what that was
    if (trigger < 0 || trigger >= instructions.startNs.length) return null;
    return { list: rowValue(instructions, 'operands', trigger), track: rowValue(transfers, 'track', row) };
  });
  return Float64Array.from(startNs, (start, row) => Math.max(0, endNs[row] - start - used.ns[row]));
}

const PSUM = SPACES.indexOf('psum');

type Place = { list: number; track: number } | null;

class UsedTime {
  readonly ns: Float64Array;
  /** Until when a row's uses are counted. */
  private readonly reachedNs: Float64Array;
  /** Rows of one name, core and memory, in order of start. */
  private readonly held = new Map<string, number[]>();
  private readonly operandsOfList = new Map<number, number[]>();
  /** First address of PSUM in the core's memory map. */
  private readonly psumBytes: number;

  constructor(private readonly p: Profile) {
    const { startNs, name, space, partitionStart } = p.allocations;
    this.ns = new Float64Array(startNs.length);
    this.psumBytes = machineOf(p).addressPsumBytes.value;
    this.reachedNs = new Float64Array(startNs.length).fill(Number.NEGATIVE_INFINITY);
    const order = orderByStart(startNs);
    for (let k = 0; k < startNs.length; k++) {
      const row = order ? order[k] : k;
      const key = keyOf(name[row], space[row], Math.floor(partitionStart[row] / CORE_PARTITIONS));
      const rows = this.held.get(key) ?? [];
      this.held.set(key, rows);
      rows.push(row);
    }
  }

  /** @param place of an event: its operands and its track */
  add(events: { startNs: Float64Array; endNs: Float64Array }, place: (row: number) => Place): void {
    const { startNs, endNs } = events;
    const order = orderByStart(startNs);
    for (let k = 0; k < startNs.length; k++) {
      const row = order ? order[k] : k;
      const where = place(row);
      if (!where) continue;
      const core = this.p.tracks[where.track].core ?? 0;
      for (const operand of this.onChip(where.list)) this.use(operand, core, startNs[row], endNs[row]);
    }
  }

  private onChip(list: number): number[] {
    const known = this.operandsOfList.get(list);
    if (known) return known;
    const { tensor, space } = this.p.operands;
    const found = [...operandsOf(this.p, list)].filter(operand => tensor[operand] !== NO_TENSOR && space[operand] !== UNKNOWN_SPACE);
    this.operandsOfList.set(list, found);
    return found;
  }

  private use(operand: number, core: number, fromNs: number, toNs: number): void {
    const { operands, allocations } = this.p;
    const rows = this.held.get(keyOf(operands.tensor[operand], operands.space[operand], core));
    if (!rows) return;
    // operands have addresses of the core's memory map, allocations those from the start of a partition
    const address = operands.addressBytes[operand] - (operands.space[operand] === PSUM ? this.psumBytes : 0);
    const { startNs, endNs, addressBytes, sizeBytes } = allocations;
    const last = upperBoundIn({ length: rows.length, at: i => startNs[rows[i]] }, toNs) - 1;
    for (let i = last; i >= Math.max(0, last - MOST_HELD); i--) {
      const row = rows[i];
      if (endNs[row] < fromNs || address < addressBytes[row] || address >= addressBytes[row] + sizeBytes[row]) continue;
      const from = Math.max(fromNs, startNs[row], this.reachedNs[row]);
      const to = Math.min(toNs, endNs[row]);
      if (to > from) this.ns[row] += to - from;
      this.reachedNs[row] = Math.max(this.reachedNs[row], to);
      return;
    }
  }
}

const keyOf = (name: number, space: number, core: number) => `${name} ${space} ${core}`;
