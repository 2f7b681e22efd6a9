/** The CodeLens above each kernel: profile it, and what the last run took. */
import * as vscode from 'vscode';
import { timeText } from '../../simulator/index';
import type { Scope } from '../scope';

export function registerKernelLens(scope: Scope): vscode.Disposable {
  const refresh = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: refresh.event,
    provideCodeLenses: document => lenses(scope, document),
  };
  return vscode.Disposable.from(
    refresh,
    scope.runs.onDidChange(() => refresh.fire()),
    vscode.languages.registerCodeLensProvider({ language: 'python', scheme: 'file' }, provider),
  );
}

function lenses(scope: Scope, document: vscode.TextDocument): vscode.CodeLens[] {
  const { kernels } = scope.kernels.of(document);
  return kernels.map(
    ({ name, line }) =>
      new vscode.CodeLens(new vscode.Range(line - 1, 0, line - 1, 0), {
        title: lensTitle(scope, document.uri.fsPath, name),
        tooltip: 'Run this kernel on the simulated NeuronCore and show where its time goes',
        command: 'nkiScope.profileKernel',
        arguments: [document.uri, name],
      }),
  );
}

function lensTitle(scope: Scope, file: string, kernel: string): string {
  const last = scope.runs.ofKernel(file, kernel)?.profile;
  return `▶ Profile Kernel${last ? ` · last ${timeText(last.totalTimeNs)} (${last.target})` : ''}`;
}
