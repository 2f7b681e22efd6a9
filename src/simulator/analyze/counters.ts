/**
 * Counters over time as exact step series: each value holds from its time until the next. Thinning them to a window's
 * pixels is `profile/windowCounters.ts`.
 */
import type { Profile } from '../profile/profile';
import type { StepSeries } from '../profile/windowCounters';
import { SPACES } from '../vocabulary/spaces';
import { activeIntervals } from './activeTime';
import { areCollectives } from './collectives';
import { type Intervals, Sweep } from './intervals';

/** Intervals of which each counts so much while it is open. */
export interface Weighted {
  intervals: Intervals;
  weight(row: number): number;
}

/**
 * The running sum of `weight(row)` over the intervals that are open. Begins at time 0 with 0; one step per distinct time.
 * Its integral is sum(weight x length).
 */
export function runningSum(intervals: Intervals, weight: (row: number) => number): StepSeries {
  // Begun with the row at time 0. Room for all starts and ends from the beginning: growing would copy it all again and again.
  let rows = 1;
  const timesNs = new Float64Array(2 * intervals.startNs.length + 1);
  const values = new Float64Array(timesNs.length);
  const sum = new OpenSum(weight);
  for (const at = new Sweep(intervals); at.next(); ) {
    const value = sum.after(at);
    if (timesNs[rows - 1] === at.timeNs) values[rows - 1] = value;
    else if (values[rows - 1] !== value) {
      timesNs[rows] = at.timeNs;
      values[rows++] = value;
    }
  }
  return { timesNs: fitting(timesNs, rows), values: fitting(values, rows) };
}

/** The means of the running sum over `count` stretches from time 0, in which all intervals lie, and its highest value. Holds no steps. */
export function runningMeans({ intervals, weight }: Weighted, stretchNs: number, count: number): { means: Float64Array; maximum: number } {
  const areas = new Float64Array(count);
  const sum = new OpenSum(weight);
  let [value, sinceNs, maximum] = [0, 0, 0];
  let [stretch, endNs] = [0, stretchNs];
  for (const at = new Sweep(intervals); at.next(); ) {
    const { timeNs } = at;
    if (timeNs > sinceNs) {
      if (value > maximum) maximum = value;
      while (timeNs > endNs && stretch < count - 1) {
        areas[stretch++] += value * (endNs - sinceNs);
        sinceNs = endNs;
        endNs = (stretch + 1) * stretchNs;
      }
      areas[stretch] += value * (timeNs - sinceNs);
      sinceNs = timeNs;
    }
    value = sum.after(at);
  }
  return { means: areas.map(area => area / stretchNs), maximum };
}

/** The sum over open intervals, which goes back to an exact 0 whenever none is: rounding does not pile up. */
class OpenSum {
  private open = 0;
  private sum = 0;

  constructor(private readonly weight: (row: number) => number) {}

  after({ row, isStart }: Sweep): number {
    if (isStart) {
      this.open++;
      this.sum += this.weight(row);
    } else this.sum = --this.open === 0 ? 0 : this.sum - this.weight(row);
    return this.sum;
  }
}

/** The first rows; a copy only where most of the column is not used. */
const fitting = (column: Float64Array, rows: number) => (2 * rows < column.length ? column.slice(0, rows) : column.subarray(0, rows));

/** Bytes per second over all DMA engines; its integral is the bytes moved. */
export function dmaThroughput(p: Profile): StepSeries {
  const { intervals, weight } = dmaRates(p);
  return runningSum(intervals, weight);
}

export function dmaRates(p: Profile): Weighted {
  const { startNs, endNs, bytes } = p.dmaSlices;
  return { intervals: { startNs, endNs }, weight: row => (bytes[row] / (endNs[row] - startNs[row])) * 1e9 };
}

/** Transfers triggered and not yet seen to be done; collectives are none of this core's DMA engines. */
export function pendingDmas(p: Profile): StepSeries {
  const isCollective = areCollectives(p);
  return runningSum({ startNs: p.transfers.readyNs, endNs: p.transfers.doneNs }, row => 1 - isCollective[row]);
}

/** 1 while a matmul streams through the Tensor engine (of any core), else 0: a window's mean is the fraction of time it was in use. */
export function tensorMatrixUtilisation(p: Profile): StepSeries {
  const tracks = p.tracks.flatMap((t, i) => (/^TensorMatrix\b/.test(t.name) ? [i] : []));
  return runningSum(activeIntervals(p, tracks), () => 1);
}

/** Bytes allocated in the whole of a memory, all partitions together. */
export function memoryUsage(p: Profile, memory: 'sbuf' | 'psum'): StepSeries {
  const { startNs, endNs, space, sizeBytes, partitions } = p.allocations;
  const code = SPACES.indexOf(memory);
  return runningSum({ startNs, endNs }, row => (space[row] === code ? sizeBytes[row] * partitions[row] : 0));
}

export interface NamedSeries extends StepSeries {
  /** Name of the row in Neuron Explorer. */
  name: string;
  /** rate: bytes/s. count: things. share: fraction of the time. */
  kind: 'rate' | 'count' | 'share';
}

/** The counter rows of the timeline, top to bottom. */
export function counters(p: Profile): NamedSeries[] {
  return [
    { name: 'DMA Throughput', kind: 'rate', ...dmaThroughput(p) },
    { name: 'Pending DMA Count', kind: 'count', ...pendingDmas(p) },
    { name: 'TensorMatrix Utilization', kind: 'share', ...tensorMatrixUtilisation(p) },
  ];
}
