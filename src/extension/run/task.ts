/**
 * One file on the way to its profile: runs what was chosen, asks for inputs where nothing else knows them, and hands over what
 * came of it.
 */
import path from 'node:path';
import type * as vscode from 'vscode';
import { type CaptureRequest, type CaptureResult, fullNames, type KernelCase, NoWorkspace, placeOfCase } from '../../simulator/index';
import type { Diagnostics } from '../diagnostics';
import { askInputs } from '../inputs/askInputs';
import { rememberCase } from '../inputs/caseStore';
import type { ProfileStore } from '../profiles/profileStore';
import type { Timelines } from '../timeline/timelines';
import { type AskedFiles, warmMs } from './asked';
import type { Captures } from './capture';
import { type Choice, choicesWithoutScript } from './choices';
import { pickChoice } from './pickChoice';
import { reportError, requestError } from './reportError';
import { requestFor } from './requests';
import { ReturnedRuns } from './returnedRuns';
import type { Runs } from './runs';
import { showResult } from './showResult';
import type { AskedFor } from './toRuns';

export interface TaskNeeds {
  asked: AskedFiles;
  captures: Captures;
  diagnostics: Diagnostics;
  extension: Pick<vscode.Extension<unknown>, 'extensionUri'>;
  log: vscode.LogOutputChannel;
  profiles: ProfileStore;
  runs: Runs;
  timelines: Timelines;
}

export interface Task {
  parts: TaskNeeds;
  document: vscode.TextDocument;
  /** The kernel whose CodeLens was clicked. */
  kernel: string | undefined;
  cases: (kernel: string) => KernelCase[];
  /** `performance.now()` of the command. */
  askedAtMs: number;
}

export async function runChoice(task: Task, choice: Choice): Promise<void> {
  const file = task.document.uri.fsPath;
  task.parts.timelines.expect(file, `${choice.kernel ?? task.kernel ?? path.basename(file)}`);
  try {
    await runToTimeline(task, choice);
  } finally {
    task.parts.timelines.expectNothing(file);
  }
}

async function runToTimeline(task: Task, choice: Choice): Promise<void> {
  if (choice.kind === 'case') return runCase(task, choice.kernel, choice.case);
  // Also for a kernel to be asked about: only the front end knows its parameters, and the file may call it after all.
  const wanted = choice.kernel ?? task.kernel;
  const captured = await capture(task, {}, { title: path.basename(task.document.uri.path), kernel: wanted });
  if (!captured) return;
  const { result } = captured;
  if (lacksInputs(result) || leftOut(result, wanted)) return askAndRun(task, result, wanted);
  await finish(task, captured);
}

async function runCase(task: Task, kernel: string, known: KernelCase): Promise<void> {
  const more = { kernel, args: fullNames(known.args), ...placeOfCase(known) };
  const captured = await capture(task, more, { title: kernel, kernel, caseName: known.name });
  if (captured) await finish(task, captured);
}

/** The file has kernels, and nothing was called. */
function lacksInputs({ runs, kernels, error }: CaptureResult): boolean {
  return runs.length === 0 && kernels.length > 0 && (!error || ['NoInputs', 'NoKernel'].includes(error.kind));
}

/** The file ran other kernels than the one that was clicked. */
function leftOut({ runs, kernels, error }: CaptureResult, wanted: string | undefined): boolean {
  return !error && kernels.some(kernel => kernel.name === wanted) && !runs.some(run => run.id.kernel === wanted);
}

async function askAndRun(task: Task, { kernels }: CaptureResult, wanted: string | undefined): Promise<void> {
  // beside a question, a timeline that says it loads would be wrong
  task.parts.timelines.expectNothing(task.document.uri.fsPath);
  const offered = kernels.some(k => k.name === wanted) ? kernels.filter(k => k.name === wanted) : kernels;
  const names = offered.map(k => k.name);
  const choice = await pickChoice(choicesWithoutScript(names, task.cases));
  if (choice?.kind === 'case') return runCase(task, choice.kernel, choice.case);
  const kernel = offered.find(k => choice?.kind === 'ask' && k.name === choice.kernel);
  const asked = kernel && (await askInputs(task.document, kernel, task.parts.extension.extensionUri));
  if (!asked) return;
  await rememberCase(task.document.uri, kernel.name, asked);
  task.parts.log.info(`${kernel.name}: inputs remembered as the case "${asked.name}"`);
  await runCase(task, kernel.name, asked);
}

interface Captured {
  more: Partial<CaptureRequest>;
  request: CaptureRequest;
  result: CaptureResult;
  asked: AskedFor;
  returned: ReturnedRuns;
}

/** What is run, for people, and what of it was asked for. */
interface Wanted {
  title: string;
  kernel: string | undefined;
  caseName?: string;
}

async function capture(
  { parts, document, askedAtMs }: Task,
  more: Captured['more'],
  { title, ...wanted }: Wanted,
): Promise<Captured | undefined> {
  parts.diagnostics.clear(document.uri.fsPath);
  const request = await requestOrMessage(parts, document.uri, more);
  if (!request) return undefined;
  const asked = { ...wanted, askedAtMs };
  const returned = new ReturnedRuns(parts, request, asked);
  const result = await parts.captures.run(request, title, call => returned.add(call));
  await returned.settled();
  return result && { more, request, result, asked, returned };
}

/** undefined when there is no folder that the kernel may read and the user has been told. */
async function requestOrMessage(
  parts: Pick<TaskNeeds, 'log'>,
  uri: vscode.Uri,
  more: Captured['more'],
): Promise<CaptureRequest | undefined> {
  try {
    return requestFor(uri, more);
  } catch (error) {
    if (!(error instanceof NoWorkspace)) throw error;
    reportError(parts, requestError(error));
    return undefined;
  }
}

async function finish({ parts }: Task, { more, request, result, asked, returned }: Captured): Promise<void> {
  const { file } = request;
  const { kernel, caseName } = asked;
  const checks = result.runs.flatMap(run => run.checks);
  if (result.runs.length > 0) parts.asked.put({ file, more, kernel, caseName, tookMs: warmMs(result) });
  await showResult(parts, { request, result, asked, returned });
  parts.diagnostics.show(file, result.error, checks);
  if (result.error) reportError(parts, result.error);
}
