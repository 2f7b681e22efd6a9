/** The CodeLens above each kernel: profile it, what the last run took, its target, advice, the comparison, its cases. */
import * as vscode from 'vscode';
import { CASE_FILE, casesOf, timeText } from '../../simulator/index';
import { SECTION, settingsOf } from '../configuration';
import { readCases } from '../inputs/caseStore';
import { labelText } from '../plainText';
import type { Run } from '../run/run';
import type { Runs } from '../run/runs';
import type { ImportedKernelCall } from './importedKernels';
import type { KernelIndex } from './kernelIndex';

interface Needs {
  kernels: KernelIndex;
  runs: Runs;
}

/** Of calls, beside one another above a line. */
const MOST_TIMES = 4;

export function registerKernelLens(parts: Needs): vscode.Disposable {
  const refresh = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: refresh.event,
    provideCodeLenses: document => lenses(parts, document),
  };
  const cases = vscode.workspace.createFileSystemWatcher(`**/${CASE_FILE}`);
  return vscode.Disposable.from(
    refresh,
    cases,
    ...[cases.onDidCreate, cases.onDidChange, cases.onDidDelete].map(event => event(() => refresh.fire())),
    parts.runs.onDidChange(() => refresh.fire()),
    vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration(`${SECTION}.target`) && refresh.fire()),
    vscode.languages.registerCodeLensProvider({ language: 'python', scheme: 'file' }, provider),
  );
}

async function lenses(parts: Needs, document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
  const { target } = settingsOf(document.uri);
  const { kernels, importedKernels } = parts.kernels.of(document);
  const ofCalls = importedKernels.map(call => callLens(parts, document, call));
  if (kernels.length === 0) return ofCalls;
  // A case file that cannot be read says so when a kernel is profiled.
  const file = await readCases(document.uri).catch(() => ({ cases: {} }));
  const ofKernels = kernels.flatMap(({ name, line }) => {
    const run = parts.runs.ofKernel(document.uri.fsPath, name);
    const range = new vscode.Range(line - 1, 0, line - 1, 0);
    const commands = commandsOf(document.uri, name, target, run);
    return [...commands, ...caseCommands(document.uri, name, casesOf(file, name).length)].map(
      command => new vscode.CodeLens(range, command),
    );
  });
  return [...ofKernels, ...ofCalls];
}

/** Above a call of an imported kernel: run this script for it, and how long each of its calls took. */
function callLens({ runs }: Needs, document: vscode.TextDocument, { kernel, line }: ImportedKernelCall): vscode.CodeLens {
  const calls = runs.callsFrom(document.uri.fsPath, kernel);
  return new vscode.CodeLens(new vscode.Range(line - 1, 0, line - 1, 0), {
    title: `▶ Profile Kernel${calls.length > 0 ? ` · ${callTimes(calls)}` : ''}`,
    tooltip: `Run this script on the simulated NeuronCore and show where the time of ${kernel} goes.`,
    command: 'nkiScope.profileKernel',
    arguments: [document.uri, kernel],
  });
}

/** `last 23.1 µs (trn2)`, or `3 calls: 23.1 µs, 24.0 µs, 23.1 µs (trn2)` */
function callTimes(calls: readonly Run[]): string {
  const times = calls.slice(0, MOST_TIMES).map(({ profile }) => timeText(profile.totalTimeNs));
  const more = calls.length > MOST_TIMES ? ', …' : '';
  const target = labelText(calls[0].profile.target);
  return calls.length === 1 ? `last ${times[0]} (${target})` : `${calls.length} calls: ${times.join(', ')}${more} (${target})`;
}

function caseCommands(uri: vscode.Uri, kernel: string, count: number): vscode.Command[] {
  if (count === 0) return [];
  const title = count === 1 ? '1 case' : `${count} cases`;
  return [{ title, tooltip: 'Edit the inputs that this kernel is profiled with', command: 'nkiScope.editCases', arguments: [uri, kernel] }];
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
  const advice = {
    title: 'advice',
    tooltip: 'What to change, each change tried in the model',
    command: 'nkiScope.showAdvice',
    arguments: [uri, kernel],
  };
  return [profile, choose, ...(run?.profile.timing ? [advice] : []), ...(run?.before ? [compare] : [])];
}

/** `last 49.0 µs (trn2) ▼ 3.10 µs` */
function lastTime({ profile, before }: Run): string {
  const last = `last ${timeText(profile.totalTimeNs)} (${labelText(profile.target)})`;
  const deltaNs = before ? profile.totalTimeNs - before.profile.totalTimeNs : 0;
  if (Math.abs(deltaNs) < 0.1) return last;
  return `${last} ${deltaNs < 0 ? '▼' : '▲'} ${timeText(Math.abs(deltaNs))}`;
}
