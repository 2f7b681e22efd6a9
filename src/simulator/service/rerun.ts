/**
 * Decides if and how the kernel of a profile can run again. The run uses the texts in the profile, so that values belong to the timed
 * program. Code of a profile from elsewhere runs only if all of it is already on this disk with the same text, and inside the folder that
 * the host names.
 */

import type { Profile } from '../profile/profile';
import type { CaptureRequest, KernelCall } from '../session/capture';
import { keptRequest } from '../session/keptRequest';
import { type Disk, realDisk } from './reading/guardedRead';
import { unfitField } from './rerunFields';
import { NoWorkspace } from './workspace';

export interface RerunOptions {
  /** The profile was made on this machine, by the user: its texts may differ from the disk. */
  own: boolean;
  /** The user's own interpreter, if their runs use one; absent: the bundled one. */
  python?: string;
  /**
   * The folder that the kernel of a profile from elsewhere can read, chosen by the editor or the command line; null: there is none.
   * @throws NoWorkspace
   */
  rootOf(file: string): string | null;
  /** Absent: the disk. */
  disk?: Disk;
}

export type RerunAnswer = { request: CaptureRequest; call: KernelCall; reason: null } | { reason: string };

const refused = (reason: string): RerunAnswer => ({ reason });

/** The request, or a sentence that says why there is none. */
export async function rerunRequest(profile: Profile, options: RerunOptions): Promise<RerunAnswer> {
  const { simulated, rerun, files } = profile;
  if (!simulated) return refused('This profile was measured or imported: it has times, and no program that could be run for values.');
  if (!rerun || typeof rerun.request.file !== 'string')
    return refused('This profile does not say how its kernel was called. Profile it again to see values.');
  if (rerun.core !== undefined)
    return refused('This profile is of one core of a kernel over two; both are one profile now. Profile it again to see values.');
  const request = keptRequest(rerun.request as unknown as CaptureRequest);
  const call: KernelCall = { call: rerun.call };
  const overlay = Object.fromEntries(files.map(({ path, text }) => [path, text]));
  const asked: CaptureRequest = { ...request, overlay, numerics: 'auto' };
  if (options.own) return { request: { ...asked, python: options.python }, call, reason: null };
  const unfit = unfitField(rerun);
  if (unfit) return refused(`This profile says nothing sensible of how its kernel was called (${unfit}). Profile it again to see values.`);
  try {
    const root = options.rootOf(request.file);
    if (root === null)
      return refused(`${request.file} lies in none of the open folders: its code is not run. Open its folder to see values.`);
    const reason = await obstacle(profile, request, root, options.disk ?? realDisk);
    return reason === null ? { request: { ...asked, root }, call, reason } : refused(reason);
  } catch (error) {
    if (error instanceof NoWorkspace) return refused(error.message);
    throw error;
  }
}

/** The reason why the code of a profile from elsewhere must not run; undefined: it may run. */
async function obstacle({ files }: Profile, { file, inputs = {} }: CaptureRequest, root: string, disk: Disk): Promise<string | null> {
  const changed = (path: string) => `${path} is not what this profile was made of: its code is not run. Profile it again to see values.`;
  if (!files.some(({ path }) => path === file)) return changed(file);
  for (const { path, text } of files) if (!(await disk.hasText(path, text))) return changed(path);
  for (const [name, path] of Object.entries(inputs))
    if (!(await disk.hasFileInside(root, path)))
      return `The input ${name} (${path}) is no file in ${root}, and a profile from elsewhere reads no other. Profile it again to see values.`;
  return null;
}

/** Whether both profiles are of the same program, so that their instructions have the same numbers. */
export function isSameProgram(a: Profile, b: Profile): boolean {
  const columns = (p: Profile) => [p.instructions.origin, p.instructions.opcode, p.instructions.frame, p.transfers.origin, p.frames.line];
  const theirs = columns(b);
  return a.kernel === b.kernel && columns(a).every((own, k) => isEqual(own, theirs[k]));
}

type Column = Int32Array | Uint16Array | Uint32Array;

const isEqual = (a: Column, b: Column) => a.length === b.length && a.every((value, i) => value === b[i]);
