/** How the kernel of a run is run again: with the rights that it had, and only where the window is trusted. */
import * as vscode from 'vscode';
import { type RerunAnswer, rerunRequest } from '../../simulator/index';
import { settingsOf } from '../configuration';
import type { Run } from '../run/run';

/** @param what would come of it, for the sentence that refuses: `Values come` */
export async function rerunOf({ profile, isMadeHere }: Run, what: string): Promise<RerunAnswer> {
  if (!vscode.workspace.isTrusted && profile.simulated)
    return { reason: `${what} from running the kernel again, and kernels run only in a trusted workspace.` };
  const python = settingsOf().pythonPath || undefined;
  return rerunRequest(profile, { own: isMadeHere, python, rootOf: workspaceFolderOf });
}

/** A file outside the window's folders gives none: the user has not allowed its kernel to read that folder. */
const workspaceFolderOf = (file: string) => vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file))?.uri.fsPath ?? null;
