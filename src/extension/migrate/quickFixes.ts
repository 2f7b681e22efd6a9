/** Quick fixes in kernel files, from `migrations.ts`: for one line, and for the whole file. */
import * as vscode from 'vscode';
import { type Migration, migrations } from './migrations';

/** Kind for `editor.codeActionsOnSave`. */
const ALL = vscode.CodeActionKind.SourceFixAll.append('nkiScope');

/** @param versionOf the version of NKI that a file is for */
export function registerQuickFixes(versionOf: (uri: vscode.Uri) => string): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    { language: 'python', scheme: 'file' },
    { provideCodeActions: (document, range) => quickFixes(document, range, versionOf(document.uri)) },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, ALL] },
  );
}

function quickFixes(document: vscode.TextDocument, range: vscode.Range, version: string): vscode.CodeAction[] {
  const text = document.getText();
  if (!text.includes('nki')) return [];
  const found = migrations(text, version);
  const here = found.filter(({ from }) => isOnLines(document.positionAt(from).line, range));
  const single = here.map(migration => action(document, migration.title, vscode.CodeActionKind.QuickFix, [migration]));
  for (const fix of single) fix.isPreferred = single.length === 1;
  const title = `Write all of this file for NKI ${version}`;
  const whole = here.length > 0 && found.length > 1 ? [action(document, title, vscode.CodeActionKind.QuickFix, found)] : [];
  return [...single, ...whole, ...(found.length > 0 ? [action(document, title, ALL, found)] : [])];
}

const isOnLines = (line: number, { start, end }: vscode.Range) => start.line <= line && line <= end.line;

function action(
  document: vscode.TextDocument,
  title: string,
  kind: vscode.CodeActionKind,
  changes: readonly Migration[],
): vscode.CodeAction {
  const made = new vscode.CodeAction(title, kind);
  made.edit = new vscode.WorkspaceEdit();
  for (const { from, to, text } of changes)
    made.edit.replace(document.uri, new vscode.Range(document.positionAt(from), document.positionAt(to)), text);
  return made;
}
