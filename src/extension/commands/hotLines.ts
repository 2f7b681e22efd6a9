/** Going from hot line to hot line, and the one switch for everything drawn in the editor. */
import * as vscode from 'vscode';
import { changeSetting } from '../configuration';
import { hotLinesOf } from '../hints/hints';
import { neighbour } from '../hints/hotLines';
import type { Scope } from '../scope';
import { revealLine } from '../timeline/revealSource';

export const nextHotLine = (scope: Scope) => () => go(scope, 1);
export const previousHotLine = (scope: Scope) => () => go(scope, -1);

async function go(scope: Scope, step: 1 | -1): Promise<void> {
  const editor = await scope.lastPython.editor();
  if (!editor) return;
  const { lines } = hotLinesOf(scope, editor.document);
  const next = neighbour(lines, editor.selection.active.line + 1, step);
  if (next) await revealLine(editor.document, next.now, { viewColumn: editor.viewColumn, focus: true });
  else vscode.window.setStatusBarMessage('NKI Scope: no hot lines here; profile a kernel of this file first', 4000);
}

export const toggleHints = (scope: Scope) => async (): Promise<void> => {
  const resource = vscode.window.activeTextEditor?.document.uri;
  await changeSetting('hints.enabled', !scope.settings(resource).hints.enabled, resource);
};
