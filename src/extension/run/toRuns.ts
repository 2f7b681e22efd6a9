/** The runs of a capture's result: each is the same thing as in the file's next capture. */
import path from 'node:path';
import type { CaptureRequest, CaptureResult } from '../../simulator/index';
import { isOfSavedTexts } from './requests';
import { Run } from './run';

interface Asked {
  /** `performance.now()` of the user's command, if there was one. */
  askedAtMs?: number;
  /** Of the case that was run. */
  caseName?: string;
}

export function toRuns(request: CaptureRequest, result: CaptureResult, { askedAtMs, caseName }: Asked = {}): Run[] {
  return result.runs.map(
    ({ id, profile }) =>
      new Run({ of: 'call', file: request.file, ...id }, profile, {
        askedAtMs,
        caseName,
        file: path.basename(request.file),
        isMadeHere: true,
        isSaved: files => isOfSavedTexts(request, files),
      }),
  );
}
