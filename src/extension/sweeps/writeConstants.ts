/** Writes the constants of a point into the text of its file, as one edit that can be undone. */
import * as vscode from 'vscode';
import { constantEdits, pointWords, valuesOfKind } from '../../simulator/index';
import type { ShownVariant } from './variantRuns';

/** Arguments, targets and variables are not in the file: they are named. @throws SpaceError */
export async function writeConstants(uri: vscode.Uri, { plan, row }: ShownVariant): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const constants = valuesOfKind(plan.space, 'constant', row.parameters);
  const edit = new vscode.WorkspaceEdit();
  for (const { from, to, text } of constantEdits(document.getText(), constants))
    edit.replace(uri, new vscode.Range(document.positionAt(from), document.positionAt(to)), text);
  if (!(await vscode.workspace.applyEdit(edit))) throw new Error('VS Code did not apply the edit');
  const others = Object.fromEntries(Object.entries(row.parameters).filter(([name]) => !Object.hasOwn(constants, name)));
  const more = Object.keys(others).length > 0 ? ` Not in the file: ${pointWords(others)}.` : '';
  vscode.window.setStatusBarMessage(`NKI Scope: wrote ${pointWords(constants)}.${more}`, 8000);
}
