/**
 * Advice that takes other runs of the kernel to try: narrower dtypes on its values, and other tile sizes. The runs are the caller's, with
 * its rights and its limits.
 */
import type { AdviceReport } from '../advice/advise';
import type { Profile } from '../profile/profile';
import type { CaptureRequest, CaptureResult, KernelCall } from '../session/capture';
import { withConstantsTried } from './constantAdvice';
import { withValuesTried } from './narrowedAdvice';

/** What the report is about, and how to run it again. */
export interface AdvisedRun {
  profile: Pick<Profile, 'files'>;
  /** What made the profile. */
  request: CaptureRequest;
  call: KernelCall;
  /** Whether constants are tried, too. */
  constants: boolean;
}

/** @returns the report with what was tried among its advice, by gains @throws SimulatorFault */
export async function adviceByRuns(
  capture: (request: CaptureRequest) => Promise<CaptureResult>,
  { profile, request, call, constants }: AdvisedRun,
  report: AdviceReport,
): Promise<AdviceReport> {
  const tried = await withValuesTried(capture, request, call, report);
  const own = profile.files.find(({ path }) => path === request.file);
  return constants && own ? withConstantsTried(capture, request, call, own.text, tried) : tried;
}
