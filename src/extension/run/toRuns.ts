/** The runs of a capture's result, under keys that stay the same from run to run. */
import type { CaptureRequest, CaptureResult } from '../../simulator/index';
import { isOfSavedTexts } from './requests';
import { Run } from './run';

/** The n-th call of a kernel in a file keeps its key. @param askedAtMs `performance.now()` of the user's command, if there was one */
export function toRuns(request: CaptureRequest, result: CaptureResult, askedAtMs?: number): Run[] {
  const calls = new Map<string, number>();
  return result.runs.map(({ kernel, profile }) => {
    const call = (calls.get(kernel) ?? 0) + 1;
    calls.set(kernel, call);
    return new Run(runKey(request.file, kernel, call), profile, {
      askedAtMs,
      isMadeHere: true,
      isSaved: files => isOfSavedTexts(request, files),
    });
  });
}

const runKey = (file: string, kernel: string, call: number) => [file, kernel, call].join('\n');

/** The file whose run has this key; undefined for opened profiles. */
export function fileOfKey(key: string): string | undefined {
  const parts = key.split('\n');
  return parts.length === 3 ? parts[0] : undefined;
}
