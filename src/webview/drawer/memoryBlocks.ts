/** On-chip allocations of one memory and partition: which they are, how much is in use at most, and who holds it. Pure; rows are those of the profile's columns. */
import { runningSum } from '../../simulator/analyze/counters';
import { ColumnBuilder } from '../../simulator/columns/builder';
import { gathered } from '../../simulator/columns/rows';
import type { Profile } from '../../simulator/profile/profile';

/** Index in `SPACES` of the program. */
export const SPACE_CODES = { sbuf: 1, psum: 2 } as const;

const COLOURS = 7;

export interface MemoryBlocks {
  /** Rows of `allocations`. */
  rows: Uint32Array;
  /** End of the highest address in use, bytes. */
  topBytes: number;
  /** Most bytes in use at any time, and when that is first. */
  peakBytes: number;
  peakNs: number;
  /** Series colour of each name (index in `strings`). */
  series: ReadonlyMap<number, number>;
  /** Of each `CHUNK` rows together: from the first start to the last end. */
  chunks: { startNs: Float64Array; endNs: Float64Array };
}

/** Rows that are looked at one by one: their times are near each other. */
const CHUNK = 256;

export function memoryBlocks(p: Profile, space: number, partition: number): MemoryBlocks {
  const a = p.allocations;
  const rows = rowsOf(p, space, partition);
  let topBytes = 1;
  const series = new Map<number, number>();
  const ofText = new Map<string, number>();
  for (const row of rows) {
    topBytes = Math.max(topBytes, a.addressBytes[row] + a.sizeBytes[row]);
    if (series.has(a.name[row])) continue;
    const text = p.strings[a.name[row]];
    const colour = ofText.get(text) ?? ofText.size % COLOURS;
    ofText.set(text, colour);
    series.set(a.name[row], colour);
  }
  const times = { startNs: gathered(a.startNs, rows), endNs: gathered(a.endNs, rows) };
  const { timesNs, values } = runningSum(times, i => a.sizeBytes[rows[i]]);
  let peak = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[peak]) peak = i;
  return { rows, topBytes, peakBytes: values[peak], peakNs: timesNs[peak], series, chunks: chunksOf(times) };
}

function chunksOf(times: MemoryBlocks['chunks']): MemoryBlocks['chunks'] {
  const count = Math.ceil(times.startNs.length / CHUNK);
  const startNs = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const endNs = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < times.startNs.length; i++) {
    const chunk = Math.floor(i / CHUNK);
    if (times.startNs[i] < startNs[chunk]) startNs[chunk] = times.startNs[i];
    if (times.endNs[i] > endNs[chunk]) endNs[chunk] = times.endNs[i];
  }
  return { startNs, endNs };
}

function rowsOf({ allocations: a }: Profile, space: number, partition: number): Uint32Array {
  const rows = new ColumnBuilder(Uint32Array);
  for (let row = 0; row < a.startNs.length; row++) {
    const first = a.partitionStart[row];
    if (a.space[row] === space && partition >= first && partition < first + a.partitions[row]) rows.push(row);
  }
  return rows.finish();
}

/** All allocations of one name. */
export interface Holder {
  name: string;
  allocations: number;
  /** Sizes times the time that they were held, added up. */
  byteNs: number;
  /** The same of the time in which nothing read or wrote them; null: not known. */
  idleByteNs: number | null;
  /** Held when most was in use. */
  atPeakBytes: number;
}

/** By name, what holds the most bytes for the longest first. Buffers that the compiler gave a tensor are one with it. */
export function holders(p: Profile, { rows, peakNs }: MemoryBlocks, idleNs: Float64Array | null): Holder[] {
  const a = p.allocations;
  const byName = new Map<string, Holder>();
  for (const row of rows) {
    const name = p.strings[a.name[row]];
    const holder = byName.get(name) ?? { name, allocations: 0, byteNs: 0, idleByteNs: idleNs && 0, atPeakBytes: 0 };
    byName.set(name, holder);
    holder.allocations++;
    holder.byteNs += a.sizeBytes[row] * (a.endNs[row] - a.startNs[row]);
    if (idleNs && holder.idleByteNs !== null) holder.idleByteNs += a.sizeBytes[row] * idleNs[row];
    if (a.startNs[row] <= peakNs && a.endNs[row] > peakNs) holder.atPeakBytes += a.sizeBytes[row];
  }
  return [...byName.values()].sort((x, y) => y.byteNs - x.byteNs);
}

/** What is under a time and an address; null: nothing. */
export function blockAt(p: Profile, { rows, chunks }: MemoryBlocks, timeNs: number, addressBytes: number): number | null {
  const { startNs, endNs, addressBytes: from, sizeBytes } = p.allocations;
  const isAt = (row: number) =>
    timeNs >= startNs[row] && timeNs <= endNs[row] && addressBytes >= from[row] && addressBytes < from[row] + sizeBytes[row];
  for (let chunk = 0; chunk < chunks.startNs.length; chunk++) {
    if (timeNs < chunks.startNs[chunk] || timeNs > chunks.endNs[chunk]) continue;
    const found = rows.subarray(chunk * CHUNK, (chunk + 1) * CHUNK).find(isAt);
    if (found !== undefined) return found;
  }
  return null;
}
