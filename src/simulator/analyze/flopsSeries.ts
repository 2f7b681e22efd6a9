/** Work of the PE array over time, as exact step series: the utilizations of the summary. */
import { peakFlopsOf } from '../profile/ofCore';
import type { Profile } from '../profile/profile';
import type { StepSeries } from '../profile/windowCounters';
import { runningSum } from './counters';
import { accumulate } from './memorySeries';
import { transposes } from './totals';

/** Its mean over the run is `hfu_estimated_percent`: FLOPs of all matmuls, each spread over its duration, over the peak's. */
export function hardwareUtilization(p: Profile): StepSeries {
  return utilization(p, () => true);
}

/** The same of matmuls that are no transposes: its mean is `mfu_inst_estimated_percent`. */
export function modelUtilization(p: Profile): StepSeries {
  const transposing = transposes(p);
  return utilization(p, row => transposing[row] === 0);
}

function utilization(p: Profile, wanted: (row: number) => boolean): StepSeries {
  const { startNs, endNs, flops } = p.instructions;
  const rows = [...flops.keys()].filter(row => flops[row] > 0 && endNs[row] > startNs[row] && wanted(row));
  const of = (times: Float64Array) => Float64Array.from(rows, row => times[row]);
  const peakPerNs = peakFlopsOf(p) / 1e9;
  return runningSum({ startNs: of(startNs), endNs: of(endNs) }, k => flops[rows[k]] / (endNs[rows[k]] - startNs[rows[k]]) / peakPerNs);
}

/** FLOPs of the matmuls that have ended. */
export function cumulativeFlops({ instructions: { endNs, flops } }: Profile): StepSeries {
  const rows = [...flops.keys()].filter(row => flops[row] > 0);
  return accumulate(
    rows.map(row => endNs[row]),
    rows.map(row => flops[row]),
  );
}
