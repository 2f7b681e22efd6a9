/** Edit Cases: the case file of a Python file, at the kernel. */
import * as vscode from 'vscode';
import { caseFileOf } from '../inputs/caseStore';

/** @param uri and @param kernel from a CodeLens; from the palette neither: the active editor's file */
export const editCases =
  () =>
  async (uri?: vscode.Uri, kernel?: string): Promise<void> => {
    const python = uri instanceof vscode.Uri ? uri : vscode.window.activeTextEditor?.document.uri;
    const document = python && (await opened(caseFileOf(python)));
    if (!document) {
      void vscode.window.showInformationMessage('There are no cases yet: one is kept when Profile Kernel asks for inputs.');
      return;
    }
    const at = document.positionAt(Math.max(0, kernel ? document.getText().indexOf(JSON.stringify(kernel)) : 0));
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
  };

const opened = (uri: vscode.Uri): Thenable<vscode.TextDocument | undefined> =>
  vscode.workspace.openTextDocument(uri).then(
    document => document,
    () => undefined,
  );
