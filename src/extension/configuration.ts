/** Our section of the user's configuration: where it is read, and where a command writes to it. */
import * as vscode from 'vscode';
import { type ExtensionSettings, readSettings } from './settings';

export const SECTION = 'nkiScope';

export const settingsOf = (resource?: vscode.Uri): ExtensionSettings => readSettings(vscode.workspace.getConfiguration(SECTION, resource));

/**
 * Writes to the scope in which the setting has a value now, so that the change has an effect; else to the user's settings.
 * @param resource a file whose folder may have its own value
 */
export async function changeSetting(key: string, value: unknown, resource: vscode.Uri | undefined): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(SECTION, resource);
  await configuration.update(key, value, placeOf(configuration.inspect(key)));
}

function placeOf(set: { workspaceFolderValue?: unknown; workspaceValue?: unknown } | undefined): vscode.ConfigurationTarget {
  if (set?.workspaceFolderValue !== undefined) return vscode.ConfigurationTarget.WorkspaceFolder;
  return set?.workspaceValue === undefined ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
}
