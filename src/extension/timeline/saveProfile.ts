/** Saves a timeline's profile with its annotations to a file that the user chooses. */
import * as vscode from 'vscode';
import { fileStem, NKIPROF_EXTENSION, withAnnotations } from '../../simulator/index';
import { nkiprofOf } from '../profiles/packing';
import type { Run } from '../run/run';

/** false when they changed their mind. */
export async function saveProfile(run: Run, annotations: unknown[]): Promise<boolean> {
  const uri = await vscode.window.showSaveDialog({
    defaultUri: placeOf(run),
    filters: { 'NKI Scope profile': [NKIPROF_EXTENSION.slice(1)] },
  });
  if (!uri) return false;
  await vscode.workspace.fs.writeFile(uri, await nkiprofOf(withAnnotations(run.bytes, annotations)));
  return true;
}

/** A profile that was opened from a file goes back there. */
function placeOf({ identity, profile }: Run): vscode.Uri | undefined {
  if (identity.of === 'file' && identity.uri.endsWith(NKIPROF_EXTENSION)) return vscode.Uri.parse(identity.uri);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return folder && vscode.Uri.joinPath(folder, `${fileStem(profile.kernel)}${NKIPROF_EXTENSION}`);
}
