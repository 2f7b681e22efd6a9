/** A brief highlight of a line that was gone to. One decoration type for all: a new one would make VS Code style its whole window again. */
import * as vscode from 'vscode';

const HIGHLIGHT_MS = 1200;

const revealed = vscode.window.createTextEditorDecorationType({
  isWholeLine: true,
  backgroundColor: new vscode.ThemeColor('nkiScope.revealedLine'),
});
let end: { editor: vscode.TextEditor; timer: NodeJS.Timeout } | undefined;

export function flash(editor: vscode.TextEditor, range: vscode.Range): void {
  if (end) clearTimeout(end.timer);
  if (end && end.editor !== editor) end.editor.setDecorations(revealed, []);
  editor.setDecorations(revealed, [range]);
  end = { editor, timer: setTimeout(() => editor.setDecorations(revealed, []), HIGHLIGHT_MS) };
}
