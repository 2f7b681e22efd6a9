/**
 * What lies in SBUF over time, as a capture says it: addresses in the partitions that the profiler samples. An allocation has the source of
 * the instruction or transfer that made it, where the rows say which one that was.
 */
import { FormatError } from '../../columns/container';
import { CORE_PARTITIONS, type Profile } from '../../profile/profile';
import { SPACES } from '../../vocabulary/spaces';
import { type CapturedAllocation, type CapturedDma, type CapturedInstruction, type CapturedSource, NO_SOURCE } from './rows';
import type { Sources } from './sources';
import { amount, type FileRow, shown, span, text } from './values';

/** Of a row of `SbufAllocation`. @throws FormatError */
export function allocationOf(row: FileRow, core: number): CapturedAllocation {
  const [from, to, partition] = ['start_address', 'end_address', 'partition'].map(field => amount(row, field));
  if (to < from || to >= 2 ** 32) throw new FormatError(`end_address is ${shown(row.end_address)}, with a start_address of ${from}`);
  if (partition >= CORE_PARTITIONS) throw new FormatError(`partition is ${partition}: there are ${CORE_PARTITIONS}`);
  const [opcode, queue] = [text(row, 'opcode'), text(row, 'queue_name')];
  return {
    ...span(amount(row, 'start_ts'), amount(row, 'end_ts')),
    core,
    partition,
    addressBytes: from,
    // both ends are of it
    sizeBytes: to - from + 1,
    name: text(row, 'tensor_name') || text(row, 'hlo_name') || opcode || queue || 'not named',
    opcode,
    operands: text(row, 'operands'),
    queue,
  };
}

export function allocationColumns(
  rows: readonly CapturedAllocation[],
  makers: (row: CapturedAllocation) => CapturedSource,
  sources: Sources,
): Profile['allocations'] {
  return {
    startNs: Float64Array.from(rows, row => row.startNs),
    endNs: Float64Array.from(rows, row => row.endNs),
    space: new Uint8Array(rows.length).fill(SPACES.indexOf('sbuf')),
    addressBytes: Uint32Array.from(rows, row => row.addressBytes),
    sizeBytes: Uint32Array.from(rows, row => row.sizeBytes),
    partitionStart: Uint16Array.from(rows, row => row.core * CORE_PARTITIONS + row.partition),
    // of those beside it the file says nothing
    partitions: new Uint16Array(rows.length).fill(1),
    name: Uint32Array.from(rows, row => sources.string(row.name)),
    frame: Uint32Array.from(rows, row => sources.frame(makers(row))),
  };
}

interface Timed {
  startNs: number;
  endNs: number;
  source: CapturedSource;
}

/** The source of what made an allocation: the last instruction with its opcode and operands, or the transfer of its queue at that time. */
export function makersOf(
  instructions: readonly CapturedInstruction[],
  transfers: readonly CapturedDma[],
): (row: CapturedAllocation) => CapturedSource {
  const byText = grouped(instructions, ({ core, opcode, operands }) => `${core} ${opcode} ${operands}`);
  const byQueue = grouped(transfers, ({ core, queue }) => `${core} ${queue}`);
  return ({ startNs, core, opcode, operands, queue }) => {
    if (opcode !== '') return lastBefore(byText.get(`${core} ${opcode} ${operands}`), startNs)?.source ?? NO_SOURCE;
    const transfer = lastBefore(byQueue.get(`${core} ${queue}`), startNs);
    return transfer && transfer.endNs >= startNs ? transfer.source : NO_SOURCE;
  };
}

function grouped<T extends Timed>(rows: readonly T[], key: (row: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group.push(row);
    else groups.set(key(row), [row]);
  }
  for (const group of groups.values()) group.sort((a, b) => a.startNs - b.startNs);
  return groups;
}

/** Of rows in order of time, the last that began by then. */
function lastBefore<T extends Timed>(rows: readonly T[] | undefined, timeNs: number): T | undefined {
  if (!rows) return undefined;
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].startNs <= timeNs) low = middle + 1;
    else high = middle;
  }
  return rows[low - 1];
}

/** Of a profile that says nothing of memory on chip. */
export const noAllocations = (): Profile['allocations'] => ({
  startNs: new Float64Array(0),
  endNs: new Float64Array(0),
  space: new Uint8Array(0),
  addressBytes: new Uint32Array(0),
  sizeBytes: new Uint32Array(0),
  partitionStart: new Uint16Array(0),
  partitions: new Uint16Array(0),
  name: new Uint32Array(0),
  frame: new Uint32Array(0),
});
