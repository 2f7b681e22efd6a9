/** Select Target: the NeuronCore of the next runs. Names and descriptions are those of the setting. */
import * as vscode from 'vscode';
import { changeSetting, SECTION, settingsOf } from '../configuration';

interface Choices {
  enum: string[];
  markdownEnumDescriptions: string[];
}

export const selectTarget = (extension: vscode.Extension<unknown>) => async (): Promise<void> => {
  const resource = vscode.window.activeTextEditor?.document.uri;
  const { target } = settingsOf(resource);
  const choices: Choices = extension.packageJSON.contributes.configuration.properties[`${SECTION}.target`];
  const items = choices.enum.map((label, index) => ({
    label,
    description: choices.markdownEnumDescriptions[index].replaceAll('`', ''),
    detail: label === target ? 'selected' : undefined,
  }));
  const picked = await vscode.window.showQuickPick(items, { title: 'NKI Scope: Select Target', placeHolder: 'The next run uses it' });
  if (picked) await changeSetting('target', picked.label, resource);
};
