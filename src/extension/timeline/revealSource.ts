/** Shows a line of a run in an editor beside the timeline. A visible editor scrolls synchronously. */
import * as vscode from 'vscode';
import { isTextFile } from '../../simulator/index';
import type { SourcePosition } from '../../webview/protocol/messages';
import type { LineMaps } from '../hints/lineMaps';
import type { Run } from '../run/run';
import { flash } from './flash';

export interface Where {
  viewColumn?: vscode.ViewColumn;
  /** Whether the editor gets the focus; otherwise the focus does not change. */
  focus: boolean;
}

/** @param where `viewColumn` is the timeline's column, which does not change */
export async function revealSource(lineMaps: LineMaps, run: Run, position: SourcePosition, where: Where): Promise<void> {
  if (run.textOf(position.file) === undefined) throw new Error(`${position.file} is not part of this profile`);
  const document = openDocument(position.file) ?? (await openFile(run, position.file));
  const map = lineMaps.of(document);
  // Lines move while the file is edited; a deleted line is shown where it was.
  const line = (map?.run === run && map.tracker.current(position.line)) || position.line;
  await revealLine(document, line, { viewColumn: columnOf(document, where.viewColumn), focus: where.focus });
}

export async function revealLine(document: vscode.TextDocument, line: number, { viewColumn, focus }: Where): Promise<void> {
  const text = document.lineAt(Math.min(line, document.lineCount) - 1);
  const start = new vscode.Position(text.lineNumber, text.firstNonWhitespaceCharacterIndex);
  const selection = new vscode.Selection(start, start);
  // Before it gets the focus, which takes VS Code another round trip.
  const visible = vscode.window.visibleTextEditors.find(editor => editor.document === document && editor.viewColumn === viewColumn);
  if (visible) goTo(visible, selection, text.range);
  if (visible && !focus) return;
  const editor = await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: !focus, selection });
  if (editor !== visible) goTo(editor, selection, text.range);
}

const openDocument = (file: string) => vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === file);

/** A path in a profile from elsewhere may be a pipe, a device or a network address: only regular files are opened. */
async function openFile({ isMadeHere }: Run, file: string): Promise<vscode.TextDocument> {
  if (!isMadeHere && !(await isTextFile(file))) throw new Error(`${file} is no file of this machine that could be shown`);
  return vscode.workspace.openTextDocument(vscode.Uri.file(file));
}

function goTo(editor: vscode.TextEditor, selection: vscode.Selection, range: vscode.Range) {
  editor.selection = selection;
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  flash(editor, range);
}

/** The column in which the file is open, else the first column that is not the timeline's. */
function columnOf(document: vscode.TextDocument, timelineColumn?: vscode.ViewColumn): vscode.ViewColumn {
  const open = vscode.window.visibleTextEditors.find(editor => editor.document === document && editor.viewColumn);
  if (open?.viewColumn) return open.viewColumn;
  return timelineColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
}
