/** What a profile keeps of how it was asked for, so that its kernel can be run again. Read by `service/rerun.ts`. */
import type { Rerun } from '../profile/profile';
import type { CaptureRequest } from './capture';

/**
 * Not kept: texts (a profile has them), limits, another machine or policy, where profiles may be saved, whether values were wanted and the script's time was measured, what they were compared with, and which interpreter ran it: the
 * profile is the same. A call on several ranks is not run again.
 */
export type Kept = Exclude<
  keyof CaptureRequest,
  | 'overlay'
  | 'profileFolders'
  | 'limits'
  | 'numerics'
  | 'stdin'
  | 'python'
  | 'machine'
  | 'policy'
  | 'explainCompile'
  | 'hostTime'
  | 'precisionReport'
  | 'narrowings'
  | 'references'
  | 'returnsOutputs'
  | 'referenceFunction'
  | 'ranks'
  | 'rankInputs'
  | 'recorders'
  | 'topology'
>;

const KEPT: Record<Kept, true> = {
  file: true,
  root: true,
  cwd: true,
  kernel: true,
  args: true,
  inputs: true,
  fill: true,
  grid: true,
  target: true,
  nkiVersion: true,
  pipeline: true,
  dge: true,
  argv: true,
  env: true,
  importPaths: true,
};

/** @returns undefined for runs of a Python process that the user started (it is not known how), and for those on a machine of an experiment, which has values of its own. */
export function rerunOf(request: CaptureRequest, target: string, call: number): Rerun | undefined {
  if (request.file === '' || request.machine) return undefined;
  return { request: { ...keptRequest({ ...request, target }) }, call };
}

/** The parts of a request that are kept; whatever else stands in one is left out. */
export function keptRequest(request: CaptureRequest): CaptureRequest {
  const given = (Object.keys(KEPT) as Kept[]).filter(key => request[key] !== undefined);
  return Object.fromEntries(given.map(key => [key, request[key]])) as unknown as CaptureRequest;
}
