/** A line of a comparison, in the editor: where it is now, beside the report. */
import * as vscode from 'vscode';
import type { SourcePosition } from '../../webview/protocol/messages';
import type { Scope } from '../scope';
import { revealSource } from '../timeline/revealSource';

export const openLine =
  (scope: Scope) =>
  async (position?: Partial<SourcePosition>): Promise<void> => {
    if (typeof position?.file !== 'string' || typeof position.line !== 'number') return;
    const { file, line } = position;
    const run = scope.runs.ofFile(file);
    const { viewColumn } = vscode.window.tabGroups.activeTabGroup;
    if (run) await revealSource(scope.lineMaps, run, { file, line }, { viewColumn, focus: true });
    else vscode.window.setStatusBarMessage('NKI Scope: no run of this window has the file', 4000);
  };
