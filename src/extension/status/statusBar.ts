/** The status bar item: the target and the last time of the active file's kernel; spins while it is refreshed. Leads to the target. */
import * as vscode from 'vscode';
import { timeText } from '../../simulator/index';
import { SECTION, settingsOf } from '../configuration';
import { hasKernels, type KernelIndex } from '../kernels/kernelIndex';
import type { Live } from '../live/live';
import { labelText } from '../plainText';
import type { Runs } from '../run/runs';

interface Needs {
  kernels: KernelIndex;
  live: Live;
  runs: Runs;
}

export function registerStatusBar(parts: Needs): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('nkiScope.target', vscode.StatusBarAlignment.Right, 100);
  item.name = 'NKI Scope: Target and Last Time';
  item.command = 'nkiScope.selectTarget';
  let busy = false;
  const draw = () => drawItem(parts, item, busy);
  draw();
  return vscode.Disposable.from(
    item,
    parts.runs.onDidChange(draw),
    parts.live.onDidChangeBusy(now => {
      busy = now;
      draw();
    }),
    vscode.window.onDidChangeActiveTextEditor(draw),
    vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration(SECTION) && draw()),
  );
}

function drawItem(parts: Pick<Needs, 'kernels' | 'runs'>, item: vscode.StatusBarItem, busy: boolean) {
  const document = vscode.window.activeTextEditor?.document;
  // A timeline that has the focus is no text editor; its run is in front.
  const file = document?.uri.fsPath;
  const run = file === undefined ? parts.runs.all[0] : (parts.runs.ofFile(file) ?? parts.runs.ofScript(file));
  if (!run && (document?.languageId !== 'python' || !hasKernels(parts.kernels.of(document)))) return item.hide();
  const { target } = settingsOf(document?.uri);
  const next = run && ['auto', run.profile.target].includes(target) ? '' : ` → ${target}`;
  const last = run && `${run.profile.target} ${timeText(run.profile.totalTimeNs)}${next}`;
  item.text = `${busy ? '$(loading~spin)' : '$(pulse)'} ${labelText(last ?? `NKI ${target}`)}`;
  item.tooltip = tooltip(target, run?.title);
  item.accessibilityInformation = { label: last ? `NKI Scope: ${run.title}, ${last}` : `NKI Scope target ${target}` };
  item.show();
}

function tooltip(target: string, title: string | undefined): string {
  const last = title ? `Last run: ${title}.` : 'Not profiled yet.';
  return `NKI Scope. ${last} The next run's target: ${target}. Click to choose another.`;
}
