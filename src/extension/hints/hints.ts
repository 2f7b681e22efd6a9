/** Keeps the hot lines of every visible editor drawn: after a run, an edit, a change of settings, a switch of editors. */
import * as vscode from 'vscode';
import { SECTION } from '../configuration';
import type { Scope } from '../scope';
import { type HotLine, hotLines } from './hotLines';

export function registerHints(scope: Scope): vscode.Disposable {
  const draw = (editor: vscode.TextEditor) => void drawHints(scope, editor);
  const drawAll = () => {
    for (const editor of vscode.window.visibleTextEditors) draw(editor);
    tellMenus(scope);
  };
  drawAll();
  return vscode.Disposable.from(
    scope.runs.onDidChange(drawAll),
    scope.lineMaps.onDidChange(document => vscode.window.visibleTextEditors.filter(e => e.document === document).forEach(draw)),
    vscode.window.onDidChangeVisibleTextEditors(drawAll),
    vscode.window.onDidChangeActiveTextEditor(() => tellMenus(scope)),
    vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration(`${SECTION}.hints`) && drawAll()),
  );
}

/** The hot lines of a document as the settings want them; none while hints are switched off. */
export function hotLinesOf(scope: Scope, document: vscode.TextDocument): { lines: HotLine[]; stale: boolean } {
  const map = document.uri.scheme === 'file' ? scope.lineMaps.of(document) : undefined;
  if (!map) return { lines: [], stale: false };
  const { threshold } = scope.settings(document.uri).hints;
  const file = document.uri.fsPath;
  const lines = hotLines(map.run.linesOf(file).values(), map.run.changesOf(file), map.tracker, threshold, document.lineCount);
  return { lines, stale: map.stale };
}

/** @returns how many lines have a hint now */
export function drawHints(scope: Scope, editor: vscode.TextEditor): number {
  const enabled = scope.settings(editor.document.uri).hints.enabled;
  const { lines, stale } = enabled ? hotLinesOf(scope, editor.document) : { lines: [], stale: false };
  scope.decorations.show(editor, lines, stale);
  return lines.length;
}

function tellMenus(scope: Scope) {
  const file = vscode.window.activeTextEditor?.document.uri.fsPath;
  // The walkthrough waits for it.
  if (scope.runs.all.some(run => run.before && run.profile.totalTimeNs < run.before.profile.totalTimeNs))
    void vscode.commands.executeCommand('setContext', 'nkiScope.improved', true);
  void vscode.commands.executeCommand('setContext', 'nkiScope.hasProfile', file !== undefined && scope.runs.ofFile(file) !== undefined);
}
