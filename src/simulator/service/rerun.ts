/**
 * Whether and how the kernel of a profile can be run again. The texts that run are the profile's own, so that what is seen belongs to
 * what was timed. Whether code of somebody else's may run is decided here too: only where it is what lies on this disk already.
 */
import { keptRequest } from '../frontend/rerun';
import type { Profile } from '../profile/profile';
import type { CaptureRequest, KernelCall } from './api';
import { NoWorkspace } from './workspace';

export interface RerunOptions {
  /** Made here, of what the user ran: its texts may differ from the disk. */
  own: boolean;
  /** The user's interpreter, if their own runs are made in one; absent: the bundled one. */
  python?: string;
  /** The text of a file on this machine; null when it cannot be read. */
  readText(file: string): string | null;
  /** The folder that the kernel may read, for a profile that was not made here. @throws NoWorkspace */
  rootOf(file: string): string;
}

export type RerunAnswer = { request: CaptureRequest; call: KernelCall; reason: null } | { reason: string };

/** The request, or a sentence that says why there is none. */
export function rerunRequest({ simulated, rerun, files }: Profile, { own, python, readText, rootOf }: RerunOptions): RerunAnswer {
  const no = (reason: string) => ({ reason });
  if (!simulated) return no('This profile was measured or imported: it has times, and no program that could be run for values.');
  if (!rerun || typeof rerun.request.file !== 'string')
    return no('This profile does not say how its kernel was called. Profile it again to see values.');
  const request = keptRequest(rerun.request as unknown as CaptureRequest);
  const call: KernelCall = { call: rerun.call, ...(rerun.core !== undefined && { core: rerun.core }) };
  const overlay = Object.fromEntries(files.map(({ path, text }) => [path, text]));
  const asked: CaptureRequest = { ...request, overlay, numerics: 'auto' };
  if (own) return { request: { ...asked, python }, call, reason: null };
  const changed = files.find(({ path, text }) => readText(path) !== text);
  if (changed) return no(`${changed.path} is not what this profile was made of: its code is not run. Profile it again to see values.`);
  try {
    return { request: { ...asked, root: rootOf(request.file) }, call, reason: null };
  } catch (error) {
    if (error instanceof NoWorkspace) return no(error.message);
    throw error;
  }
}

/** Whether both are runs of one program, so that the instructions of one are those of the other. */
export function isSameProgram(a: Profile, b: Profile): boolean {
  const columns = (p: Profile) => [p.instructions.origin, p.instructions.opcode, p.instructions.frame, p.transfers.origin, p.frames.line];
  const theirs = columns(b);
  return a.kernel === b.kernel && columns(a).every((own, k) => isEqual(own, theirs[k]));
}

type Column = Int32Array | Uint16Array | Uint32Array;

const isEqual = (a: Column, b: Column) => a.length === b.length && a.every((value, i) => value === b[i]);
