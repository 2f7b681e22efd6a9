/**
 * An advice's edits carried out on the texts that ran, and both run: how long the kernel takes before and after, and whether it computes
 * the same. Nothing is written.
 */
import type { TextEdit } from '../advice/edits';
import { decodeProfile } from '../profile/codec';
import type { CaptureRequest, CaptureResult, CaptureRun, KernelCall } from '../session/capture';

export interface EditedRun {
  beforeNs: number;
  afterNs: number;
  /** Of the time before; negative: it is slower. */
  gainShare: number;
  /** Outputs whose values are not the same bit by bit, by name. */
  differing: string[];
}

/** The edited kernel, or the one before, did not run: what it says. */
export class EditFailed extends Error {
  override name = 'EditFailed';
}

/** With these edits, which do not overlap, in the files of `texts`. */
export function editedTexts(texts: Readonly<Record<string, string>>, edits: readonly TextEdit[]): Record<string, string> {
  const result = { ...texts };
  for (const { file, from, to, text } of [...edits].sort((a, b) => b.from - a.from))
    result[file] = result[file].slice(0, from) + text + result[file].slice(to);
  return result;
}

/** @param request with the texts that ran as its overlay @throws EditFailed, SimulatorFault */
export async function runEdited(
  capture: (request: CaptureRequest) => Promise<CaptureResult>,
  request: CaptureRequest,
  { call }: KernelCall,
  edits: readonly TextEdit[],
): Promise<EditedRun> {
  const run = async (overlay: CaptureRequest['overlay']) => {
    const { runs, error } = await capture({ ...request, overlay, numerics: 'on' });
    if (error || !runs[call]) throw new EditFailed(error?.message ?? 'the kernel is not called any more');
    return runs[call];
  };
  const before = await run(request.overlay);
  const after = await run(editedTexts(request.overlay ?? {}, edits));
  const [beforeNs, afterNs] = [before, after].map(({ profile }) => decodeProfile(profile).totalTimeNs);
  return { beforeNs, afterNs, gainShare: 1 - afterNs / beforeNs, differing: differing(before, after) };
}

function differing({ outputs: before }: CaptureRun, { outputs: after }: CaptureRun): string[] {
  const isSame = (k: number) => before[k].checksum !== null && before[k].checksum === after[k]?.checksum;
  return before.filter((_, k) => !isSame(k)).map(({ name }) => name);
}
