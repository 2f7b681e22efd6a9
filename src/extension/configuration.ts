/** Our section of the user's configuration: where it is read, and where a command writes to it. */
import * as vscode from 'vscode';
import { type ExtensionSettings, readSettings } from './settings';

export const SECTION = 'nkiScope';

export const settingsOf = (resource?: vscode.Uri): ExtensionSettings => readSettings(vscode.workspace.getConfiguration(SECTION, resource));

/**
 * Writes where the setting is set now, so that the change has an effect; else to the user's own settings.
 * @param resource whose folder may have a value of its own
 */
export async function changeSetting(key: string, value: unknown, resource: vscode.Uri | undefined): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(SECTION, resource);
  await configuration.update(key, value, placeOf(configuration.inspect(key)));
}

function placeOf(set: { workspaceFolderValue?: unknown; workspaceValue?: unknown } | undefined): vscode.ConfigurationTarget {
  if (set?.workspaceFolderValue !== undefined) return vscode.ConfigurationTarget.WorkspaceFolder;
  return set?.workspaceValue === undefined ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
}
