/** Open Profile…: asks for a saved .nkiprof file, or the JSON of a capture, and opens its editor. Nothing of it is run, so an untrusted workspace may. */
import * as vscode from 'vscode';
import { NKIPROF_EXTENSION } from '../../simulator/index';
import { EDITOR_TYPE } from '../timeline/viewTypes';

/** @param chosen by another command; else a dialog asks */
export const openProfile =
  () =>
  async (chosen?: vscode.Uri): Promise<void> => {
    const uri = chosen instanceof vscode.Uri ? chosen : await ask();
    if (uri) await vscode.commands.executeCommand('vscode.openWith', uri, EDITOR_TYPE);
  };

async function ask(): Promise<vscode.Uri | undefined> {
  const filters = { 'NKI Scope profiles': [NKIPROF_EXTENSION.slice(1)], 'Captures of neuron-profile': ['json'] };
  return (await vscode.window.showOpenDialog({ filters, openLabel: 'Open Profile' }))?.[0];
}
