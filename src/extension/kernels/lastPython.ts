/**
 * The Python file for commands without a file: that of the active editor, else the one that was active last. When the user presses a
 * button of the walkthrough or of a view, no text editor is active.
 */
import * as vscode from 'vscode';

export class LastPython implements vscode.Disposable {
  private last: vscode.Uri | undefined;
  private readonly listening: vscode.Disposable;

  constructor() {
    const look = (editor: vscode.TextEditor | undefined) => {
      if (editor?.document.languageId === 'python' && editor.document.uri.scheme === 'file') this.last = editor.document.uri;
    };
    look(vscode.window.activeTextEditor);
    this.listening = vscode.window.onDidChangeActiveTextEditor(look);
  }

  /** Undefined when the last one was closed. */
  get document(): vscode.TextDocument | undefined {
    const last = this.last?.toString();
    return vscode.window.activeTextEditor?.document ?? vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === last);
  }

  /** Its editor, brought to the front if it was not active. */
  async editor(): Promise<vscode.TextEditor | undefined> {
    const { activeTextEditor } = vscode.window;
    const { document } = this;
    return activeTextEditor ?? (document && vscode.window.showTextDocument(document, columnOf(document)));
  }

  dispose() {
    this.listening.dispose();
  }
}

/** The column of its tab. */
function columnOf({ uri }: vscode.TextDocument): vscode.ViewColumn | undefined {
  const isIts = ({ input }: vscode.Tab) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
  return vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(isIts))?.viewColumn;
}
