/** Commands that go to the next and previous hot line, and the switch for all hints in the editor. */
import * as vscode from 'vscode';
import { changeSetting, settingsOf } from '../configuration';
import { hotLinesOf } from '../hints/hints';
import { neighbour } from '../hints/hotLines';
import type { LineMaps } from '../hints/lineMaps';
import type { LastPython } from '../kernels/lastPython';
import { revealLine } from '../timeline/revealSource';

interface Needs {
  lastPython: LastPython;
  lineMaps: LineMaps;
}

export const nextHotLine = (parts: Needs) => () => go(parts, 1);
export const previousHotLine = (parts: Needs) => () => go(parts, -1);

async function go(parts: Needs, step: 1 | -1): Promise<void> {
  const editor = await parts.lastPython.editor();
  if (!editor) return;
  const { lines } = hotLinesOf(parts, editor.document);
  const next = neighbour(lines, editor.selection.active.line + 1, step);
  if (next) await revealLine(editor.document, next.now, { viewColumn: editor.viewColumn, focus: true });
  else vscode.window.setStatusBarMessage('NKI Scope: no hot lines here; profile a kernel of this file first', 4000);
}

export const toggleHints = async (): Promise<void> => {
  const resource = vscode.window.activeTextEditor?.document.uri;
  await changeSetting('hints.enabled', !settingsOf(resource).hints.enabled, resource);
};
