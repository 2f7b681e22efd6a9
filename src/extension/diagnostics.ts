/** Errors and checks of a run as diagnostics on their lines; the next run of the same file takes them away. */
import * as vscode from 'vscode';
import type { Check, UserError } from '../simulator/index';
import { isCancelled } from './run/cancelled';

const SOURCE = 'NKI Scope';
const SEVERITY = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
} satisfies Record<Check['severity'], vscode.DiagnosticSeverity>;

export class Diagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('nkiScope');
  /** Files that a run of this file has marked. */
  private readonly marked = new Map<string, Set<string>>();
  private readonly broken = new Set<string>();

  /** Before a run: removes the diagnostics of the last run of this file, in all files. */
  clear(ranFile: string): void {
    for (const file of this.marked.get(ranFile) ?? []) this.collection.delete(vscode.Uri.file(file));
    this.marked.delete(ranFile);
    this.broken.delete(ranFile);
  }

  /** Whether the last run of this file ended in an error. */
  hasError(ranFile: string): boolean {
    return this.broken.has(ranFile);
  }

  /**
   * After a run: shows its diagnostics. An error without a position is at the top of the file that was run. A cancelled run is no error.
   */
  show(ranFile: string, ended: UserError | null, checks: readonly Check[]): void {
    this.clear(ranFile);
    const error = isCancelled(ended) ? null : ended;
    if (error) this.broken.add(ranFile);
    const byFile = new Map<string, vscode.Diagnostic[]>();
    const add = (file: string, line: number, message: string, severity: vscode.DiagnosticSeverity, code?: string) => {
      const diagnostic = new vscode.Diagnostic(lineRange(file, line), message, severity);
      diagnostic.source = SOURCE;
      diagnostic.code = code;
      byFile.set(file, [...(byFile.get(file) ?? []), diagnostic]);
    };
    if (error) add(error.file ?? ranFile, error.line ?? 1, error.message, vscode.DiagnosticSeverity.Error, error.kind);
    for (const { severity, message, file, line } of checks) add(file, line, message, SEVERITY[severity]);
    for (const [file, diagnostics] of byFile) this.collection.set(vscode.Uri.file(file), diagnostics);
    this.marked.set(ranFile, new Set(byFile.keys()));
  }

  dispose() {
    this.collection.dispose();
  }
}

/** The line's text without its indent, if the document is open; else the whole line. */
function lineRange(file: string, line: number): vscode.Range {
  const document = vscode.workspace.textDocuments.find(d => d.uri.fsPath === file);
  const at = Math.max(0, line - 1);
  if (!document || at >= document.lineCount) return new vscode.Range(at, 0, at, Number.MAX_SAFE_INTEGER);
  const text = document.lineAt(at);
  return new vscode.Range(at, text.firstNonWhitespaceCharacterIndex, at, text.text.trimEnd().length);
}
