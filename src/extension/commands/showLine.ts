/** Show Line in Timeline: selects the instructions of the selected lines of all cursors, or shows what a number beside a line came from. */
import * as vscode from 'vscode';
import type { LinePart, SourcePosition } from '../../webview/protocol/messages';
import type { LineMaps } from '../hints/lineMaps';
import type { Timelines } from '../timeline/timelines';

interface Needs {
  lineMaps: LineMaps;
  timelines: Timelines;
}

/**
 * @param position a line from a hover's link; else the active editor's selection
 * @param part of that line; absent: all that it asked for
 */
export const showLine =
  (parts: Needs) =>
  async (position?: Partial<SourcePosition>, part?: LinePart): Promise<void> => {
    const document = await documentOf(position);
    const map = document && parts.lineMaps.of(document);
    if (!document || !map) {
      await offerRun(document);
      return;
    }
    const file = document.uri.fsPath;
    const originals = linesOf(position).flatMap(line => map.tracker.original(line) ?? []);
    const known = originals.filter(line => map.run.linesOf(file).has(line));
    if (known.length === 0) {
      vscode.window.setStatusBarMessage('NKI Scope: no instruction comes from this line', 4000);
      return;
    }
    const timeline = parts.timelines.show(map.run);
    if (part) timeline.showPart({ file, line: known[0] }, part);
    else timeline.selectLines(known.map(line => ({ file, line })));
  };

async function documentOf(position?: Partial<SourcePosition>): Promise<vscode.TextDocument | undefined> {
  if (typeof position?.file === 'string') return vscode.workspace.openTextDocument(vscode.Uri.file(position.file));
  return vscode.window.activeTextEditor?.document;
}

function linesOf(position?: Partial<SourcePosition>): number[] {
  if (typeof position?.line === 'number') return [position.line];
  const selections = vscode.window.activeTextEditor?.selections ?? [];
  const lines = selections.flatMap(({ start, end }) => Array.from({ length: end.line - start.line + 1 }, (_, i) => start.line + 1 + i));
  return [...new Set(lines)];
}

async function offerRun(document?: vscode.TextDocument) {
  const what = document ? 'There is no run of this text yet.' : 'Open a Python file with an NKI kernel first.';
  const answer = await vscode.window.showInformationMessage(what, ...(document ? ['Profile Kernel'] : []));
  if (answer) await vscode.commands.executeCommand('nkiScope.profileKernel');
}
