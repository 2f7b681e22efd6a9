/** The counter rows: which there are, how their values read, and what full scale is. */
import { dmaThroughput, pendingDmas, tensorMatrixUtilisation } from '../../simulator/analyze/counters';
import { percentText } from '../../simulator/analyze/format';
import type { Profile } from '../../simulator/profile/profile';
import { type Counter, integrate, type StepSeries } from '../../simulator/profile/windowCounters';
import { rateText } from '../math/units';

interface CounterKind {
  name: string;
  series(profile: Profile): StepSeries;
  text(value: number): string;
  /** Full scale, when it is not the counter's own maximum. */
  full: number | null;
}

const KINDS: readonly CounterKind[] = [
  { name: 'DMA throughput', series: dmaThroughput, text: rateText, full: null },
  { name: 'Pending DMAs', series: pendingDmas, text: value => `${Number.isInteger(value) ? value : value.toFixed(1)}`, full: null },
  { name: 'TensorMatrix utilization', series: tensorMatrixUtilisation, text: percentText, full: 1 },
];

export interface NamedCounter {
  name: string;
  counter: Counter;
  /** Value at the top of the row. */
  full: number;
  text(value: number): string;
}

export function profileCounters(profile: Profile): NamedCounter[] {
  return KINDS.map(({ name, series, text, full }) => {
    const counter = integrate(series(profile));
    return { name, counter, text, full: full ?? (counter.maximum > 0 ? counter.maximum : 1) };
  });
}
