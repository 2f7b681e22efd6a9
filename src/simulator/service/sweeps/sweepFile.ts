/** A sweep of one file from its description to its rows, for hosts of tools: points that have run before are taken from the disk. */
import fs from 'node:fs';
import type { CaptureRequest } from '../../session/capture';
import { plannedPoints, type SweepDescription, sweepPlan } from '../../variants/description';
import type { VariantRow } from '../../variants/table';
import { SpaceError } from '../../variants/values';
import { FinishedPoints, pointsFolder } from './finishedPoints';
import { modelVersion } from './modelVersion';
import { type PointsOptions, runPoints } from './runPoints';

/** Of one call: minutes of work for slow kernels. */
const MOST_POINTS = 2000;

/** @param base what all points share; its overlay is read instead of the disk @throws SpaceError, SimulatorFault */
export async function sweepFile(
  description: SweepDescription,
  base: CaptureRequest,
  options: Omit<PointsOptions, 'finished'>,
  signal: AbortSignal,
): Promise<VariantRow[]> {
  const text = base.overlay?.[base.file] ?? fs.readFileSync(base.file, 'utf8');
  const plan = sweepPlan({ ...description, kernel: base.kernel }, base, text);
  const points = plannedPoints(plan);
  if (points.length > MOST_POINTS)
    throw new SpaceError(`${points.length} points, and one call takes ${MOST_POINTS}: leave some out with where, or take a sample`);
  const finished = new FinishedPoints(pointsFolder(), modelVersion(options.dist), base.file);
  try {
    return await runPoints(plan, points, { ...options, finished }, signal);
  } finally {
    finished.close();
  }
}
