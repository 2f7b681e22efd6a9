/** Keeps the hot lines of every visible editor drawn: after a run, an edit, a change of settings, a switch of editors. */
import * as vscode from 'vscode';
import { SECTION, settingsOf } from '../configuration';
import type { Runs } from '../run/runs';
import type { Decorations } from './decorations';
import { type HotLine, hotLines } from './hotLines';
import type { LineMaps } from './lineMaps';

interface Needs {
  runs: Runs;
  lineMaps: LineMaps;
  decorations: Decorations;
}

export function registerHints(parts: Needs): vscode.Disposable {
  const draw = (editor: vscode.TextEditor) => void drawHints(parts, editor);
  const drawAll = () => {
    for (const editor of vscode.window.visibleTextEditors) draw(editor);
    tellMenus(parts);
  };
  drawAll();
  return vscode.Disposable.from(
    parts.runs.onDidChange(drawAll),
    parts.lineMaps.onDidChange(document => vscode.window.visibleTextEditors.filter(e => e.document === document).forEach(draw)),
    vscode.window.onDidChangeVisibleTextEditors(drawAll),
    vscode.window.onDidChangeActiveTextEditor(() => tellMenus(parts)),
    vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration(`${SECTION}.hints`) && drawAll()),
  );
}

/** The hot lines of a document as the settings want them; none while hints are switched off. */
export function hotLinesOf({ lineMaps }: Pick<Needs, 'lineMaps'>, document: vscode.TextDocument): { lines: HotLine[]; stale: boolean } {
  const map = document.uri.scheme === 'file' ? lineMaps.of(document) : undefined;
  if (!map) return { lines: [], stale: false };
  const { threshold } = settingsOf(document.uri).hints;
  const file = document.uri.fsPath;
  const lines = hotLines(map.run.linesOf(file).values(), map.run.changesOf(file), map.tracker, threshold, document.lineCount);
  return { lines, stale: map.stale };
}

/** @returns how many lines have a hint now */
export function drawHints(parts: Pick<Needs, 'lineMaps' | 'decorations'>, editor: vscode.TextEditor): number {
  const enabled = settingsOf(editor.document.uri).hints.enabled;
  const { lines, stale } = enabled ? hotLinesOf(parts, editor.document) : { lines: [], stale: false };
  parts.decorations.show(editor, lines, stale);
  return lines.length;
}

function tellMenus({ runs }: Pick<Needs, 'runs'>) {
  const file = vscode.window.activeTextEditor?.document.uri.fsPath;
  // The walkthrough waits for it.
  if (runs.all.some(run => run.before && run.profile.totalTimeNs < run.before.profile.totalTimeNs))
    void vscode.commands.executeCommand('setContext', 'nkiScope.improved', true);
  void vscode.commands.executeCommand('setContext', 'nkiScope.hasProfile', file !== undefined && runs.ofFile(file) !== undefined);
}
