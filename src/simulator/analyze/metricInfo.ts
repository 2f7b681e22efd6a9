/**
 * What a metric of a summary is: the row of our table, or for one that only a capture's profiler records what Neuron's way of naming
 * tells of it.
 */
import { METRICS, type Metric, type MetricUnit } from './metrics';

export type MetricInfo = Pick<Metric, 'unit' | 'group' | 'definition'>;

/** Endings of Neuron's names. */
const UNITS: readonly [ending: RegExp, unit: MetricUnit][] = [
  [/_percent$/, 'fraction'],
  [/_(bytes|size)$/, 'bytes'],
  [/_time$/, 'seconds'],
];

export function metricInfo(name: string): MetricInfo {
  if (Object.hasOwn(METRICS, name)) return METRICS[name];
  const unit = UNITS.find(([ending]) => ending.test(name))?.[1] ?? 'text';
  return { unit, group: 'recorded', definition: 'Recorded by the profiler that made this file; nothing of ours computes it.' };
}
