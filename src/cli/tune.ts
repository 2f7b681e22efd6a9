/** `tune`: searches for the fastest setting of a kernel, and says how sure it is. */
import {
  certainty,
  certaintyText,
  percentText,
  pointWords,
  rowJson,
  sweepCsv,
  type Tuned,
  timeText,
  tune as tuneKernel,
  type VariantRow,
} from '../simulator/index';
import { sayIfOpen } from './confinement';
import type { CliCommand } from './context';
import { EXIT, UsageError } from './errors';
import { jsonText } from './jsonText';
import { type Parsed, readOptions, text } from './options';
import { writeFile } from './output';
import { inUsageAsync, jobsOf, keptPoints, planOf, SPACE_HELP, SPACE_OPTIONS, sweepText } from './sweep';

const DEFAULTS = { budget: '100', near: '5', tolerance: '0.01' };

export const tune: CliCommand = {
  summary: 'search for the fastest setting of a kernel',
  help: `nki-scope tune FILE.py [--kernel NAME] [--arg ...] [--set ...] [--budget N] [options]

Searches the same spaces as sweep, of one problem on one target, without running all points: random starts, of which the slower half
is given up again and again, and steps to neighbouring values from the others. Prints the fastest setting, how far it is from what its
bytes and FLOPs alone need, which other settings may be the fastest on hardware by their likely ranges, and whether its outputs are
the same as those of the first setting, for random inputs.

${SPACE_HELP}
  --budget N                points that may be run (${DEFAULTS.budget})
  --near PCT                stop when the fastest is at most PCT % above the bound (${DEFAULTS.near})
  --tolerance R             relative error up to which outputs count as the same (${DEFAULTS.tolerance})
  --seed S                  of the random starts (0)
  --csv FILE                all points that ran, in the order in which they were tried
  --json                    {best, reason, tried, floor_ns, above_floor_percent, next, rivals, values, rejected}

  nki-scope tune matmul.py --kernel matmul --arg a=bf16[2048,2048] --arg b=bf16[2048,2048] --set TILES_M=1:16:*2 --set TILES_K=1:16:*2
`,
  async run(argv, { dist, terminal, signal }) {
    const parsed = readOptions('tune', argv, {
      ...SPACE_OPTIONS,
      budget: { type: 'string' },
      near: { type: 'string' },
      tolerance: { type: 'string' },
      csv: { type: 'string' },
      json: { type: 'boolean' },
    });
    const { values } = parsed;
    if (values.sample !== undefined) throw new UsageError('tune: --sample is for sweep; --budget says how many points may be run');
    const number = (name: keyof typeof DEFAULTS) => positive(parsed, name);
    const plan = await inUsageAsync(async () => planOf(parsed));
    const finished = keptPoints(parsed, plan, dist);
    let [done, bestNs] = [0, Infinity];
    const onRow = ({ totalTimeNs }: VariantRow) => {
      bestNs = Math.min(bestNs, totalTimeNs ?? Infinity);
      terminal.progress(`${++done} tried${bestNs < Infinity ? `, fastest ${timeText(bestNs)}` : ''} …`);
    };
    try {
      const options = {
        dist,
        jobs: jobsOf(parsed),
        finished,
        budget: Math.floor(number('budget')),
        seed: Number(text(values, 'seed') ?? 0),
        nearShare: number('near') / 100,
        tolerance: number('tolerance'),
        onRow,
        onSandbox: sayIfOpen(terminal.log),
      };
      const tuned = await inUsageAsync(() => tuneKernel(plan, options, signal));
      terminal.progress('');
      const csv = text(values, 'csv');
      if (csv !== undefined) await writeFile(csv, [sweepCsv(tuned.rows)]);
      terminal.out(values.json === true ? jsonText(tunedJson(tuned)) : tunedText(tuned));
      return tuned.best ? EXIT.done : EXIT.failed;
    } finally {
      finished?.close();
      terminal.progress('');
    }
  },
};

function positive({ values }: Parsed, name: keyof typeof DEFAULTS): number {
  const given = text(values, name) ?? DEFAULTS[name];
  const value = Number(given);
  if (!(value > 0) || !Number.isFinite(value)) throw new UsageError(`--${name} ${given}: a number above 0`);
  return value;
}

const aboveFloor = ({ best, floorNs }: Tuned): number | null => (best && floorNs ? best.totalTimeNs! / floorNs - 1 : null);

/** What is compared with the best: rows that are not rejected. */
const comparable = ({ rows, rejected }: Tuned) => rows.filter(row => !rejected.some(({ index }) => index === row.index));

function tunedJson(tuned: Tuned): Record<string, unknown> {
  const sure = certainty(comparable(tuned));
  const above = aboveFloor(tuned);
  const named = (row: VariantRow | null) => row && rowJson(row);
  return {
    best: named(tuned.best),
    reason: tuned.reason,
    tried: tuned.rows.length,
    floor_ns: tuned.floorNs,
    above_floor_percent: above === null ? null : 100 * above,
    next: named(sure?.next ?? null),
    rivals: sure?.hasRanges ? sure.rivals.map(rowJson) : null,
    values: tuned.values && {
      verdict: tuned.values.verdict,
      relative_error: tuned.values.relativeError,
      against: tuned.values.against,
    },
    rejected: tuned.rejected.map(rowJson),
  };
}

const REASONS: Readonly<Record<Tuned['reason'], string>> = {
  'all tried': 'All points were tried.',
  budget: 'The budget is spent.',
  bound: 'The bound is near.',
  stopped: 'The search was stopped.',
};

/** Rows of the table that is printed. */
const SHOWN_ROWS = 10;

export function tunedText(tuned: Tuned): string {
  const { best, rows, reason, rejected, floorNs } = tuned;
  if (!best) return `${sweepText(rows.slice(0, SHOWN_ROWS))}No setting was found that runs and computes the same. ${REASONS[reason]}\n`;
  const sure = certainty(comparable(tuned));
  const above = aboveFloor(tuned);
  const fastest = [...comparable(tuned)].filter(row => row.totalTimeNs !== null).sort((a, b) => a.totalTimeNs! - b.totalTimeNs!);
  return [
    `${pointWords(best.parameters)}: ${timeText(best.totalTimeNs!)}`,
    `${rows.length} points were tried. ${REASONS[reason]}`,
    ...(above === null
      ? []
      : [
          `This is ${percentText(above)} above ${timeText(floorNs!)}, the least time that a tried setting needs for its bytes and FLOPs alone.`,
        ]),
    ...(sure ? [certaintyText(sure)] : []),
    valuesText(tuned),
    ...(rejected.length > 0
      ? [
          `${rejected.length} faster ${rejected.length === 1 ? 'setting computes' : 'settings compute'} other values: ${rejected.map(row => pointWords(row.parameters)).join('; ')}.`,
        ]
      : []),
    '',
    sweepText(fastest.slice(0, SHOWN_ROWS)),
  ].join('\n');
}

function valuesText({ values }: Tuned): string {
  if (!values) return '';
  const { verdict, relativeError, against } = values;
  const other = `those of ${pointWords(against)}`;
  if (verdict === 'same') return `Its outputs are ${other}, bit by bit, for random inputs.`;
  if (verdict === 'near')
    return `Its outputs differ from ${other} by ${relativeError!.toPrecision(2)} (relative error), for random inputs.`;
  return 'Its outputs were not compared: they are too large, or it does not run with values.';
}
