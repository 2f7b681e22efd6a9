/** The runs of a capture's result: each is the same thing as in the file's next capture. */
import path from 'node:path';
import type { CaptureRequest, CaptureResult, ReturnedCall } from '../../simulator/index';
import { type Identity, keyOf } from './identity';
import { isOfSavedTexts } from './requests';
import { Run } from './run';

interface Asked {
  /** `performance.now()` of the user's command, if there was one. */
  askedAtMs?: number;
  /** Of the case that was run. */
  caseName?: string;
}

/** By the user. */
export interface AskedFor extends Asked {
  /** The kernel that was asked for; undefined: any of the file. */
  kernel: string | undefined;
  askedAtMs: number;
}

/** @param returned runs of calls that were told of before the script ended: the same objects, unless its values have added checks */
export function toRuns(request: CaptureRequest, result: CaptureResult, asked: Asked = {}, returned: readonly Run[] = []): Run[] {
  return result.runs.map(call => {
    const key = keyOf(identityOfCall(request, call));
    return returned.find(run => run.key === key && Buffer.compare(run.bytes, call.profile) === 0) ?? toRun(request, call, asked);
  });
}

/** The run of all kernel calls; undefined where one call is all. */
export function toRunOfLaunches(request: CaptureRequest, { launches }: CaptureResult, { askedAtMs }: Asked = {}): Run | undefined {
  if (!launches) return undefined;
  return new Run({ of: 'launches', file: request.file }, launches, {
    askedAtMs,
    file: path.basename(request.file),
    isMadeHere: true,
    isSaved: files => isOfSavedTexts(request, files),
  });
}

export const identityOfCall = ({ file }: CaptureRequest, { id }: Pick<ReturnedCall, 'id'>): Identity => ({ of: 'call', file, ...id });

export function toRun(request: CaptureRequest, call: ReturnedCall, { askedAtMs, caseName }: Asked = {}): Run {
  return new Run(identityOfCall(request, call), call.profile, {
    askedAtMs,
    caseName,
    file: path.basename(request.file),
    isMadeHere: true,
    isSaved: files => isOfSavedTexts(request, files),
  });
}
