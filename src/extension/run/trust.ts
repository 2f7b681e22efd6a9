/** Kernels are programs: none runs in a workspace that the user does not trust. */
import * as vscode from 'vscode';

/** Shows a message if it is not. */
export async function isTrusted(): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const message = 'NKI Scope runs Python kernels only in a trusted workspace.';
  const answer = await vscode.window.showWarningMessage(message, 'Manage Workspace Trust');
  if (answer) await vscode.commands.executeCommand('workbench.trust.manage');
  return false;
}
