/** A metric as people read it: the table has seconds and fractions, the page shows times and percents. */
import { bytesText, percentText, timeText } from '../../simulator/analyze/format';
import type { MetricUnit } from '../../simulator/analyze/metrics';
import { countText } from '../math/units';

const TEXTS: Readonly<Partial<Record<MetricUnit, (value: number) => string>>> = {
  seconds: value => timeText(value * 1e9),
  fraction: percentText,
  bytes: value => bytesText(Math.round(value)),
  text: String,
  'FLOPs/byte': value => `${value.toFixed(1)} FLOPs/byte`,
};

export function metricText(value: number | string, unit: MetricUnit): string {
  if (typeof value === 'string') return value;
  return TEXTS[unit]?.(value) ?? countText(value);
}
