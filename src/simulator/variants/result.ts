/** What a sweep keeps of a point: how long it takes, what bounds it, what memory it needs, or why it does not run. */
import { bounds } from '../analyze/bounds';
import { machineOf } from '../analyze/machineOf';
import { peakBytes } from '../analyze/peakBytes';
import { hbmNs, peakNs } from '../analyze/roofline';
import { totals } from '../analyze/totals';
import { decodeProfile } from '../profile/codec';
import type { Profile } from '../profile/profile';
import type { CaptureResult, CaptureRun } from '../session/capture';

export interface VariantResult {
  /** Of all kernel calls; of ranks, the last one's end. Null where it does not run. */
  totalTimeNs: number | null;
  /** The range in which the time is likely to be on hardware; null where no independent times are published. */
  likelyNs: [low: number, high: number] | null;
  /** Less than this is not possible with its bytes to and from HBM and its FLOPs: both at their peak rates, with start-up and end. */
  floorNs: number | null;
  /** What bounds the longest call: `BoundVerdict.bound`. */
  bound: string | null;
  instructions: number | null;
  /** The most that is in use at one time, of any call. */
  sbufPeakBytes: number | null;
  psumPeakBytes: number | null;
  /** FNV-1a 64 of the values of each output, where they were computed. */
  checksums: string[];
  /** Why it does not run. */
  error: string | null;
}

/** @param shortName how a file is named in an error, the same on every machine */
export function variantResult({ runs, error }: CaptureResult, shortName: (file: string) => string): VariantResult {
  const failed = runs.flatMap(({ checks }) => checks).find(({ severity }) => severity === 'error');
  if (error) {
    const where = error.file === null ? '' : `${shortName(error.file)}:${error.line === null ? '' : `${error.line}:`} `;
    return failedResult(`${where}${error.kind}: ${error.message}`);
  }
  if (failed) return failedResult(`${shortName(failed.file)}:${failed.line}: ${failed.message}`);
  if (runs.length === 0) return failedResult('NoKernel: no kernel was called');
  const calls = slowestRanks(runs).map(({ profile }) => decodeProfile(profile));
  const sum = (of: (p: Profile) => number) => calls.reduce((total, p) => total + of(p), 0);
  const longest = calls.reduce((a, b) => (b.totalTimeNs > a.totalTimeNs ? b : a));
  const most = (memory: 'sbuf' | 'psum') => Math.max(...calls.map(p => peakBytes(p, memory)));
  return {
    totalTimeNs: sum(p => p.totalTimeNs),
    likelyNs: calls.every(p => p.likely) ? [sum(p => p.likely!.lowNs), sum(p => p.likely!.highNs)] : null,
    floorNs: sum(floorNs),
    bound: bounds(longest).verdict.bound,
    instructions: sum(p => p.instructions.startNs.length),
    sbufPeakBytes: most('sbuf'),
    psumPeakBytes: most('psum'),
    checksums: runs.flatMap(({ outputs }) => outputs.flatMap(({ checksum }) => checksum ?? [])),
    error: null,
  };
}

export const failedResult = (error: string): VariantResult => ({
  totalTimeNs: null,
  likelyNs: null,
  floorNs: null,
  bound: null,
  instructions: null,
  sbufPeakBytes: null,
  psumPeakBytes: null,
  checksums: [],
  error,
});

function floorNs(p: Profile): number {
  const { hbmReadBytes, hbmWriteBytes, traffic } = totals(p);
  const [machine, cores] = [machineOf(p), p.machine.cores ?? 1];
  const bytesNs = hbmNs({ hbmReadBytes: hbmReadBytes ?? 0, hbmWriteBytes: hbmWriteBytes ?? 0 }, machine, cores);
  return Math.max(bytesNs, peakNs({ flops: traffic.usefulFlops }, machine, cores)) + p.totalTimeNs - (p.bodyEndNs - p.bodyStartNs);
}

/** Of each call on several ranks, the run whose body ends last. */
function slowestRanks(runs: readonly CaptureRun[]): CaptureRun[] {
  const slowest = new Map<string, { run: CaptureRun; endNs: number }>();
  for (const run of runs) {
    const { kernel, call, rank } = run.id;
    const endNs = rank === undefined ? 0 : decodeProfile(run.profile).bodyEndNs;
    const known = slowest.get(`${kernel} ${call}`);
    if (!known || endNs > known.endNs) slowest.set(`${kernel} ${call}`, { run, endNs });
  }
  return [...slowest.values()].map(({ run }) => run);
}
