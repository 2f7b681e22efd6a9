/** The CodeLens above each kernel: profile it, and what the last run took. */
import * as vscode from 'vscode';
import { timeText } from '../../simulator/index';
import type { Run } from '../run/run';
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
  const { target } = scope.settings(document.uri);
  return scope.kernels.of(document).kernels.flatMap(({ name, line }) => {
    const run = scope.runs.ofKernel(document.uri.fsPath, name);
    const range = new vscode.Range(line - 1, 0, line - 1, 0);
    return commandsOf(document.uri, name, target, run).map(command => new vscode.CodeLens(range, command));
  });
}

function commandsOf(uri: vscode.Uri, kernel: string, target: string, run: Run | undefined): vscode.Command[] {
  const profile = {
    title: `▶ Profile Kernel${run ? ` · ${lastTime(run)}` : ''}`,
    tooltip: 'Run this kernel on the simulated NeuronCore and show where its time goes. With several cases it asks which.',
    command: 'nkiScope.profileKernel',
    arguments: [uri, kernel],
  };
  const choose = {
    title: `target: ${target}`,
    tooltip: 'Choose the NeuronCore of the next run',
    command: 'nkiScope.selectTarget',
  };
  const compare = {
    title: 'compare',
    tooltip: 'Line by line against the last saved run',
    command: 'nkiScope.compareWithLastRun',
  };
  return [profile, choose, ...(run?.before ? [compare] : [])];
}

/** `last 49.0 µs (trn2) ▼ 3.10 µs` */
function lastTime({ profile, before }: Run): string {
  const last = `last ${timeText(profile.totalTimeNs)} (${profile.target})`;
  const deltaNs = before ? profile.totalTimeNs - before.profile.totalTimeNs : 0;
  if (Math.abs(deltaNs) < 0.1) return last;
  return `${last} ${deltaNs < 0 ? '▼' : '▲'} ${timeText(Math.abs(deltaNs))}`;
}
