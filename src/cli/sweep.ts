/** `sweep`: a kernel with many settings, each timed, as one table. */
import fs from 'node:fs';
import {
  CASE_FILE,
  checkedDescription,
  FinishedPoints,
  fastest,
  headTexts,
  modelVersion,
  plannedPoints,
  pointsFolder,
  rowJson,
  rowTexts,
  runPoints,
  SpaceError,
  type SweepDescription,
  type SweepPlan,
  type SweepPoint,
  smallMarkNote,
  sweepCsv,
  sweepParquet,
  sweepPlan,
  TARGETS,
  timeText,
  type VariantRow,
} from '../simulator/index';
import { alignedTable } from './alignedTable';
import { captureRequest, caseFileOf, pythonFile } from './captureRequest';
import { sayIfOpen } from './confinement';
import type { CliCommand, CliContext } from './context';
import { EXIT, UsageError } from './errors';
import { jsonText } from './jsonText';
import { list, type OptionTable, type Parsed, pairs, readOptions, text } from './options';
import { writeFile } from './output';
import { ROOT_HELP } from './rootOption';

/** What a point has beside its parameters: options of `capture`. */
const RUN_OPTIONS: OptionTable = {
  kernel: { type: 'string' },
  case: { type: 'string' },
  input: { type: 'string', multiple: true },
  fill: { type: 'string' },
  grid: { type: 'string' },
  'nki-version': { type: 'string' },
  numerics: { type: 'string' },
  pipeline: { type: 'string' },
  root: { type: 'string' },
};

/** What describes a space. */
export const SPACE_OPTIONS: OptionTable = {
  ...RUN_OPTIONS,
  arg: { type: 'string', multiple: true },
  set: { type: 'string', multiple: true },
  env: { type: 'string', multiple: true },
  target: { type: 'string' },
  dge: { type: 'string' },
  where: { type: 'string', multiple: true },
  sample: { type: 'string' },
  seed: { type: 'string' },
  points: { type: 'string' },
  sweep: { type: 'string' },
  jobs: { type: 'string' },
  resume: { type: 'boolean' },
  'no-resume': { type: 'boolean' },
  'points-folder': { type: 'string' },
};

export const SPACE_HELP = `  --kernel NAME             the kernel to call; without it the file runs as a script, and its kernel calls count together
  --arg a=bf16[128,{512,1024}]   an argument; sizes in braces are tried one after another. {K} is the size that --set K=... gives
  --arg n={1,2,4}           values of an argument
  --set TILE_N=128:512:128  values of a constant that the file assigns at its top level, else of a parameter of the kernel.
                            Ranges have both ends; 128:2048:*2 doubles; words and lists: nl.float32,nl.bfloat16
  --env NAME=a,b            values of an environment variable
  --target ${TARGETS.join(',')}   targets
  --dge auto,off            with and without DMA descriptors that are made while the kernel runs
  --where EXPRESSION        keep the points for which it is true: 'a[1] % TILE_N == 0 and TILE_N < 512'; a[1] is a size of a
  --sample N [--seed S]     N points of the grid at random, the same for the same seed
  --points FILE.json        these points in place of the grid: [{"TILE_N": 128}, ...]
  --sweep NAME              the space that ${CASE_FILE} has under "sweeps"
  --case, --input, --fill, --grid, --nki-version, --numerics, --pipeline   as capture has them, for all points
${ROOT_HELP}
  --jobs N                  processes (as many as there are cores)
  --no-resume               run points again that have run with the same source, inputs and model
  --points-folder DIR       where finished points are kept (${'~'}/.cache/nki-scope/points)`;

export const sweep: CliCommand = {
  summary: 'time a kernel with many settings, as one table',
  help: `nki-scope sweep FILE.py [--kernel NAME] [--arg ...] [--set ...] [--target ...] [options]

Runs a kernel with every combination of the given values and prints a table: time, its likely range on hardware, what bounds it, the
most SBUF and PSUM in use at one time, and the error of what does not run. A point that has finished is kept on this disk. A sweep
that was stopped goes on where it was, and no point runs twice.

${SPACE_HELP}
  --list                    print the points and run none
  --only 0,3,7              run these points alone, by their places in --list: for job arrays
  --json                    [{parameters, total_time_ns, interval_ns, bound, instructions, sbuf_peak_bytes, psum_peak_bytes, error}],
                            in the order of the points
  --json-lines              the same objects, each with its index, a line for each point when it finishes
  --csv FILE, --parquet FILE   the table as a file, in the order of the points

  nki-scope sweep matmul.py --kernel matmul --arg a=bf16[{K},128] --arg b=bf16[{K},512] --set K=512:2048:*2
  nki-scope sweep softmax.py --set TILE=128:512:128 --target trn2,trn3 --csv softmax.csv
`,
  async run(argv, context) {
    const parsed = readOptions('sweep', argv, {
      ...SPACE_OPTIONS,
      only: { type: 'string' },
      list: { type: 'boolean' },
      json: { type: 'boolean' },
      'json-lines': { type: 'boolean' },
      csv: { type: 'string' },
      parquet: { type: 'string' },
    });
    const plan = inUsage(() => planOf(parsed));
    const all = inUsage(() => plannedPoints(plan));
    if (parsed.values.list === true) {
      context.terminal.out(jsonText(all));
      return EXIT.done;
    }
    const chosen = chosenPoints(parsed, all);
    return report(await rowsOf(plan, all, chosen, parsed, context), chosen.length, parsed, context);
  },
};

/** @throws UsageError, SpaceError */
export function planOf({ values, positionals, rest }: Parsed): SweepPlan {
  const file = pythonFile(positionals);
  const named = describedIn(file, text(values, 'sweep'));
  const own = described(values);
  const description: SweepDescription = { ...named, ...own, args: { ...named.args, ...own.args }, set: { ...named.set, ...own.set } };
  const runValues = Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(RUN_OPTIONS, name)));
  const { stdin: _, ...base } = captureRequest({ values: { ...runValues, kernel: description.kernel }, positionals, rest });
  // values cost time, and only a script looks at them
  const numerics = base.numerics ?? (base.kernel === undefined ? undefined : 'off');
  return sweepPlan({ ...description, kernel: base.kernel }, { ...base, numerics }, fs.readFileSync(file, 'utf8'));
}

/** @throws UsageError */
function describedIn(file: string, name: string | undefined): SweepDescription {
  if (name === undefined) return {};
  const place = caseFileOf(file);
  if (!place) throw new UsageError(`--sweep ${name}: there is no ${CASE_FILE} in a folder around the file`);
  const { sweeps = {} } = JSON.parse(fs.readFileSync(place, 'utf8')) as { sweeps?: Record<string, unknown> };
  if (!Object.hasOwn(sweeps, name))
    throw new UsageError(`--sweep ${name}: not in ${place}, which has ${Object.keys(sweeps).join(', ') || 'no sweeps'}`);
  return checkedDescription(name, sweeps[name]);
}

function described(values: Parsed['values']): SweepDescription {
  const byName = (option: string, example: string) => Object.fromEntries(pairs(values, option, example));
  const [kernel, target, dge, count, points] = ['kernel', 'target', 'dge', 'sample', 'points'].map(name => text(values, name));
  const env = byName('env', '--env NAME=a,b');
  return {
    ...(kernel !== undefined && { kernel }),
    args: byName('arg', '--arg a=bf16[128,{512,1024}] or --arg n={1,2}'),
    set: byName('set', '--set TILE_N=128:512:128'),
    ...(Object.keys(env).length > 0 && { env }),
    ...(target !== undefined && { target }),
    ...(dge !== undefined && { dge }),
    ...(values.where !== undefined && { where: list(values, 'where') }),
    ...(count !== undefined && {
      sample: { count: wholeNumber('sample', count, 1), seed: wholeNumber('seed', text(values, 'seed') ?? '0', 0) },
    }),
    ...(points !== undefined && { points: pointsIn(points) }),
  };
}

function pointsIn(file: string): SweepPoint[] {
  try {
    return checkedDescription('--points', { points: JSON.parse(fs.readFileSync(file, 'utf8')) }).points as SweepPoint[];
  } catch (error) {
    throw new UsageError(`--points ${file}: ${(error as Error).message}`);
  }
}

function wholeNumber(option: string, given: string, least: number): number {
  const value = Number(given);
  if (!/^\d+$/.test(given) || !Number.isSafeInteger(value) || value < least)
    throw new UsageError(`--${option} ${given}: a whole number from ${least} up`);
  return value;
}

/** Places of the points that run, in their order. */
function chosenPoints({ values }: Parsed, all: readonly SweepPoint[]): number[] {
  const only = text(values, 'only');
  if (only === undefined) return [...all.keys()];
  const chosen = [...new Set(only.split(',').map(word => wholeNumber('only', word.trim(), 0)))].sort((a, b) => a - b);
  const last = chosen.at(-1)!;
  if (last >= all.length) throw new UsageError(`--only ${last}: the last point is ${all.length - 1}`);
  return chosen;
}

/** What is wrong with a space is wrong usage. */
export function inUsage<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof SpaceError) throw new UsageError(`sweep: ${error.message}`);
    throw error;
  }
}

export function keptPoints({ values }: Parsed, { base }: SweepPlan, dist: string): FinishedPoints | undefined {
  if (values['no-resume'] === true) return undefined;
  return new FinishedPoints(text(values, 'points-folder') ?? pointsFolder(), modelVersion(dist), base.file);
}

export const jobsOf = ({ values }: Parsed): number | undefined => {
  const jobs = text(values, 'jobs');
  return jobs === undefined ? undefined : wholeNumber('jobs', jobs, 1);
};

async function rowsOf(
  plan: SweepPlan,
  all: readonly SweepPoint[],
  chosen: readonly number[],
  parsed: Parsed,
  { dist, terminal, signal }: CliContext,
): Promise<VariantRow[]> {
  const points = chosen.map(index => all[index]);
  const placed = (row: VariantRow) => ({ ...row, index: chosen[row.index] });
  const finished = keptPoints(parsed, plan, dist);
  const done: VariantRow[] = [];
  const onRow = (row: VariantRow) => {
    done.push(row);
    if (parsed.values['json-lines'] === true) terminal.out(`${JSON.stringify({ index: placed(row).index, ...rowJson(row) })}\n`);
    const best = fastest(done)?.totalTimeNs;
    terminal.progress(`${done.length} of ${points.length}${best ? `, fastest ${timeText(best)}` : ''} …`);
  };
  try {
    const options = { dist, jobs: jobsOf(parsed), finished, onRow, onSandbox: sayIfOpen(terminal.log) };
    return (await inUsageAsync(() => runPoints(plan, points, options, signal))).map(placed);
  } finally {
    finished?.close();
    terminal.progress('');
  }
}

/** The same of what takes time. */
export async function inUsageAsync<T>(make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    return inUsage<T>(() => {
      throw error;
    });
  }
}

async function report(rows: VariantRow[], wanted: number, { values }: Parsed, { terminal }: CliContext): Promise<number> {
  const [csv, parquet] = [text(values, 'csv'), text(values, 'parquet')];
  if (csv !== undefined) await writeFile(csv, [sweepCsv(rows)]);
  if (parquet !== undefined) await writeFile(parquet, [sweepParquet(rows)]);
  if (values.json === true) terminal.out(jsonText(rows.map(rowJson)));
  else if (values['json-lines'] !== true) terminal.out(sweepText(rows));
  if (rows.length < wanted) terminal.log(`Stopped after ${rows.length} of ${wanted} points. The same command goes on with the others.`);
  return rows.length === wanted && rows.some(row => row.error === null) ? EXIT.done : EXIT.failed;
}

/** Of the table on a terminal; files have all. */
const MOST_ROWS = 40;

/** Fastest first; what does not run is last. */
export function sweepText(rows: readonly VariantRow[]): string {
  if (rows.length === 0) return '';
  const best = fastest(rows);
  const sorted = [...rows].sort((a, b) => (a.totalTimeNs ?? Infinity) - (b.totalTimeNs ?? Infinity) || a.index - b.index);
  const shown = sorted.slice(0, MOST_ROWS);
  const names = Object.keys(rows[0].parameters);
  const more = rows.length > shown.length ? `and ${rows.length - shown.length} more: --csv FILE has all\n` : '';
  const failed = rows.filter(row => row.error !== null).length;
  const table = alignedTable([headTexts(names), ...shown.map(row => rowTexts(row, best))], names.length);
  const slower = shown.flatMap(row => (best?.totalTimeNs && row.totalTimeNs ? [row.totalTimeNs / best.totalTimeNs - 1] : []));
  const note = smallMarkNote(slower);
  return `${table}${note ? `${note}\n` : ''}${more}${rows.length} points${failed > 0 ? `, ${failed} of them do not run` : ''}.\n`;
}
