/** The folder that a kernel can read: the workspace folder of its file; else the file's own folder. */
import path from 'node:path';
import * as vscode from 'vscode';
import { ownFolder } from '../../simulator/index';

/** @param fenced the kernel runs in the bundled interpreter, which reads that folder and no more. @throws NoWorkspace */
export function workspaceRoot(file: vscode.Uri, { fenced }: { fenced: boolean }): string {
  const workspace = vscode.workspace.getWorkspaceFolder(file)?.uri.fsPath;
  return workspace ?? (fenced ? ownFolder(file.fsPath) : path.dirname(file.fsPath));
}

/** Of the window; undefined: no folder is open. */
export const workspaceFolderPath = (): string | undefined => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
