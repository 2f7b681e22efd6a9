/** `fidelity`: runs kernels whose times on hardware are published, and says how far the model is off. */
import path from 'node:path';
import {
  baselines,
  type CaptureRequest,
  type CaptureResult,
  decodeProfile,
  type ErrorStatistics,
  errorPercent,
  kernelKind,
  type Machine,
  type Profile,
  SimulatorClient,
} from '../simulator/index';
import { sayIfOpen } from './confinement';
import type { CliCommand, CliContext } from './context';
import { EXIT, UsageError } from './errors';
import { type FidelityRow, figureOf, measuredNs, readRows, requestOf } from './fidelityRows';
import { type FidelityResult, tables } from './fidelityTables';
import { fidelityText } from './fidelityText';
import { errorText } from './messages';
import { readOptions, text } from './options';

/** Rows that come with the sources, beside the bundles' folder. */
const OWN_ROWS = ['..', 'bench', 'fidelity', 'rows.json'];

export const fidelity: CliCommand = {
  summary: 'how far modelled times are off times measured on hardware',
  help: `nki-scope fidelity [--rows FILE.json] [--only WORD] [--json]

Runs the kernel of every row and prints measured and modelled time, the error, and what two simpler models would say:
busiest (the engine that works longest) and sum (everything one after another). Below, the mean absolute error, the bias
and the worst row of each table.

  --rows FILE   rows [{id, metric, value, unit, source, table?, run: {file, kernel, args, target, grid?, dge?, pipeline?}}];
                files are relative to it. Default: bench/fidelity/rows.json of a checkout
  --only WORD   rows whose id contains WORD
  --json        {rows: [{id, table, metric, measured_ns, modelled_ns, error_percent, busiest_ns, sum_ns, kind}], tables: [...]}

  nki-scope fidelity --only ak-att
`,
  async run(argv, context) {
    const { values, positionals } = readOptions('fidelity', argv, {
      rows: { type: 'string' },
      only: { type: 'string' },
      json: { type: 'boolean' },
    });
    if (positionals.length > 0) throw new UsageError(`fidelity: ${positionals[0]}: name rows with --rows FILE.json`);
    const file = path.resolve(text(values, 'rows') ?? path.join(context.dist, ...OWN_ROWS));
    const rows = readRows(file).filter(row => row.id.includes(text(values, 'only') ?? ''));
    const { results, failed } = await runRows(rows, path.dirname(file), context);
    context.terminal.out(values.json ? `${JSON.stringify(fidelityJson(results), null, 2)}\n` : fidelityText(results, tables(results)));
    const silent = rows.length - results.length - failed;
    if (silent > 0) context.terminal.log(`${silent} rows have no run, or a metric that is no time of a whole kernel`);
    return failed > 0 ? EXIT.failed : EXIT.done;
  },
};

/** Another machine or another policy of the compiler for the run of a row; nothing: as they are. */
export type RowVariant = (row: FidelityRow) => Pick<CaptureRequest, 'machine' | 'policy'>;

/** @param folder that the files of the rows are relative to */
export async function runRows(
  rows: readonly FidelityRow[],
  folder: string,
  { terminal, dist, signal }: CliContext,
  experiment: RowVariant = () => ({}),
) {
  const results: FidelityResult[] = [];
  const captures = new Map<string, Profile[]>();
  let failed = 0;
  const client = new SimulatorClient({ dist, onSandbox: sayIfOpen(terminal.log) });
  try {
    for (const row of rows) {
      if (!row.run) continue;
      terminal.progress(`${row.id} …`);
      // Rows that measure the same run in several ways share it.
      const key = JSON.stringify(row.run);
      const changed = experiment(row);
      const profiles =
        captures.get(key) ?? (await profilesOf(row, { ...requestOf(row, folder), ...changed }, client, signal, terminal.log));
      if (profiles.length > 0) results.push(resultOf(row, profiles, changed.machine));
      else failed++;
      captures.clear();
      captures.set(key, profiles);
    }
  } finally {
    client.dispose();
    terminal.progress('');
  }
  return { results, failed };
}

async function profilesOf(
  row: FidelityRow,
  request: CaptureRequest,
  client: SimulatorClient,
  signal: AbortSignal,
  log: (line: string) => void,
) {
  const result: CaptureResult = await client.capture(request, { onProgress: () => {}, onOutput: () => {} }, signal);
  if (result.error) log(`${row.id}: ${errorText(result.error)}`);
  else if (result.runs.length === 0) log(`${row.id}: no kernel was called`);
  return result.error ? [] : result.runs.map(run => decodeProfile(run.profile));
}

function resultOf(row: FidelityRow, profiles: readonly Profile[], machine?: Machine): FidelityResult {
  const figure = figureOf(row)!;
  const measured = measuredNs(row)!;
  const sum = (of: (p: Profile) => number) => profiles.reduce((total, p) => total + of(p), 0);
  const modelledNs = sum(p => figure(p, machine));
  const aroundNs = modelledNs - sum(p => p.bodyEndNs - p.bodyStartNs);
  const [{ pipeline, target }] = profiles;
  return {
    row,
    table: row.table ?? `${pipeline} ${target}`,
    measuredNs: measured,
    modelledNs,
    errorPercent: errorPercent(modelledNs, measured),
    busiestNs: aroundNs + sum(p => baselines(p).busiestNs),
    sumNs: aroundNs + sum(p => baselines(p).sumNs),
    kind: kernelKind(profiles[0]),
  };
}

function fidelityJson(results: readonly FidelityResult[]): Record<string, unknown> {
  const statistics = (s: ErrorStatistics) => ({
    rows: s.rows,
    mean_absolute_percent: s.meanAbsolute,
    bias_percent: s.bias,
    worst_percent: s.worst,
  });
  return {
    rows: results.map(r => ({
      id: r.row.id,
      table: r.table,
      metric: r.row.metric,
      measured_ns: r.measuredNs,
      modelled_ns: r.modelledNs,
      error_percent: r.errorPercent,
      busiest_ns: r.busiestNs,
      sum_ns: r.sumNs,
      kind: r.kind,
      source: r.row.source,
    })),
    tables: tables(results).map(t => ({
      name: t.name,
      model: statistics(t.model),
      busiest: statistics(t.busiest),
      sum: statistics(t.sum),
    })),
  };
}
