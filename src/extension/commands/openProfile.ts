/** Open Profile…: a saved .nkiprof file as a timeline. Nothing of it is run, so an untrusted workspace may. */
import path from 'node:path';
import * as vscode from 'vscode';
import { NKIPROF_EXTENSION, unpackNkiprof } from '../../simulator/index';
import { Run } from '../run/run';
import type { Scope } from '../scope';

/** @param chosen from the explorer's menu; else a dialog asks */
export const openProfile =
  (scope: Scope) =>
  async (chosen?: vscode.Uri): Promise<void> => {
    const uri = chosen instanceof vscode.Uri ? chosen : await ask();
    if (!uri) return;
    try {
      const run = new Run(`file\n${uri.toString()}`, unpackNkiprof(await vscode.workspace.fs.readFile(uri)));
      scope.timelines.show(run);
      scope.runs.put(run);
    } catch (error) {
      scope.log.error(`${uri.fsPath}: ${error}`);
      const answer = await vscode.window.showErrorMessage(`${path.basename(uri.path)}: ${(error as Error).message}`, 'Show Output');
      if (answer) scope.log.show(true);
    }
  };

async function ask(): Promise<vscode.Uri | undefined> {
  const filters = { 'NKI Scope profiles': [NKIPROF_EXTENSION.slice(1)] };
  return (await vscode.window.showOpenDialog({ filters, openLabel: 'Open Profile' }))?.[0];
}
