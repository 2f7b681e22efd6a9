/** The CodeLens above each kernel: profile it, what the last run took, its target, advice, the comparison, what its hottest line would bring, its cases. */
import * as vscode from 'vscode';
import { CASE_FILE, casesOf, type LaunchRow, percentText, timeText } from '../../simulator/index';
import { SECTION, settingsOf } from '../configuration';
import type { LineMaps } from '../hints/lineMaps';
import { readCases } from '../inputs/caseStore';
import { labelText } from '../plainText';
import type { Run } from '../run/run';
import type { Runs } from '../run/runs';
import type { Experiments } from '../timeline/experiments';
import { GainLens } from './gainLens';
import type { ImportedKernelCall } from './importedKernels';
import type { KernelIndex } from './kernelIndex';
import { lastTime } from './lastTime';
import { type LaunchSite, launchSites } from './launchSites';

interface Needs {
  experiments: Experiments;
  lineMaps: LineMaps;
  kernels: KernelIndex;
  runs: Runs;
}

/** Of calls, beside one another above a line. */
const MOST_TIMES = 4;

export function registerKernelLens(parts: Needs): vscode.Disposable {
  const refresh = new vscode.EventEmitter<void>();
  const gains = new GainLens(parts, () => refresh.fire());
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: refresh.event,
    provideCodeLenses: document => lenses(parts, document, gains),
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

async function lenses(parts: Needs, document: vscode.TextDocument, gains: GainLens): Promise<vscode.CodeLens[]> {
  const { target, hints } = settingsOf(document.uri);
  const { kernels, importedKernels } = parts.kernels.of(document);
  const launched = parts.runs.launchesOf(document.uri.fsPath);
  const sites = launched ? launchSites(launched, document) : [];
  const ofCalls = [...sites.map(site => siteLens(document, site)), ...importedKernels.flatMap(call => callLenses(parts, document, call))];
  if (kernels.length === 0) return ofCalls;
  // A case file that cannot be read says so when a kernel is profiled.
  const file = await readCases(document.uri).catch(() => ({ cases: {} }));
  const ofKernels = kernels.flatMap(({ name, line }) => {
    const run = parts.runs.ofKernel(document.uri.fsPath, name);
    const range = new vscode.Range(line - 1, 0, line - 1, 0);
    const commands = commandsOf(document.uri, name, target, run);
    const ofLine = run && hints.enabled ? gains.commands(document, run) : [];
    return [...commands, ...ofLine, ...caseCommands(document.uri, name, casesOf(file, name).length)].map(
      command => new vscode.CodeLens(range, command),
    );
  });
  return [...ofKernels, ...ofCalls];
}

/** Above a call of an imported kernel: run this script for it, and how long each of its calls took. */
function callLenses({ runs }: Needs, document: vscode.TextDocument, { kernel, line }: ImportedKernelCall): vscode.CodeLens[] {
  const profile = {
    title: '▶ Profile Kernel',
    tooltip: `Run this script on the simulated NeuronCore and show where the time of ${kernel} goes.`,
    command: 'nkiScope.profileKernel',
    arguments: [document.uri, kernel],
  };
  const range = new vscode.Range(line - 1, 0, line - 1, 0);
  const times = callTimes(runs.callsFrom(document.uri.fsPath, kernel));
  return [profile, ...times].map(command => new vscode.CodeLens(range, command));
}

/** Above a line that calls kernels: what they took of the script's run. `double · 22.0 µs (16 % of the run)`, `3 calls · 65.9 µs (49 % of the run)` */
function siteLens(document: vscode.TextDocument, { line, launches }: LaunchSite): vscode.CodeLens {
  const sum = (of: (launch: LaunchRow) => number) => launches.reduce((total, launch) => total + of(launch), 0);
  const what = launches.length === 1 ? labelText(launches[0].kernel) : `${launches.length} calls`;
  const share = percentText(sum(launch => launch.share));
  return new vscode.CodeLens(new vscode.Range(line - 1, 0, line - 1, 0), {
    title: `${what} · ${timeText(sum(launch => launch.timeNs))} (${share} of the run)`,
    tooltip: 'Show the timeline of all kernel calls of this script, with those of this line marked.',
    command: 'nkiScope.showLaunches',
    arguments: [document.uri, line],
  });
}

/** `last 23.1 µs (trn2)`, or `3 calls on trn2: 23.1 µs`, `24.0 µs`, `23.1 µs`: each opens its timeline. */
function callTimes(calls: readonly Run[]): vscode.Command[] {
  if (calls.length === 1)
    return [timeCommand(`last ${timeText(calls[0].profile.totalTimeNs)} (${labelText(calls[0].profile.target)})`, calls[0])];
  return calls.slice(0, MOST_TIMES).map((run, k) => {
    const begin = k === 0 ? `${calls.length} calls on ${labelText(run.profile.target)}: ` : '';
    const more = k === MOST_TIMES - 1 && calls.length > MOST_TIMES ? ', …' : '';
    return timeCommand(`${begin}${timeText(run.profile.totalTimeNs)}${more}`, run);
  });
}

const timeCommand = (title: string, { key }: Run): vscode.Command => ({
  title,
  tooltip: 'Show the timeline of this run.',
  command: 'nkiScope.openTimeline',
  arguments: [key],
});

function caseCommands(uri: vscode.Uri, kernel: string, count: number): vscode.Command[] {
  if (count === 0) return [];
  const title = count === 1 ? '1 case' : `${count} cases`;
  return [{ title, tooltip: 'Edit the inputs that this kernel is profiled with', command: 'nkiScope.editCases', arguments: [uri, kernel] }];
}

function commandsOf(uri: vscode.Uri, kernel: string, target: string, run: Run | undefined): vscode.Command[] {
  const profile = {
    title: '▶ Profile Kernel',
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
  const last = run ? [timeCommand(lastTime(run.profile, run.before?.profile), run)] : [];
  return [profile, ...last, choose, ...(run?.profile.timing ? [advice] : []), ...(run?.before ? [compare] : [])];
}
