/** The timeline of a point of a sweep, alone or above that of the fastest: the point runs once more, as a run of its own. */
import path from 'node:path';
import { fastest, pointWords, requestOf, type SweepPlan, type VariantRow } from '../../simulator/index';
import { compareRuns } from '../compare/compareRuns';
import type { Captures } from '../run/capture';
import { showRun } from '../run/returnedRuns';
import { Run } from '../run/run';
import type { Runs } from '../run/runs';
import type { Timelines } from '../timeline/timelines';

export interface VariantNeeds {
  captures: Captures;
  log: import('vscode').LogOutputChannel;
  runs: Runs;
  timelines: Timelines;
}

/** A point, and the sweep that it is of. */
export interface ShownVariant {
  plan: SweepPlan;
  row: VariantRow;
}

export async function openVariant(parts: VariantNeeds, shown: ShownVariant): Promise<void> {
  const run = await variantRun(parts, shown);
  if (run) await showRun(parts, run, shown.plan.base.file);
}

/** The fastest first, as what the other one is compared with. */
export async function compareWithFastest(parts: VariantNeeds, { plan, row }: ShownVariant, rows: readonly VariantRow[]): Promise<void> {
  const best = fastest(rows);
  if (!best || best === row) return;
  const first = await variantRun(parts, { plan, row: best });
  const other = first && (await variantRun(parts, { plan, row }));
  if (!other) return;
  parts.runs.put(first);
  compareRuns(parts, [
    { run: first, title: first.title },
    { run: other, title: other.title },
  ]);
}

/** Its longest kernel call. undefined: it was cancelled, or the user was told why not. */
async function variantRun({ captures }: VariantNeeds, { plan, row }: ShownVariant): Promise<Run | undefined> {
  const request = requestOf(plan, row.parameters);
  const words = pointWords(row.parameters);
  const result = await captures.run(request, words);
  const file = path.basename(request.file);
  const runs = (result?.runs ?? []).map(({ profile, id }) => {
    const identity = { of: 'kept' as const, id: JSON.stringify(['variant', request.file, id.kernel, id.call, words]) };
    return new Run(identity, profile, { caseName: words, file, isMadeHere: true, isSaved: () => false });
  });
  return runs.reduce<Run | undefined>((a, b) => (a && a.profile.totalTimeNs >= b.profile.totalTimeNs ? a : b), undefined);
}
