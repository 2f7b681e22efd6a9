/** Opens the walkthrough's kernel as a file of the user's: a copy that may be changed, the same one the next time. */
import * as vscode from 'vscode';
import type { Scope } from '../scope';

const NAME = 'first_kernel.py';

export const openExample = (scope: Scope) => async (): Promise<void> => {
  const { extensionUri, globalStorageUri } = scope.context;
  const folder = vscode.Uri.joinPath(globalStorageUri, 'walkthrough');
  const copy = vscode.Uri.joinPath(folder, NAME);
  await vscode.workspace.fs.createDirectory(folder);
  await vscode.workspace.fs.copy(vscode.Uri.joinPath(extensionUri, 'media', 'walkthrough', NAME), copy, { overwrite: true });
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(copy), { viewColumn: vscode.ViewColumn.One });
};
