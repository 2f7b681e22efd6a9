/**
 * `summary-text`: the summary metrics for reading, grouped and aligned, and the terminology: what each metric means.
 */
import { bounds } from '../analyze/bounds';
import { bytesText, percentText, timeText } from '../analyze/format';
import { METRICS, type Metric, type MetricUnit } from '../analyze/metrics';
import { type RecordedMetric, recordedAgainstEvents, summary } from '../analyze/summary';
import { type ProfileTotals, totals } from '../analyze/totals';
import { coresOf, ofCore } from '../profile/ofCore';
import type { Profile } from '../profile/profile';
import { annotationTexts } from './annotationsSaid';
import { said, saidText } from './said';
import { systemText } from './systemText';

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
  cc_engine: 'Collectives',
  system: 'System',
  recorded: 'Also recorded',
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
  if (p.system) return systemText(p);
  const known = totals(p);
  const values = summary(p, known);
  const width = Object.keys(values).reduce((most, name) => Math.max(most, name.length), 0);
  const lines = [`${p.kernel} on ${p.target} (${p.simulated ? 'simulated' : 'measured'})`];
  const cores = coresOf(p).map(core => ({ core, values: summary(ofCore(p, core)) }));
  if (cores.length > 0) lines.push('', `  ${''.padEnd(width)}  ${columns(['run', ...cores.map(({ core }) => `core ${core}`)])}`);
  for (const [group, names] of grouped(Object.keys(values))) {
    lines.push('', GROUP_TITLES[group] ?? group);
    for (const name of names) {
      const own = cores.map(({ values: of }) => (of[name] === undefined ? '' : readable(metricOf(name), of[name])));
      lines.push(`  ${name.padEnd(width)}  ${columns([readable(metricOf(name), values[name]), ...own])}`);
    }
  }
  lines.push(...recordedLines(p, known, width));
  lines.push('', ...bounds(p, known).sentences, ...said(p).map(saidText), ...annotationTexts(p));
  if (p.accuracy) lines.push(p.accuracy);
  return `${lines.join('\n')}\n`;
}

/** A value with its unit, and two spaces: `110.3 FLOPs/byte`. */
const COLUMN = 18;
const columns = (cells: readonly string[]) =>
  cells.length === 1
    ? cells[0]
    : cells
        .map(cell => cell.padEnd(COLUMN))
        .join('')
        .trimEnd();

/** The same as a page of the documentation (docs/metrics.md). */
export function terminologyMarkdown(): string {
  const lines = [
    '# Summary metrics',
    '',
    'Written from the table in `src/simulator/analyze/metrics.ts` (a test keeps this page fresh); do not edit it. Names and units are',
    'those of Neuron Profiler: `*_percent` are fractions from 0 to 1, times are seconds, a multiply-accumulate counts as 2 FLOPs.',
    'What a profile does not know is absent. `view --terminology` prints the same.',
  ];
  for (const [group, names] of grouped(Object.keys(METRICS))) {
    lines.push('', `## ${GROUP_TITLES[group] ?? group}`, '', '| metric | unit | definition |', '| --- | --- | --- |');
    for (const name of names) lines.push(`| \`${name}\` | ${METRICS[name].unit} | ${METRICS[name].definition} |`);
  }
  return `${lines.join('\n')}\n`;
}

/** The recorded metrics and the sums over the events, where they differ. */
function recordedLines(p: Profile, known: ProfileTotals, width: number): string[] {
  const compared = recordedAgainstEvents(p, known);
  if (compared.length === 0) return [];
  const different = compared.filter(m => Math.abs(m.difference) > 1e-9);
  const equal = compared.length - different.length;
  const row = ({ name, recorded, fromEvents, difference }: RecordedMetric) => {
    const [a, b] = [recorded, fromEvents].map(value => readable(METRICS[name], value).padStart(12));
    return `  ${name.padEnd(width)}${a}${b}${(Number.isFinite(difference) ? `${(100 * difference).toFixed(2)} %` : '').padStart(10)}`;
  };
  return [
    '',
    `Recorded by the profiler against its events: ${equal} of ${compared.length} metrics are equal`,
    ...(different.length > 0 ? [`  ${''.padEnd(width)}${'recorded'.padStart(12)}${'events'.padStart(12)}`] : []),
    ...different.map(row),
  ];
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

/** Names of a recorded summary may be anything. */
const metricOf = (name: string): Metric | undefined => (Object.hasOwn(METRICS, name) ? METRICS[name] : undefined);

/** A metric of another profiler that is not in our table is printed unchanged. */
function readable(metric: Metric | undefined, value: number | string): string {
  if (!metric) return String(value);
  return typeof value === 'string' ? value : READABLE[metric.unit](value);
}

function grouped(names: string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const group = metricOf(name)?.group ?? 'recorded';
    const others = groups.get(group);
    if (others) others.push(name);
    else groups.set(group, [name]);
  }
  return groups;
}
