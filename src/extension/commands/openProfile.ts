/**
 * Open Profile…: asks for saved .nkiprof files, or the JSON of captures, and opens an editor; several are compared. No code of them runs,
 * so it also works in an untrusted workspace.
 */
import * as vscode from 'vscode';
import { PROFILE_FILTERS } from '../compare/pickProfiles';
import { EDITOR_TYPE } from '../timeline/viewTypes';

/** @param chosen files that another command chose; else a dialog asks */
export const openProfile =
  () =>
  async (chosen?: vscode.Uri): Promise<void> => {
    const [uri, ...more] = chosen instanceof vscode.Uri ? [chosen] : await ask();
    if (more.length > 0) await vscode.commands.executeCommand('nkiScope.profiles.compare', uri, [uri, ...more]);
    else if (uri) await vscode.commands.executeCommand('vscode.openWith', uri, EDITOR_TYPE);
  };

async function ask(): Promise<vscode.Uri[]> {
  return (await vscode.window.showOpenDialog({ canSelectMany: true, filters: PROFILE_FILTERS, openLabel: 'Open Profile' })) ?? [];
}
