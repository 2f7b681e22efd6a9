/** Shows a line of a run in an editor beside the timeline, with a brief highlight. */
import * as vscode from 'vscode';
import type { SourcePosition } from '../../webview/protocol/messages';
import type { LineMaps } from '../hints/lineMaps';
import type { Run } from '../run/run';

const HIGHLIGHT_MS = 1200;

/** @param timelineColumn the timeline's own column, which stays as it is */
export async function revealSource(
  lineMaps: LineMaps,
  run: Run,
  position: SourcePosition,
  timelineColumn?: vscode.ViewColumn,
): Promise<void> {
  if (run.textOf(position.file) === undefined) throw new Error(`${position.file} is not part of this profile`);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(position.file));
  const map = lineMaps.of(document);
  // Lines move while the file is edited; a deleted line is shown where it was.
  const line = (map?.run === run && map.tracker.current(position.line)) || position.line;
  await revealLine(document, line, columnOf(document, timelineColumn));
}

export async function revealLine(document: vscode.TextDocument, line: number, viewColumn?: vscode.ViewColumn): Promise<void> {
  const text = document.lineAt(Math.min(line, document.lineCount) - 1);
  const start = new vscode.Position(text.lineNumber, text.firstNonWhitespaceCharacterIndex);
  const selection = new vscode.Selection(start, start);
  // An editor that is in sight moves at once; giving it the focus takes VS Code one more way there and back.
  const visible = vscode.window.visibleTextEditors.find(editor => editor.document === document && editor.viewColumn === viewColumn);
  if (visible) goTo(visible, selection, text.range);
  const editor = await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: false, selection });
  if (editor !== visible) goTo(editor, selection, text.range);
}

function goTo(editor: vscode.TextEditor, selection: vscode.Selection, range: vscode.Range) {
  editor.selection = selection;
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  flash(editor, range);
}

/** Where the file is open already, else the first column that is not the timeline's. */
function columnOf(document: vscode.TextDocument, timelineColumn?: vscode.ViewColumn): vscode.ViewColumn {
  const open = vscode.window.visibleTextEditors.find(editor => editor.document === document && editor.viewColumn);
  if (open?.viewColumn) return open.viewColumn;
  return timelineColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
}

function flash(editor: vscode.TextEditor, range: vscode.Range) {
  const decoration = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('nkiScope.revealedLine'),
  });
  editor.setDecorations(decoration, [range]);
  setTimeout(() => decoration.dispose(), HIGHLIGHT_MS);
}
