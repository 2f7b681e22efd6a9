/**
 * Runs the points of a sweep on all cores: some processes for kernels, each with a warm interpreter that serves one point after another.
 * A point whose process ends early runs again in a new one, once. Results come as they finish.
 */
import os from 'node:os';
import path from 'node:path';
import { requestOf, type SweepPlan } from '../../variants/request';
import { failedResult, type VariantResult, variantResult } from '../../variants/result';
import type { SweepPoint } from '../../variants/space';
import type { VariantRow } from '../../variants/table';
import { SimulatorClient } from '../client';
import { SimulatorFault } from '../fault';
import type { FinishedPoints } from './finishedPoints';

export interface PointsOptions {
  /** Host path of the build. */
  dist: string;
  /** Processes; absent: as many as there are cores. */
  jobs?: number;
  /** Points that have run, and where others are kept. */
  finished?: FinishedPoints;
  /** Called for each point as it finishes, in any order. `isKept`: it had run before. */
  onRow?(row: VariantRow, isKept: boolean): void;
  /** Called with what confines a process for kernels. */
  onSandbox?(confinedBy: readonly string[]): void;
}

/** Kinds of errors of a run that was stopped from outside. */
const STOPPED = ['Cancelled', 'Limit'];
/** How often a point is run whose process ended early. */
const MOST_ATTEMPTS = 2;

/** Rows in the order of the points; those that did not finish before the signal are left out. @throws SimulatorFault */
export async function runPoints(
  plan: SweepPlan,
  points: readonly SweepPoint[],
  options: PointsOptions,
  signal?: AbortSignal,
): Promise<VariantRow[]> {
  const rows: VariantRow[] = [];
  const finish = (index: number, result: VariantResult, isKept: boolean) => {
    const row = { index, parameters: points[index], ...result };
    rows.push(row);
    options.onRow?.(row, isKept);
  };
  const waiting = left(plan, points, options.finished, finish);
  const most = Math.min(options.jobs ?? os.availableParallelism(), waiting.length);
  // a fault of one lane ends the others
  const failed = new AbortController();
  const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  const lanes = Array.from({ length: most }, () => lane(plan, waiting, options, finish, either));
  try {
    await Promise.all(lanes);
  } finally {
    failed.abort();
    await Promise.allSettled(lanes);
  }
  return rows.sort((a, b) => a.index - b.index);
}

/** Requests that are left when those of finished points are answered, with their places. */
function left(
  plan: SweepPlan,
  points: readonly SweepPoint[],
  finished: FinishedPoints | undefined,
  finish: (index: number, result: VariantResult, isKept: boolean) => void,
): [index: number, request: ReturnType<typeof requestOf>][] {
  return points.flatMap((point, index) => {
    const request = requestOf(plan, point);
    const known = finished?.find(finished.keyOf(request));
    if (!known) return [[index, request]];
    finish(index, known, true);
    return [];
  });
}

/** One process after another, each until it ends; takes points until none waits. */
async function lane(
  { base }: SweepPlan,
  waiting: [number, ReturnType<typeof requestOf>][],
  { dist, finished, onSandbox }: PointsOptions,
  finish: (index: number, result: VariantResult, isKept: boolean) => void,
  signal: AbortSignal | undefined,
) {
  const start = () => new SimulatorClient({ dist, keepSpare: false, again: true, onSandbox });
  let client = start();
  const shortName = (file: string) => path.relative(base.root, file);
  const run = async (request: ReturnType<typeof requestOf>) => {
    for (let attempt = 1; ; attempt++)
      try {
        const captured = await client.capture(request, {}, signal);
        // a point that was stopped may run to its end another time
        const isFinal = captured.error === null || !STOPPED.includes(captured.error.kind);
        return { result: variantResult(captured, shortName), readFiles: isFinal ? captured.readFiles : undefined };
      } catch (error) {
        if (!(error instanceof SimulatorFault)) throw error;
        client.dispose();
        client = start();
        if (attempt === MOST_ATTEMPTS) return { result: failedResult(error.message) };
      }
  };
  try {
    for (let next = waiting.shift(); next && !signal?.aborted; next = waiting.shift()) {
      const [index, request] = next;
      const { result, readFiles } = await run(request);
      if (signal?.aborted) return;
      if (readFiles) finished?.add(finished.keyOf(request), result, request.root, readFiles);
      finish(index, result, false);
    }
  } finally {
    client.dispose();
  }
}
