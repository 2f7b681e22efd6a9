/**
 * `summary-text`: the summary metrics for reading, grouped and aligned, and the terminology: what each metric means.
 */
import { bounds } from '../analyze/bounds';
import { facts } from '../analyze/facts';
import { bytesText, percentText, timeText } from '../analyze/format';
import { METRICS, type Metric, type MetricUnit } from '../analyze/metrics';
import { summary } from '../analyze/summary';
import type { Profile } from '../profile/profile';

const GROUP_TITLES: Record<string, string> = {
  overall_stats: 'Overall',
  tensor_engine: 'Tensor engine',
  vector_engine: 'Vector engine',
  scalar_engine: 'Scalar engine',
  gpsimd_engine: 'GpSimd engine',
  sync_engine: 'Sync engine',
  data_movement: 'Data movement',
  software_data_movement: 'Data movement, software descriptors',
  hardware_data_movement: 'Data movement, hardware descriptors',
  system: 'System',
};

/** The raw value in the metric's unit, then as people read it. */
const READABLE: Record<MetricUnit, (value: number) => string> = {
  seconds: value => timeText(value * 1e9),
  fraction: percentText,
  bytes: bytesText,
  FLOPs: value => `${value.toPrecision(3)} FLOPs`,
  'FLOPs/byte': value => `${value.toFixed(1)} FLOPs/byte`,
  cycles: value => `${value} cycles`,
  count: String,
  text: String,
};

export function summaryText(p: Profile): string {
  const known = facts(p);
  const values = summary(p, known);
  const width = Math.max(...Object.keys(values).map(name => name.length));
  const lines = [`${p.kernel} on ${p.target} (${p.simulated ? 'simulated' : 'measured'})`];
  for (const [group, names] of grouped(Object.keys(values))) {
    lines.push('', GROUP_TITLES[group] ?? group);
    for (const name of names) lines.push(`  ${name.padEnd(width)}  ${readable(METRICS[name], values[name])}`);
  }
  lines.push('', ...bounds(p, known).sentences);
  if (p.accuracy) lines.push(p.accuracy);
  return `${lines.join('\n')}\n`;
}

/** Every metric with unit and definition, for `--terminology`. */
export function terminologyText(): string {
  const lines: string[] = [];
  for (const [group, names] of grouped(Object.keys(METRICS))) {
    lines.push(GROUP_TITLES[group] ?? group);
    for (const name of names) lines.push(`  ${name} [${METRICS[name].unit}]`, `      ${METRICS[name].definition}`);
    lines.push('');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function readable(metric: Metric, value: number | string): string {
  return typeof value === 'string' ? value : READABLE[metric.unit](value);
}

function grouped(names: string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const { group } = METRICS[name];
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  return groups;
}
