/**
 * The profile of one kernel call, from the run of all calls: the script's newest run in this window has it, or it lies beside the file of the
 * run, or it is kept. What was not made in this window is known by the id of its profile.
 */
import * as vscode from 'vscode';
import { NKIPROF_EXTENSION, nkiprofId, profileId, type ReadingClient } from '../../simulator/index';
import type { LaunchAsked } from '../../webview/protocol/messages';
import type { ProfileStore } from '../profiles/profileStore';
import { readRun } from '../profiles/readRun';
import { keyOf } from '../run/identity';
import type { Run } from '../run/run';
import type { Runs } from '../run/runs';

interface Needs {
  profiles: ProfileStore;
  reading: ReadingClient;
  runs: Runs;
}

/** A folder may hold anything. */
const MOST_FILES = 500;

/** @throws Error with a sentence where the profile is not at hand */
export async function findLaunch(parts: Needs, { identity }: Run, launch: LaunchAsked): Promise<Run> {
  const made = identity.of === 'launches' ? parts.runs.get(keyOfCall(identity.file, launch)) : undefined;
  if (made) return made;
  const beside = identity.of === 'file' ? await besideFile(vscode.Uri.parse(identity.uri), launch) : undefined;
  if (beside) return readRun(parts, beside);
  const kept = identity.of === 'launches' ? await keptCall(parts, identity.file, launch) : undefined;
  if (kept) return kept;
  throw new Error(`The profile of this call of ${launch.kernel} is no longer at hand: profile the script again.`);
}

const keyOfCall = (file: string, { kernel, call }: LaunchAsked) => keyOf({ of: 'call', file, kernel, call });

async function keptCall({ profiles }: Needs, file: string, launch: LaunchAsked): Promise<Run | undefined> {
  const run = await profiles.latest(keyOfCall(file, launch)).catch(() => undefined);
  return run && profileId(run.bytes) === launch.profile ? run : undefined;
}

async function besideFile(uri: vscode.Uri, { profile }: LaunchAsked): Promise<vscode.Uri | undefined> {
  const folder = vscode.Uri.joinPath(uri, '..');
  const names = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name).filter(name => name.endsWith(NKIPROF_EXTENSION));
  for (const name of names.slice(0, MOST_FILES)) {
    const place = vscode.Uri.joinPath(folder, name);
    if (idOf(await vscode.workspace.fs.readFile(place)) === profile) return place;
  }
  return undefined;
}

/** Of a file that may be anything. */
function idOf(file: Uint8Array): string | undefined {
  try {
    return nkiprofId(file);
  } catch {
    return undefined;
  }
}
