/** Opens a line of a comparison in an editor beside the report, at its present position. */
import * as vscode from 'vscode';
import type { SourcePosition } from '../../webview/protocol/messages';
import type { LineMaps } from '../hints/lineMaps';
import type { Runs } from '../run/runs';
import { revealSource } from '../timeline/revealSource';

interface Needs {
  lineMaps: LineMaps;
  runs: Runs;
}

export const openLine =
  (parts: Needs) =>
  async (position?: Partial<SourcePosition>): Promise<void> => {
    if (typeof position?.file !== 'string' || typeof position.line !== 'number') return;
    const { file, line } = position;
    const run = parts.runs.ofFile(file);
    const { viewColumn } = vscode.window.tabGroups.activeTabGroup;
    if (run) await revealSource(parts.lineMaps, run, { file, line }, { viewColumn, focus: true });
    else vscode.window.setStatusBarMessage('NKI Scope: no profile of this window has this file', 4000);
  };
