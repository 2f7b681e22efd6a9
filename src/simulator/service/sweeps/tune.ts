/**
 * Searches a space for its fastest point (`variants/search.ts`), and proves that the fastest computes the same: its outputs are compared with
 * those of the first point that ran, on the same random inputs. A point whose outputs differ too much loses to the next one.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { requestOf, type SweepPlan } from '../../variants/request';
import { type SearchEnd, search } from '../../variants/search';
import type { SweepPoint } from '../../variants/space';
import type { VariantRow } from '../../variants/table';
import { SpaceError } from '../../variants/values';
import { SimulatorClient } from '../client';
import { type PointsOptions, runPoints } from './runPoints';

export interface TuneOptions extends PointsOptions {
  /** Points that may be run. */
  budget: number;
  seed: number;
  /** Near the bound: the time is at most this much more than the least floor, as a share. */
  nearShare: number;
  /** Relative error (root of the sum of squared differences) up to which outputs count as the same. */
  tolerance: number;
}

/** Of one point, its outputs against those of the first point. */
export interface ComparedValues {
  /** `same`: bit by bit; `near`: within the tolerance; `other`: not; `unknown`: they are too large, or the point does not run with values. */
  verdict: 'same' | 'near' | 'other' | 'unknown';
  /** The largest of the outputs; null where it is not known. */
  relativeError: number | null;
  /** What they were compared with. */
  against: SweepPoint;
}

export interface Tuned {
  /** In the order in which they ran. */
  rows: VariantRow[];
  reason: SearchEnd['reason'];
  /** The fastest whose values are the same; null if there is none. */
  best: VariantRow | null;
  values: ComparedValues | null;
  /** Faster ones, whose values are others. */
  rejected: VariantRow[];
  /** The least floor of all points that ran: `VariantResult.floorNs`. */
  floorNs: number | null;
}

/** Points whose values are compared before the search gives up. */
const MOST_COMPARED = 8;

/** @throws SpaceError for a space with several problems. @throws SimulatorFault */
export async function tune(plan: SweepPlan, options: TuneOptions, signal?: AbortSignal): Promise<Tuned> {
  checkOneProblem(plan);
  const rows: VariantRow[] = [];
  const floorNs = () =>
    rows.reduce<number | null>((least, row) => (row.floorNs === null ? least : Math.min(least ?? Infinity, row.floorNs)), null);
  const end = await search(plan.space, {
    budget: options.budget,
    seed: options.seed,
    isNear: bestNs => bestNs <= (floorNs() ?? 0) * (1 + options.nearShare),
    run: async points => {
      const first = rows.length;
      const placed = (row: VariantRow) => ({ ...row, index: first + row.index });
      const onRow: PointsOptions['onRow'] = (row, isKept) => options.onRow?.(placed(row), isKept);
      const ran = await runPoints(plan, points, { ...options, onRow }, signal);
      rows.push(...ran.map(placed));
      // those that finished before the signal may have gaps
      return ran.length < points.length ? [] : ran.map(row => row.totalTimeNs);
    },
  });
  const found = signal?.aborted ? { best: null, values: null, rejected: [] } : await sameValues(plan, rows, options, signal);
  return { rows, reason: end.reason, ...found, floorNs: floorNs() };
}

function checkOneProblem({ space }: SweepPlan) {
  const several = space.parameters.find(({ kind, values }) => (kind === 'size' || kind === 'target') && values.length > 1);
  if (several)
    throw new SpaceError(`${several.name} has several values: tune searches settings of one problem on one target; sweep lists all`);
}

/** The fastest row with the values of the first row that runs. */
async function sameValues(
  plan: SweepPlan,
  rows: readonly VariantRow[],
  { dist, tolerance, onSandbox }: TuneOptions,
  signal: AbortSignal | undefined,
): Promise<Pick<Tuned, 'best' | 'values' | 'rejected'>> {
  const running = rows.filter(row => row.totalTimeNs !== null);
  const byTime = [...running].sort((a, b) => a.totalTimeNs! - b.totalTimeNs!);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nki-scope-tune-'));
  const client = new SimulatorClient({ dist, keepSpare: false, again: true, onSandbox });
  const withValues = (row: VariantRow) => ({
    ...requestOf(plan, row.parameters),
    fill: plan.base.fill ?? ('random' as const),
    numerics: 'on' as const,
  });
  try {
    if (byTime.length === 0) return { best: null, values: null, rejected: [] };
    const first = await client.capture({ ...withValues(running[0]), returnsOutputs: true }, {}, signal);
    const files = (first.runs.length === 1 ? (first.runs[0].values ?? []) : []).map((bytes, k) => {
      const file = path.join(folder, `${k}.npy`);
      fs.writeFileSync(file, bytes);
      return file;
    });
    const checksums = (runs: typeof first.runs) => runs.flatMap(({ outputs }) => outputs.map(({ checksum }) => checksum)).join();
    const rejected: VariantRow[] = [];
    for (const row of byTime.slice(0, MOST_COMPARED)) {
      const { runs, error } = await client.capture({ ...withValues(row), ...(files.length > 0 && { references: files }) }, {}, signal);
      const errors = runs.flatMap(({ references = [] }) => references);
      const isSame = !error && !first.error && runs.length > 0 && checksums(runs) === checksums(first.runs);
      const relativeError = isSame
        ? 0
        : errors.length > 0
          ? Math.max(...errors.map(({ relative, notFinite }) => (notFinite > 0 ? Infinity : relative)))
          : null;
      const verdict = isSame ? 'same' : error || relativeError === null ? 'unknown' : relativeError <= tolerance ? 'near' : 'other';
      const values: ComparedValues = { verdict, relativeError, against: running[0].parameters };
      if (verdict !== 'other') return { best: row, values, rejected };
      rejected.push(row);
    }
    return { best: null, values: null, rejected };
  } finally {
    client.dispose();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
