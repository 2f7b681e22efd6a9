/** Opens the walkthrough's kernel as a file of the user's: a copy that may be changed, the same one the next time. */
import * as vscode from 'vscode';

const NAME = 'first_kernel.py';

/** Paths of the example and of the user's copy. */
interface Places {
  extensionUri: vscode.Uri;
  globalStorageUri: vscode.Uri;
}

export const openExample =
  ({ extensionUri, globalStorageUri }: Places) =>
  async (): Promise<void> => {
    const folder = vscode.Uri.joinPath(globalStorageUri, 'walkthrough');
    const copy = vscode.Uri.joinPath(folder, NAME);
    await vscode.workspace.fs.createDirectory(folder);
    await vscode.workspace.fs.copy(vscode.Uri.joinPath(extensionUri, 'media', 'walkthrough', NAME), copy, { overwrite: true });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(copy), { viewColumn: vscode.ViewColumn.One });
  };
